import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { headOf, inMemorySealHeads } from '@zakup/seals/seal-heads';
import type { StoredSeal } from '@zakup/seals/seal-store';
import { withDamagedSeal } from '@zakup/seals/testing/damaged';
import { sealAfter, testKey } from '@zakup/seals/testing/sealed';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type WitnessedSeal, witnessing, witnessOf } from './seal-witness.ts';

const sealOf = (licenceId: string, number: number): WitnessedSeal => ({
  licenceId,
  number,
  hash: `${number}`.repeat(64),
  sealedAt: '2026-11-26T09:00:00.000Z',
  key: testKey.fingerprint,
});

describe('the witness of seals', () => {
  test('SEAL-1337 is told of every seal in its order, again after a failure, and of none twice after a restart', async () => {
    const seals = inMemorySealStore();
    const told = inMemorySealHeads();
    const taken: string[] = [];
    const outcomes: boolean[] = [];
    let failing = 2;
    const sealed = new Set<string>();
    let last: StoredSeal | null = null;
    const seal = async (licenceId: string, before: StoredSeal | null): Promise<StoredSeal> => {
      const next = sealAfter(before, licenceId);
      await seals.add(next, 1);
      sealed.add(licenceId);
      return next;
    };
    for (let number = 1; number <= 3; number += 1) last = await seal('3f1', last);
    /** Looks as often as it waits, and ends when `looks` are over. */
    const look = async (looks: number): Promise<void> => {
      const stop = new AbortController();
      let left = looks;
      await witnessing({
        seals,
        told,
        sealedSince: () => [...sealed],
        signal: stop.signal,
        witness: {
          async tell({ licenceId, number, hash }) {
            failing -= 1;
            if (failing >= 0) throw new Error('away');
            taken.push(`${licenceId} ${number} ${hash}`);
          },
        },
        onTold: (isTaken) => outcomes.push(isTaken),
        async wait() {
          left -= 1;
          if (left === 0) stop.abort();
        },
      });
    };
    const lines = async (...names: readonly [string, number][]): Promise<string[]> => {
      const found: string[] = [];
      for (const [licenceId, number] of names) {
        const [stored] = await seals.read(licenceId, { after: number - 1, limit: 1 });
        found.push(`${licenceId} ${number} ${stored === undefined ? '' : headOf(stored).hash}`);
      }
      return found;
    };
    await look(3);
    expect(taken).toEqual(await lines(['3f1', 1], ['3f1', 2], ['3f1', 3]));
    expect(outcomes).toEqual([false, false, true, true, true]);
    await seal('3f1', last);
    await seal('4a1', null);
    await look(1);
    expect(taken.slice(3)).toEqual(await lines(['3f1', 4], ['4a1', 1]));
    await look(2);
    expect(taken).toHaveLength(5);
  });

  test('SEAL-3684 is told of the other licences when the seals of one are damaged', async () => {
    const seals = inMemorySealStore();
    for (const licenceId of ['3f1', '4a1']) await seals.add(sealAfter(null, licenceId), 1);
    const stop = new AbortController();
    const taken: string[] = [];
    await witnessing({
      seals: withDamagedSeal(seals, '3f1', 1),
      told: inMemorySealHeads(),
      sealedSince: () => [],
      signal: stop.signal,
      witness: { tell: async ({ licenceId }) => void taken.push(licenceId) },
      wait: async () => stop.abort(),
    });
    expect(taken).toEqual(['4a1']);
  });

  test('SEAL-1338 is a file that grows by lines, or a webhook that must answer well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zakup-witness-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'seals.ndjson');
    for (const number of [1, 2]) await witnessOf(file).tell(sealOf('3f1', number));
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([sealOf('3f1', 1), sealOf('3f1', 2)]);
    await expect(witnessOf(join(folder, 'none', 'seals')).tell(sealOf('3f1', 3))).rejects.toThrow('ENOENT');

    const bodies: string[] = [];
    let status = 500;
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/seals`;
    await expect(witnessOf(url).tell(sealOf('3f1', 1))).rejects.toThrow('500');
    status = 204;
    await witnessOf(url).tell(sealOf('3f1', 1));
    expect(bodies.map((body) => JSON.parse(body) as object)).toEqual([sealOf('3f1', 1), sealOf('3f1', 1)]);
  });
});
