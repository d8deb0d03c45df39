import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { openDatabase, type Statement } from '@zakup/sqlite/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDocument, readStoreContractSuite, suiteDeclared } from '../contract-suite.ts';
import { CorruptDocument, type ReadStore, type Walk } from '../read-store.ts';
import { changedSql } from './changes-sql.ts';
import { documentOf } from './document-rows.ts';
import { type QueryDeps, queried } from './queried.ts';
import { boundedSql, querySql, walkSql } from './query-sql.ts';
import { tablesOf } from './schema.ts';
import { sortedSql } from './sorted-page.ts';
import { type SqliteReadStore, sqliteReadStore } from './sqlite-read-store.ts';
import { storeConnection } from './store-connection.ts';

let folder = '';
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `read-${files}.db`);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-store-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

readStoreContractSuite('SQLite', async (declared) => {
  const store = sqliteReadStore({ file: newFile(), declared });
  return { store, end: () => store.close() };
});

const alter = (file: string, sql: string): void => {
  const database = openDatabase(file);
  database.exec(sql);
  database.close();
};

/** Those that hold contents. */
const tablesIn = (file: string): readonly string[] => {
  const database = openDatabase(file, { readOnly: true });
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '*s_[0-9]' OR name = 'documents' ORDER BY name";
  const rows = database.prepare(sql).all() as readonly { readonly name: string }[];
  database.close();
  return rows.map(({ name }) => name);
};

const partition = '3f';
const filled = async (file: string, count = 3): Promise<SqliteReadStore> => {
  const store = sqliteReadStore({ file, declared: suiteDeclared });
  const docs = Array.from({ length: count }, (_, index) => aDocument(`d${index}`, index + 1));
  await store.commit({ docs, checkpoint: { partition, position: count, fence: 1 } });
  return store;
};

const changes = (store: ReadStore, since?: number) =>
  store.changesSince({
    licenceId: '3flicence',
    scope: 'campaign:1',
    partition,
    ...(since === undefined ? {} : { since }),
  });

