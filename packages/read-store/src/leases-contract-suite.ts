/**
 * What every Leases adapter must do, by rule.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { Lease, Leases } from './leases.ts';

export interface LeasesUnderTest {
  /** What the process of that name uses; the same object for the same name. */
  readonly of: (holder: string) => Promise<Leases>;
  /** From now on the holder of the lease can not renew it. */
  readonly stall: (holder: string, name: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

export const leasesContractSuite = (name: string, make: () => Promise<LeasesUnderTest>): void => {
  describe(`Leases: ${name}`, () => {
    const opened: LeasesUnderTest[] = [];
    const forEver = new AbortController().signal;

    const fresh = async (): Promise<LeasesUnderTest> => {
      const made = await make();
      opened.push(made);
      return made;
    };

    const held = async (leases: Leases, lease: string): Promise<Lease> => {
      const found = await leases.acquire(lease, forEver);
      if (found === null) throw new Error(`${lease} was not acquired`);
      return found;
    };

    const lost = ({ lost: signal }: Lease): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });

    afterEach(async () => {
      for (const { end } of opened.splice(0)) await end();
    });

    it('LSE-1 a free name is taken at once, each name apart', async () => {
      const { of } = await fresh();
      const leases = await of('one');
      const [first, second] = [await held(leases, '3f'), await held(leases, '40')];
      expect([first.name, second.name]).toEqual(['3f', '40']);
      expect([first.fence, second.fence].every((fence) => Number.isSafeInteger(fence) && fence > 0)).toBe(true);
      expect([first.lost.aborted, second.lost.aborted]).toEqual([false, false]);
    });

    it('LSE-2 a second holder waits until the first releases, and has a greater fence', async () => {
      const { of } = await fresh();
      const first = await held(await of('one'), '3f');
      const order: string[] = [];
      const waiting = held(await of('two'), '3f').then((lease) => {
        order.push('taken');
        return lease;
      });
      // Something that takes as long as an acquisition does.
      await held(await of('two'), '40');
      order.push('released');
      await first.release();
      const second = await waiting;
      expect(order).toEqual(['released', 'taken']);
      expect(second.fence).toBeGreaterThan(first.fence);
      expect([first.lost.aborted, second.lost.aborted]).toEqual([true, false]);
    });

    it('LSE-3 waiting ends with null when the signal aborts, before or meanwhile', async () => {
      const { of } = await fresh();
      const first = await held(await of('one'), '3f');
      const other = await of('two');
      const stop = new AbortController();
      const waiting = other.acquire('3f', stop.signal);
      stop.abort();
      expect(await waiting).toBeNull();
      expect(await other.acquire('3f', stop.signal)).toBeNull();
      expect(await other.acquire('free', stop.signal)).toBeNull();
      await first.release();
      expect((await held(await of('three'), '3f')).fence).toBeGreaterThan(first.fence);
    });

    it('LSE-4 a holder that cannot renew loses it, and the next one has a greater fence', async () => {
      const { of, stall } = await fresh();
      const first = await held(await of('one'), '3f');
      const waiting = held(await of('two'), '3f');
      await stall('one', '3f');
      await lost(first);
      const second = await waiting;
      expect(second.fence).toBeGreaterThan(first.fence);
      await first.release();
      expect(second.lost.aborted).toBe(false);
    });

    it('LSE-5 of several that wait one has it at a time, each with a greater fence', async () => {
      const { of } = await fresh();
      const first = await held(await of('one'), '3f');
      let holders = 0;
      const fences = [first.fence];
      const waiting = ['two', 'three', 'four'].map(async (holder) => {
        const lease = await held(await of(holder), '3f');
        holders += 1;
        expect(holders).toBe(1);
        fences.push(lease.fence);
        holders -= 1;
        await lease.release();
      });
      await first.release();
      await Promise.all(waiting);
      expect(fences).toHaveLength(4);
      expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
    });

    it('LSE-6 releasing twice is quiet and frees nobody else', async () => {
      const { of } = await fresh();
      const first = await held(await of('one'), '3f');
      await first.release();
      const second = await held(await of('two'), '3f');
      await first.release();
      expect(second.lost.aborted).toBe(false);
      const stop = new AbortController();
      const waiting = (await of('three')).acquire('3f', stop.signal);
      await held(await of('three'), 'probe');
      stop.abort();
      expect(await waiting).toBeNull();
    });
  });
};
