import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sealStoreContractSuite } from '../contract-suite.ts';
import { canonicalText } from '../canonical.ts';
import { sealDigest } from '../chain.ts';
import { rowOf } from '../stored-text.ts';
import { sealAfter } from '../testing/sealed.ts';
import { holdsSeal, sqliteSealStore } from './sqlite-seal-store.ts';

sealStoreContractSuite('SQLite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'zakup-seals-'));
  const file = join(dir, 'seals.db');
  const stores = [sqliteSealStore({ file })];
  const [store] = stores;
  if (store === undefined) throw new Error('No store');
  return {
    store,
    another: async () => {
      const made = sqliteSealStore({ file });
      stores.push(made);
      return made;
    },
    end: async () => {
      for (const one of stores) await one.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
});

describe('a file of seals', () => {
  let dir: string;
  let file: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'zakup-seals-'));
    file = join(dir, 'seals.db');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('SEAL-10 keeps everything over a restart', async () => {
    const first = sealAfter(null, '3f1');
    const salt = new Uint8Array(32).fill(1);
    let store = sqliteSealStore({ file });
    expect(holdsSeal(file)).toBe(false);
    await store.add(first, 2);
    await store.saltKey('3f1', () => salt);
    await store.follow(9, 2);
    await store.close();
    expect(holdsSeal(file)).toBe(true);
    store = sqliteSealStore({ file });
    expect(await store.last('3f1')).toEqual(first);
    expect([...(await store.saltKey('3f1', () => new Uint8Array(32)))]).toEqual([...salt]);
    expect([await store.followed(), await store.fence(), await store.reached()]).toEqual([9, 2, 1]);
    await store.close();
  });

  test('SEAL-11 itself refuses to change or remove a seal', async () => {
    const store = sqliteSealStore({ file });
    await store.add(sealAfter(null, '3f1'), 1);
    await store.close();
    const database = openDatabase(file);
    expect(() => database.exec("UPDATE seals SET text = '{}'")).toThrow('a seal never changes');
    expect(() => database.exec('DELETE FROM seals')).toThrow('a seal never goes');
    database.close();
  });

  test('SEAL-12 a seal that was damaged is told by its place', async () => {
    let store = sqliteSealStore({ file });
    await store.add(sealAfter(null, '3f1'), 1);
    await store.close();
    const database = openDatabase(file);
    database.exec("DROP TRIGGER seals_are_not_changed; UPDATE seals SET text = replace(text, '3f1', '3f2')");
    database.close();
    store = sqliteSealStore({ file });
    await expect(store.last('3f1')).rejects.toMatchObject({ name: 'CorruptSeal', licenceId: '3f1', number: 1 });
    await store.close();
  });

  test('SEAL-3651 a seal that is none, and a salt that is no key, are told by name, whatever their checksums say', async () => {
    const first = sealAfter(null, '3f1');
    const [row] = [rowOf(first)];
    const read = async (text: string): Promise<unknown> => {
      const checksum = sealDigest(canonicalText([row.position, row.stream, row.revision, text]));
      const database = openDatabase(file);
      database.exec('DROP TRIGGER IF EXISTS seals_are_not_changed');
      database.prepare('UPDATE seals SET text = ?, checksum = ?').run(text, checksum);
      database.close();
      const store = sqliteSealStore({ file });
      const found = await store.read('3f1').catch((error: unknown) => error);
      await store.close();
      return found;
    };
    const store = sqliteSealStore({ file });
    await store.add(first, 1);
    await store.saltKey('3f1', () => new Uint8Array(32));
    await store.close();
    expect(await read(row.text)).toEqual([first]);
    const changed = (change: object): string => canonicalText({ ...first.seal, ...change });
    const { signature: _, ...unsigned } = first.seal;
    for (const text of [
      'null',
      '7',
      '{',
      `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
      canonicalText(unsigned),
      changed({ more: 1 }),
      changed({ sealedAt: 'yesterday' }),
      changed({ sealedAt: '2026-99-01T00:00:00.000Z' }),
      changed({ chain: first.seal.chain.slice(2) }),
      changed({ total: 1e300 }),
      changed({ count: '1' }),
      changed({ format: 'zakup-seal-9' }),
    ])
      expect(await read(text)).toMatchObject({ name: 'CorruptSeal', licenceId: '3f1', number: 1 });
    for (const salt of ["x'00'", "'text'", '7', `x'${'00'.repeat(33)}'`]) {
      const database = openDatabase(file);
      database.exec(`UPDATE salts SET key = ${salt}`);
      database.close();
      const opened = sqliteSealStore({ file });
      const kept = opened.saltKey('3f1', () => new Uint8Array(32));
      await expect(kept).rejects.toMatchObject({ name: 'CorruptSalt', licenceId: '3f1' });
      await opened.close();
    }
  });

  test('SEAL-13 another database and something else are refused by name', () => {
    const database = openDatabase(file);
    database.exec('CREATE TABLE other (id)');
    database.close();
    expect(() => sqliteSealStore({ file })).toThrow(file);
    writeFileSync(
      join(dir, 'text.db'),
      'not a database at all, only a text that is long enough to be looked at'.repeat(9),
    );
    expect(() => sqliteSealStore({ file: join(dir, 'text.db') })).toThrow('text.db');
  });
});