describe('SQLite read store file', () => {
  it('RSQ-1 keeps documents, checkpoint and floors across a reopening', async () => {
    const file = newFile();
    const store = await filled(file);
    await store.commit({
      docs: [],
      checkpoint: { partition, position: 3, fence: 4 },
      floors: [{ licenceId: '3flicence', scope: 'campaign:1' }],
    });
    const before = await changes(store);
    await store.close();
    const reopened = sqliteReadStore({ file, declared: suiteDeclared });
    expect(await reopened.checkpoint(partition)).toEqual({ partition, position: 3, fence: 4 });
    expect(await changes(reopened)).toEqual(before);
    expect((await changes(reopened, 3)).reset).toBe(true);
    await reopened.close();
  });

  it('THR-1631 a second one that only reads sees each commit as soon as its checkpoint is told, in short and long reads, changes nothing, and keeps nothing back', async () => {
    const file = newFile();
    const store = await filled(file, 1_500);
    const reader = sqliteReadStore({ file, declared: suiteDeclared, readOnly: true });
    for (let position = 1_501; position <= 1_510; position += 1) {
      await store.commit({
        docs: [aDocument(`d${position - 1}`, position)],
        checkpoint: { partition, position, fence: 1 },
      });
      expect((await reader.checkpoint(partition))?.position).toBe(position);
      const whole = await changes(reader);
      expect([whole.position, whole.docs.length]).toEqual([position, position]);
      expect(await changes(reader, position - 1)).toEqual(await changes(store, position - 1));
    }
    const next = { docs: [], checkpoint: { partition, position: 2_000, fence: 1 } };
    await expect(reader.commit(next)).rejects.toThrow('readonly');
    await reader.close();
    expect(await store.commit(next)).toEqual({ kind: 'committed' });
    await store.close();
    expect(statSync(file).size).toBeGreaterThan(1_000);
  });

  it('RSQ-2 a changed byte of a document is CorruptDocument, naming file and document', async () => {
    const file = newFile();
    const store = await filled(file);
    alter(file, "UPDATE documents SET data = replace(data, '2025', '2024') WHERE id = 'd1'");
    await expect(store.get('placement', 'd1')).rejects.toThrow(CorruptDocument);
    await expect(store.getMany('placement', ['d0', 'd1'])).rejects.toThrow(file);
    await expect(store.query('placement', {})).rejects.toThrow('placement/d1');
    await expect(changes(store)).rejects.toThrow(CorruptDocument);
    expect(await store.get('placement', 'd0')).not.toBeNull();
    alter(file, "UPDATE documents SET scopes = '[\"campaign:2\"]' WHERE id = 'd0'");
    await expect(store.get('placement', 'd0')).rejects.toThrow(CorruptDocument);
    await store.close();
  });

  it('RSQ-3 a file that is no database, cut, or in no folder is refused by name', async () => {
    const noDatabase = newFile();
    writeFileSync(
      noDatabase,
      'this is not a database, only a text that is long enough to be read as a header'.repeat(200),
    );
    expect(() => sqliteReadStore({ file: noDatabase, declared: {} })).toThrow(noDatabase);
    const whole = newFile();
    await (await filled(whole, 2_000)).close();
    const cut = newFile();
    copyFileSync(whole, cut);
    truncateSync(cut, 20_000);
    expect(() => sqliteReadStore({ file: cut, declared: suiteDeclared })).toThrow(cut);
    const nowhere = join(folder, 'missing', 'read.db');
    expect(() => sqliteReadStore({ file: nowhere, declared: {} })).toThrow(nowhere);
  });

  it('RSQ-4 a newer version or another store is refused by name and left as it is', async () => {
    const newer = newFile();
    await (await filled(newer)).close();
    alter(newer, 'PRAGMA user_version = 4');
    expect(() => sqliteReadStore({ file: newer, declared: suiteDeclared })).toThrow(/newer version/);
    expect(() => sqliteReadStore({ file: newer, declared: suiteDeclared })).toThrow(newer);
    const foreign = newFile();
    alter(foreign, 'CREATE TABLE events (position INTEGER)');
    expect(() => sqliteReadStore({ file: foreign, declared: {} })).toThrow(/not a read store/);
  });

  it('RSQ-5 fields declared later can be queried, also over documents already there', async () => {
    const file = newFile();
    await (await filled(file)).close();
    const store = sqliteReadStore({ file, declared: { placement: ['price', 'createdAt'] } });
    expect((await store.query('placement', { where: { price: 2 } })).docs.map(({ id }) => id)).toEqual(['d1']);
    expect((await store.query('placement', { range: { createdAt: { min: '2025' } } })).total).toBe(3);
    await expect(store.query('placement', { where: { status: 'x' } })).rejects.toThrow(/status/);
    await store.close();
  });

  it('RSQ-6 a second connection sees commits and checkpoints at once', async () => {
    const file = newFile();
    const store = await filled(file);
    const second = sqliteReadStore({ file, declared: suiteDeclared });
    expect((await second.checkpoint(partition))?.position).toBe(3);
    await store.commit({ docs: [aDocument('x', 4)], checkpoint: { partition, position: 4, fence: 1 } });
    expect((await second.checkpoint(partition))?.position).toBe(4);
    expect((await changes(second, 3)).docs.map(({ doc }) => doc.id)).toEqual(['x']);
    await store.close();
    await second.close();
  });

  it('RSQ-7 lookups and what changed go through an index', async () => {
    const file = newFile();
    const store = await filled(file);
    const database = openDatabase(file);
    const planOf = (sql: string): string => JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
    const { count } = querySql(tablesOf(0), 'placement', { licenceId: '3flicence', where: { campaignId: 'c' } });
    expect(planOf(count)).toContain('lookup:placement:campaignId');
    for (const sort of ['price', 'createdAt']) {
      const statements = sortedSql(tablesOf(0), { kind: 'placement', field: { sort, within: 'campaignId' } });
      for (const [name, sql] of Object.entries(statements))
        expect(`${name} ${planOf(sql)}`).toMatch(
          new RegExp(`USING COVERING INDEX lookup:placement:campaignId:by:${sort}`, 'u'),
        );
      expect(Object.values(statements).map(planOf).join(' ')).not.toContain('TEMP B-TREE');
    }
    const filtered = { licenceId: 'l', where: { campaignId: 'c', status: 's' } };
    const bounded = boundedSql(tablesOf(0), 'placement', filtered, 'campaignId');
    for (const sql of [bounded.bound, bounded.count, bounded.slice])
      expect(planOf(sql)).toMatch(/lookup:placement:campaignId \(licence=\? AND data\.campaignId=\? AND deleted=\?/u);
    for (const sql of Object.values(changedSql(tablesOf(0)))) {
      // Engines differ in whether they name the second member of the row value.
      expect(planOf(sql)).toMatch(
        /SEARCH .*documents_by_position \(licence=\? AND (?:position|\(position,(?:key|rowid)\))>/,
      );
      expect(planOf(sql)).not.toContain('TEMP B-TREE');
    }
    database.close();
    await store.close();
  });

  it('RSQ-10 a file of the first version is begun again, and who read it is reset', async () => {
    const file = newFile();
    alter(
      file,
      `CREATE TABLE documents (key INTEGER PRIMARY KEY, kind TEXT); INSERT INTO documents VALUES (1, 'placement');
       CREATE TABLE scopes (key INTEGER PRIMARY KEY); CREATE TABLE entries (scope INTEGER PRIMARY KEY);
       CREATE TABLE checkpoints (partition TEXT PRIMARY KEY, position INTEGER, fence INTEGER);
       INSERT INTO checkpoints VALUES ('3f', 7, 1);
       PRAGMA application_id = 1514885715; PRAGMA user_version = 1;`,
    );
    const store = sqliteReadStore({ file, declared: suiteDeclared });
    expect(await store.checkpoint(partition)).toBeNull();
    expect(await store.reached()).toBe(7);
    await store.commit({ docs: [aDocument('d', 8)], checkpoint: { partition, position: 8, fence: 1 } });
    expect((await changes(store, 7)).reset).toBe(true);
    expect((await changes(store, 8)).reset).toBe(false);
    await store.close();
  });

  it('RSQ-11 what changed is found page by page in a long gap, and only what belongs to the scope', async () => {
    const store = await filled(newFile(), 2_300);
    const moved = Array.from({ length: 700 }, (_, index) =>
      aDocument(`d${index}`, 2_400 + index, {
        scopes: index % 2 === 0 ? ['campaign:2'] : [],
        left: [{ scope: 'campaign:1', position: index % 3 === 0 ? 2_350 : 2_400 + index }],
      }),
    );
    await store.commit({ docs: moved, checkpoint: { partition, position: 4_000, fence: 1 } });
    const answer = await changes(store, 700);
    expect(answer.docs.filter(({ gone }) => gone)).toHaveLength(700);
    expect(answer.docs.filter(({ gone }) => !gone).map(({ position }) => position)).toEqual(
      Array.from({ length: 1_600 }, (_, index) => 701 + index),
    );
    expect((await changes(store, 2_399)).docs).toHaveLength(466);
    await store.close();
  });

  it('RSQ-12 knows how far it ever came, over a reopening, a clearing and what is folded again', async () => {
    const file = newFile();
    const empty = sqliteReadStore({ file, declared: suiteDeclared });
    expect(await empty.reached()).toBe(0);
    await empty.close();
    const store = await filled(file);
    expect(await store.reached()).toBe(3);
    await store.clear();
    await store.close();
    const reopened = sqliteReadStore({ file, declared: suiteDeclared });
    await reopened.commit({ docs: [], checkpoint: { partition, position: 2, fence: 1 } });
    expect(await reopened.reached()).toBe(3);
    await reopened.close();
  });

  it('RSQ-13 a changed byte in the -wal that would drop commits is refused by name', async () => {
    const file = newFile();
    const store = await filled(file);
    for (let position = 4; position < 9; position += 1) {
      await store.commit({ docs: [aDocument('x', position)], checkpoint: { partition, position, fence: 1 } });
    }
    const copy = newFile();
    copyFileSync(file, copy);
    const wal = readFileSync(`${file}-wal`);
    await store.close();
    const middle = Math.floor(wal.length / 2);
    wal[middle] = (wal[middle] ?? 0) ^ 1;
    writeFileSync(`${copy}-wal`, wal);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(() => sqliteReadStore({ file: copy, declared: suiteDeclared })).toThrow(`${copy}-wal`);
    }
  });

  it('RSQ-8 after closing every call is refused', async () => {
    const store = await filled(newFile());
    await store.close();
    await expect(store.get('placement', 'd0')).rejects.toThrow(/closed/);
    await expect(store.commit({ docs: [], checkpoint: { partition, position: 9, fence: 1 } })).rejects.toThrow(
      /closed/,
    );
  });

  it('RSQ-9 a commit that fails halfway leaves nothing', async () => {
    const file = newFile();
    const store = await filled(file);
    alter(
      file,
      "CREATE TRIGGER refuse BEFORE INSERT ON documents WHEN NEW.id = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const docs = [aDocument('good', 4), aDocument('bad', 4)];
    await expect(store.commit({ docs, checkpoint: { partition, position: 4, fence: 1 } })).rejects.toThrow(file);
    expect(await store.get('placement', 'good')).toBeNull();
    expect((await store.checkpoint(partition))?.position).toBe(3);
    expect(
      await store.commit({ docs: [aDocument('good', 4)], checkpoint: { partition, position: 4, fence: 1 } }),
    ).toEqual({
      kind: 'committed',
    });
    await store.close();
  });

  it('RSQ-18 a page of a walk is found by an index that stands in its order: nothing is sorted, nothing passed over', async () => {
    const file = newFile();
    const store = await filled(file);
    const database = openDatabase(file);
    const planOf = (walk: Partial<Walk>): string => {
      const whole = { licenceId: '3flicence', direction: 'desc', limit: 10, ...walk } as const;
      const { select, values } = walkSql(tablesOf(0).documents, 'trail', whole);
      return JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${select}`).all(...values));
    };
    const where = { field: 'of', value: 'x' };
    for (const walk of [{ where }, { where, after: '1' }, { where, after: '1', direction: 'asc' as const }])
      expect(planOf(walk)).toMatch(
        /SEARCH documents USING INDEX lookup:trail:of:id \(licence=\? AND data\.of=\? AND deleted=\?/u,
      );
    for (const walk of [{}, { after: '1' }]) expect(planOf(walk)).toContain('USING INDEX documents_of_licence');
    for (const walk of [{}, { where }, { where, after: '1' }]) expect(planOf(walk)).not.toContain('TEMP B-TREE');
    database.close();
    await store.close();
  });

  it('RSQ-14 what is built beside is there after a reopening, and what was replaced is removed from the file', async () => {
    const file = newFile();
    const store = await filled(file, 1_200);
    const at = (position: number) => ({ partition, position, fence: 1 });
    await (await store.beginNext('2')).commit({ docs: [aDocument('x', 1_200)], checkpoint: at(1_200) });
    await store.close();
    const reopened = sqliteReadStore({ file, declared: { ...suiteDeclared, note: ['text'] } });
    const next = await reopened.beginNext('2');
    expect(await next.get('placement', 'x')).toEqual(aDocument('x', 1_200));
    const second = sqliteReadStore({ file, declared: suiteDeclared });
    expect((await second.query('placement', {})).total).toBe(1_200);
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    expect((await second.query('placement', {})).docs.map(({ id }) => id)).toEqual(['x']);
    expect(await second.checkpoint(partition)).toEqual(at(1_200));
    expect(await reopened.purge()).toBe(true);
    expect(await reopened.reached()).toBe(1_200);
    const database = openDatabase(file);
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'documents%' ORDER BY name").all();
    expect(tables.map((row) => (row as { name: string }).name)).not.toContain('documents');
    database.close();
    await reopened.commit({ docs: [aDocument('y', 1_201)], checkpoint: at(1_201) });
    expect((await changes(second, 1_200)).docs.map(({ doc }) => doc.id)).toEqual(['x', 'y']);
    await second.close();
    await reopened.close();
  });

  it('RSQ-40 makes the indexes of declared fields when the content takes its place, where that is asked for, else at once', async () => {
    const file = newFile();
    const store = await filled(file);
    const indexesOf = (generation: number): number => {
      const database = openDatabase(file, { readOnly: true });
      const sql = `SELECT count(*) AS count FROM sqlite_master WHERE type = 'index' AND name LIKE 'lookup ${generation}:%'`;
      const { count } = database.prepare(sql).get() as { readonly count: number };
      database.close();
      return count;
    };
    const later = await store.beginNext('2', { indexesLater: true });
    await later.commit({ docs: [aDocument('x', 3)], checkpoint: { partition, position: 3, fence: 1 } });
    expect(indexesOf(1)).toBe(0);
    expect(await later.promote(1)).toEqual({ kind: 'committed' });
    const all = indexesOf(1);
    expect(all).toBeGreaterThan(0);
    await store.beginNext('3');
    expect(indexesOf(2)).toBe(all);
    await store.beginNext('4', { indexesLater: true });
    expect(indexesOf(3)).toBe(0);
    await store.beginNext('4');
    expect(indexesOf(3)).toBe(all);
    await store.close();
  });

  it('RBD-2650 what is read no more goes in steps; closed after any of them the file opens, shows what is read, and the rest goes', async () => {
    const file = newFile();
    const begun = await filled(file, 1_200);
    const next = await begun.beginNext('2');
    const docs = [aDocument('x', 1_200)];
    await next.commit({ docs, checkpoint: { partition, position: 1_200, fence: 1 } });
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    await begun.close();
    let steps = 0;
    for (let isDone = false; !isDone; steps += 1) {
      const store = sqliteReadStore({ file, declared: suiteDeclared });
      const removing = store.purge();
      expect((await store.query('placement', {})).docs).toEqual(docs);
      await store.close();
      isDone = await removing;
    }
    expect(steps).toBeGreaterThan(10);
    expect(tablesIn(file)).toEqual(['checkpoints_1', 'documents_1', 'entries_1', 'scopes_1']);
  });

  it('RBD-2651 what is read no more goes at once where that is asked for, also what a removal in steps has begun with', async () => {
    const file = newFile();
    const store = await filled(file, 1_200);
    const next = await store.beginNext('2');
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    const removing = store.purge();
    await store.close();
    expect(await removing).toBe(false);
    const reopened = sqliteReadStore({ file, declared: suiteDeclared });
    let others = 0;
    const until = new AbortController();
    const turns = (async () => {
      for (; !until.signal.aborted; others += 1) await turn();
    })();
    expect(await reopened.purge({ atOnce: true })).toBe(true);
    until.abort();
    await turns;
    expect(others).toBeLessThan(5);
    expect(tablesIn(file)).toEqual(['checkpoints_1', 'documents_1', 'entries_1', 'scopes_1']);
    await reopened.close();
  });

  it('RBD-2652 where indexes are made later, that by which changes are found is too, and is there once anybody reads them', async () => {
    const file = newFile();
    const store = await filled(file);
    const later = await store.beginNext('2', { indexesLater: true });
    const docs = [aDocument('x', 4)];
    await later.commit({ docs, checkpoint: { partition, position: 4, fence: 1 } });
    const isThere = (): boolean => {
      const database = openDatabase(file, { readOnly: true });
      const found = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'documents_1_by_position'").get();
      database.close();
      return found !== undefined;
    };
    expect(isThere()).toBe(false);
    expect(await later.promote(1)).toEqual({ kind: 'committed' });
    expect(isThere()).toBe(true);
    await store.commit({ docs: [aDocument('y', 5)], checkpoint: { partition, position: 5, fence: 1 } });
    expect((await changes(store, 4)).reset).toBe(true);
    await store.commit({ docs: [aDocument('z', 6)], checkpoint: { partition, position: 6, fence: 1 } });
    expect((await changes(store, 5)).docs.map(({ doc }) => doc.id)).toEqual(['z']);
    await store.close();
  });

  it('RBD-2658 where nobody waits, what is built is moved from the log of changes into the file less often', async () => {
    const logOf = async (indexesLater: boolean): Promise<number> => {
      const file = newFile();
      const store = await filled(file);
      const next = await store.beginNext('2', { indexesLater });
      for (let part = 1; part <= 10; part += 1) {
        const docs = Array.from({ length: 200 }, (_, index) =>
          aDocument(`${part}-${index}`, part, { data: { text: `${index} `.repeat(2_500) } }),
        );
        expect(await next.commit({ docs, checkpoint: { partition, position: part, fence: 1 } })).toEqual({
          kind: 'committed',
        });
      }
      const { size } = statSync(`${file}-wal`);
      await store.close();
      return size;
    };
    expect(await logOf(false)).toBeLessThan(14_000_000);
    expect(await logOf(true)).toBeGreaterThan(16_000_000);
  });

  it('RSQ-3567 of a long commit each document becomes text when it is written; one that cannot leaves nothing of the commit', async () => {
    const store = await filled(newFile());
    const before = await changes(store);
    const steps: string[] = [];
    const docs = Array.from({ length: 300 }, (_, index) => {
      const toJSON = () => {
        if (index === 250) throw new Error('It has no text');
        steps.push(`text ${index}`);
        return {};
      };
      const status = () => {
        steps.push(`written ${index}`);
        return null;
      };
      const data = Object.defineProperties({}, { toJSON: { value: toJSON }, status: { get: status } });
      return aDocument(`long-${index}`, 10, { data });
    });
    await expect(store.commit({ docs, checkpoint: { partition, position: 10, fence: 1 } })).rejects.toThrow(
      'It has no text',
    );
    expect(steps.slice(0, 4)).toEqual(['text 0', 'written 0', 'text 1', 'written 1']);
    expect(steps).toHaveLength(500);
    expect(await changes(store)).toEqual(before);
    const next = { docs: docs.slice(0, 200), checkpoint: { partition, position: 10, fence: 1 } };
    expect(await store.commit(next)).toEqual({ kind: 'committed' });
    await store.close();
  });

  it('RSQ-15 taking the place is all or nothing', async () => {
    const file = newFile();
    const store = await filled(file);
    const next = await store.beginNext('2');
    await next.commit({ docs: [aDocument('x', 3)], checkpoint: { partition, position: 3, fence: 1 } });
    alter(
      file,
      "CREATE TRIGGER refuse BEFORE UPDATE ON generations WHEN NEW.state = 'active' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    await expect(next.promote(1)).rejects.toThrow(file);
    expect(await store.generations()).toEqual({
      active: { number: 0, version: null },
      next: { number: 1, version: '2' },
    });
    expect((await changes(store, 3)).reset).toBe(false);
    alter(file, 'DROP TRIGGER refuse');
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    expect((await changes(store, 3)).reset).toBe(true);
    await store.close();
  });

  it('RSQ-16 scan tells of damaged documents, and a repair takes every trace of them', async () => {
    const file = newFile();
    const store = await filled(file);
    alter(file, "UPDATE documents SET data = '{' WHERE id = 'd1'; UPDATE documents SET scopes = 'x' WHERE id = 'd2'");
    const found = await store.scan('3flicence', { limit: 10 });
    expect(found.map(({ id, doc }) => [id, doc === null])).toEqual([
      ['d0', false],
      ['d1', true],
      ['d2', true],
    ]);
    await store.commit({
      docs: [aDocument('d1', 2), aDocument('d2', 3, { scopes: ['campaign:2'] })],
      checkpoint: { partition, position: 3, fence: 1 },
      repair: true,
    });
    expect((await changes(store)).docs.map(({ doc }) => doc.id)).toEqual(['d0', 'd1']);
    expect(await store.get('placement', 'd2')).toMatchObject({ scopes: ['campaign:2'] });
    await store.close();
  });

  it('RSQ-3657 scan tells of a document that is found by something else than it says', async () => {
    const file = newFile();
    const store = await filled(file);
    alter(file, "UPDATE documents SET \"data.createdAt\" = 'never' WHERE id = 'd1'");
    expect((await store.scan('3flicence', { limit: 10 })).map(({ doc }) => doc === null)).toEqual([false, true, false]);
    await store.commit({
      docs: [aDocument('d1', 2)],
      checkpoint: { partition, position: 3, fence: 1 },
      repair: true,
    });
    expect((await store.scan('3flicence', { limit: 10 })).map(({ doc }) => doc === null)).toEqual([
      false,
      false,
      false,
    ]);
    await store.close();
  });

  it('RSQ-17 a file of the second version keeps its content', async () => {
    const file = newFile();
    await (await filled(file)).close();
    alter(
      file,
      `DROP TABLE generations; DROP INDEX documents_of_licence; PRAGMA user_version = 2;
       CREATE INDEX documents_by_licence ON documents (kind, licence, deleted);`,
    );
    const store = sqliteReadStore({ file, declared: suiteDeclared });
    expect(await store.generations()).toEqual({ active: { number: 0, version: null }, next: null });
    expect(await store.scan('3flicence', { limit: 10 })).toHaveLength(3);
    expect((await changes(store, 1)).docs).toHaveLength(2);
    await store.close();
  });
});

describe('a long commit to SQLite', () => {
  const long = (from: number, position: number, count = 600) => ({
    docs: Array.from({ length: count }, (_, index) => aDocument(`e${from + index}`, position)),
    checkpoint: { partition, position, fence: 1 },
  });
  const total = async (store: ReadStore): Promise<number> => (await store.query('placement', { limit: 1 })).total;

  it('SPEED-1 gives others their turn, who see what was before until all of it is there', async () => {
    const store = await filled(newFile());
    const over = new AbortController();
    const committing = store.commit(long(0, 4, 3_000)).finally(() => over.abort());
    const seen: number[] = [];
    while (!over.signal.aborted) {
      seen.push(await total(store));
      await turn();
    }
    expect(await committing).toEqual({ kind: 'committed' });
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.filter((count) => count !== 3 && count !== 3_003)).toEqual([]);
    expect(await total(store)).toBe(3_003);
    expect(await store.checkpoint(partition)).toMatchObject({ position: 4 });
    await store.close();
  });

  it('SPEED-6 a page that no index has in its order lets others have their turn, and is of one moment', async () => {
    const store = await filled(newFile(), 0);
    const docs = Array.from({ length: 5_000 }, (_, index) =>
      aDocument(`p${index}`, 1, { data: { campaignId: 'c', status: `${index % 7}` } }),
    );
    await store.commit({ docs, checkpoint: { partition, position: 1, fence: 1 } });
    const sort = [{ field: 'status', direction: 'desc' }] as const;
    let isAnswered = false;
    const asked = store
      .query('placement', { licenceId: '3flicence', where: { campaignId: 'c' }, sort, offset: 4_998, limit: 2 })
      .finally(() => {
        isAnswered = true;
      });
    await turn();
    expect(isAnswered).toBe(false);
    const last = aDocument('q', 2, { data: { campaignId: 'c', status: '0' } });
    await store.commit({ docs: [last], checkpoint: { partition, position: 2, fence: 1 } });
    const page = await asked;
    expect(page.total).toBe(5_000);
    expect(page.docs.map(({ id }) => id)).toEqual(['p1001', 'p0']);
    await store.close();
  });

  it('SPEED-8 a long page is looked for in slices', async () => {
    const file = newFile();
    const store = await filled(file, 0);
    const docs = Array.from({ length: 5_000 }, (_, index) =>
      aDocument(`p${index}`, 1, { data: { campaignId: 'c', status: `${index % 5}` } }),
    );
    await store.commit({ docs, checkpoint: { partition, position: 1, fence: 1 } });
    const rowsAtOnce: number[] = [];
    const counted = (statement: Statement): Statement => ({
      run: (...values) => statement.run(...values),
      get: (...values) => statement.get(...values),
      setReturnArrays: (asArrays) => statement.setReturnArrays(asArrays),
      all(...values) {
        const rows = statement.all(...values);
        rowsAtOnce.push(rows.length);
        return rows;
      },
    });
    const connection = storeConnection(file, suiteDeclared);
    const { prepare, within, inSnapshot } = connection;
    const deps: QueryDeps = {
      connection: {
        prepare,
        within,
        inSnapshot: (work) => inSnapshot((prepareOn) => work((sql) => counted(prepareOn(sql)))),
      },
      declared: suiteDeclared,
      tablesNow: () => tablesOf(0),
      toDocument: (row) => documentOf(file, row),
    };
    const sort = [{ field: 'status', direction: 'asc' }] as const;
    const asked = { licenceId: '3flicence', where: { campaignId: 'c' }, sort, limit: 4_500 };
    const page = await queried(deps, 'placement', asked);
    expect(Math.max(...rowsAtOnce)).toBe(2_000);
    expect(page.total).toBe(5_000);
    const wanted = Array.from({ length: 4_500 }, (_, index) => `${Math.floor(index / 1_000)}`);
    expect(page.docs.map(({ data }) => data?.['status'])).toEqual(wanted);
    await connection.close();
    await store.close();
  });

  it('SPEED-7 its changes are in the WAL before its end, which then has few to write', async () => {
    const file = newFile();
    const store = await filled(file);
    const docs = Array.from({ length: 3_000 }, (_, index) =>
      aDocument(`f${index}`, 4, { data: { text: `${index} `.repeat(500) } }),
    );
    const over = new AbortController();
    const committing = store
      .commit({ docs, checkpoint: { partition, position: 4, fence: 1 } })
      .finally(() => over.abort());
    let written = 0;
    while (!over.signal.aborted) {
      if ((await total(store)) === 3) written = statSync(`${file}-wal`).size;
      await turn();
    }
    expect(await committing).toEqual({ kind: 'committed' });
    expect(statSync(`${file}-wal`).size - written).toBeLessThan(7_000_000);
    expect(written).toBeGreaterThan(1_000_000);
    await store.close();
  });

  it('SPEED-2 whatever is written meanwhile waits for it and follows in the order of asking', async () => {
    const store = await filled(newFile());
    const results = await Promise.all([
      store.commit(long(0, 4)),
      store.commit({ docs: [aDocument('d0', 5)], checkpoint: { partition, position: 5, fence: 1 } }),
      store.note('work', { done: 1 }),
      store.beginNext('2'),
      store.commit(long(600, 5)),
      store.commit(long(600, 6)),
    ]);
    expect([results[0], results[1], results[4], results[5]]).toEqual([
      { kind: 'committed' },
      { kind: 'committed' },
      { kind: 'older_checkpoint', stored: 5 },
      { kind: 'committed' },
    ]);
    expect(await store.notice('work')).toEqual({ done: 1 });
    expect((await store.get('placement', 'd0'))?.position).toBe(5);
    expect(await total(store)).toBe(1_203);
    await store.close();
  });

  it('SPEED-3 one that fails leaves nothing of itself, and the next one is written', async () => {
    const file = newFile();
    const store = await filled(file);
    alter(
      file,
      "CREATE TRIGGER refuses BEFORE INSERT ON documents WHEN new.id = 'e500' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    await expect(store.commit(long(0, 4))).rejects.toThrow(file);
    expect(await total(store)).toBe(3);
    expect(await store.checkpoint(partition)).toMatchObject({ position: 3 });
    expect(await store.commit(long(600, 4))).toEqual({ kind: 'committed' });
    expect(await total(store)).toBe(603);
    await store.close();
  });

  it('SPEED-4 one under way is whole before the store is closed', async () => {
    const file = newFile();
    const store = await filled(file);
    const committing = store.commit(long(0, 4));
    await store.close();
    expect(await committing).toEqual({ kind: 'committed' });
    const reopened = sqliteReadStore({ file, declared: suiteDeclared });
    expect(await total(reopened)).toBe(603);
    await reopened.close();
  });
});
