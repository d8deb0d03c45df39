import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storeBytes } from './store-bytes.ts';

test('ADM-3417 the size of a store counts what is written beside it, and only embedded stores have one', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'zakup-bytes-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'events.db'), Buffer.alloc(4_096));
  await writeFile(join(dir, 'events.db-wal'), Buffer.alloc(100));
  const all = { events: true, readModels: true };
  expect(await storeBytes(dir, all)).toEqual({ events: 4_196 });
  await writeFile(join(dir, 'read-models.db'), Buffer.alloc(8_192));
  expect(await storeBytes(dir, all)).toEqual({ events: 4_196, readModels: 8_192 });
  expect(await storeBytes(dir, { events: false, readModels: true })).toEqual({ readModels: 8_192 });
});
