/**
 * What every SealStore adapter must do, by rule.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { SealStore, StoredSeal } from './seal-store.ts';
import { otherKey, sealAfter, testKey } from './testing/sealed.ts';

export interface SealStoreUnderTest {
  readonly store: SealStore;
  /** The same seals as another process has them open; null where only one can. */
  readonly another: (() => Promise<SealStore>) | null;
  readonly end: () => Promise<void>;
}

/** `make`: a store that is empty. */
export const sealStoreContractSuite = (name: string, make: () => Promise<SealStoreUnderTest>): void => {
  describe(`SealStore: ${name}`, () => {
    const opened: SealStoreUnderTest[] = [];
    const fresh = async (): Promise<SealStoreUnderTest> => {
      const made = await make();
      opened.push(made);
      return made;
    };
    afterEach(async () => {
      for (const { end } of opened.splice(0)) await end();
    });

    const added = async (store: SealStore, licenceId: string, numbers: number): Promise<StoredSeal[]> => {
      const all: StoredSeal[] = [];
      for (let index = 0; index < numbers; index += 1) {
        const next = sealAfter(all.at(-1) ?? null, licenceId, index + 1);
        expect(await store.add(next, 1)).toEqual({ kind: 'added' });
        all.push(next);
      }
      return all;
    };

    it('SEAL-1 gives back what was added, by licence and number', async () => {
      const { store } = await fresh();
      const [mine, theirs] = [randomUUID(), randomUUID()];
      expect(await store.last(mine)).toBeNull();
      expect(await store.read(mine)).toEqual([]);
      const all = await added(store, mine, 12);
      const [other] = await added(store, theirs, 1);
      expect(await store.last(mine)).toEqual(all.at(-1));
      expect(await store.last(theirs)).toEqual(other);
      expect(await store.read(mine)).toEqual(all);
      expect(await store.read(mine, { after: 3, limit: 2 })).toEqual(all.slice(3, 5));
      expect((await store.licences()).toSorted()).toEqual([mine, theirs].toSorted());
    });

    it('SEAL-2 a gap, a second seal under a number and one that does not follow are refused, and change nothing', async () => {
      const { store } = await fresh();
      const licence = randomUUID();
      const [first, second] = await added(store, licence, 2);
      if (first === undefined || second === undefined) throw new Error('Nothing was added');
      const third = sealAfter(second, licence, 3);
      const wrong: readonly StoredSeal[] = [
        second,
        sealAfter(first, licence, 1, otherKey),
        sealAfter(null, licence),
        sealAfter(third, licence),
        { ...third, seal: { ...third.seal, previous: 'f'.repeat(64) } },
        { ...third, seal: { ...third.seal, total: third.seal.total + 1 } },
        { ...third, position: second.position },
      ];
      for (const one of wrong) expect(await store.add(one, 1)).toEqual({ kind: 'not_next', last: second });
      expect(await store.read(licence)).toEqual([first, second]);
      expect(await store.add(third, 1)).toEqual({ kind: 'added' });
    });

    it('SEAL-3 of several that follow the same seal at once one is added', async () => {
      const { store, another } = await fresh();
      const stores = another === null ? [store, store] : [store, await another()];
      const licence = randomUUID();
      let last: StoredSeal | null = null;
      for (let round = 0; round < 10; round += 1) {
        const wanted = [testKey, otherKey].map((key) => sealAfter(last, licence, round + 1, key));
        const results = await Promise.all(wanted.map((seal, index) => (stores[index] ?? store).add(seal, 1)));
        expect(results.map(({ kind }) => kind).toSorted()).toEqual(['added', 'not_next']);
        last = await store.last(licence);
        expect(wanted).toContainEqual(last);
      }
      expect((await store.read(licence)).map(({ seal }) => seal.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    it('SEAL-4 who has lost the lease adds and raises nothing', async () => {
      const { store } = await fresh();
      const licence = randomUUID();
      expect(await store.fence()).toBe(0);
      const first = sealAfter(null, licence);
      expect(await store.add(first, 5)).toEqual({ kind: 'added' });
      expect(await store.add(sealAfter(first, licence), 4)).toEqual({ kind: 'lost_lease', fence: 5 });
      await store.follow(3, 4);
      expect([await store.followed(), await store.fence()]).toEqual([0, 5]);
      await store.follow(3, 6);
      expect(await store.add(sealAfter(first, licence), 5)).toEqual({ kind: 'lost_lease', fence: 6 });
      expect([await store.followed(), await store.fence()]).toEqual([3, 6]);
      expect(await store.last(licence)).toEqual(first);
    });

    it('SEAL-5 how far the log was followed only rises, and the greatest position of a seal is known', async () => {
      const { store } = await fresh();
      expect([await store.followed(), await store.reached()]).toEqual([0, 0]);
      await store.follow(40, 1);
      await store.follow(30, 1);
      expect(await store.followed()).toBe(40);
      const [first] = await added(store, randomUUID(), 1);
      const licence = randomUUID();
      expect(await store.add({ ...sealAfter(null, licence), position: 35 }, 1)).toEqual({ kind: 'added' });
      expect(first?.position).toBe(1);
      expect(await store.reached()).toBe(35);
    });

    it('SEAL-6 a licence has the salt key that it got first, also when several ask at once', async () => {
      const { store, another } = await fresh();
      const other = another === null ? store : await another();
      const licence = randomUUID();
      const fresh32 = (): Uint8Array => Uint8Array.from(randomBytes(32));
      const keys = await Promise.all([store, other, store, other].map((one) => one.saltKey(licence, fresh32)));
      expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
      expect(keys[0]).toHaveLength(32);
      const never = (): Uint8Array => {
        throw new Error('It has one');
      };
      expect(Buffer.from(await other.saltKey(licence, never))).toEqual(Buffer.from(keys[0] ?? []));
      const theirs = await store.saltKey(randomUUID(), fresh32);
      expect(Buffer.from(theirs)).not.toEqual(Buffer.from(keys[0] ?? []));
    });

    it('SEAL-7 keys stay as they began, in that order', async () => {
      const { store } = await fresh();
      const of = ({ fingerprint, publicKey }: typeof testKey, since: string) => ({ fingerprint, publicKey, since });
      const [first, second] = [of(testKey, '2026-11-21T09:00:00.000Z'), of(otherKey, '2026-11-22T09:00:00.000Z')];
      expect(await store.keys()).toEqual([]);
      await store.addKey(first);
      await store.addKey(second);
      await store.addKey({ ...first, since: '2027-01-01T00:00:00.000Z' });
      expect(await store.keys()).toEqual([first, second]);
    });

    it('SEAL-8 a closed store says so', async () => {
      const { store } = await fresh();
      await store.close();
      await expect(store.last('x')).rejects.toMatchObject({ name: 'SealsUnavailable' });
    });
  });
};
