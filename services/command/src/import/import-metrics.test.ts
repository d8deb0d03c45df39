import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importUndoProcess } from '../compensation/import-undo.process.ts';
import { partialWrites } from '../compensation/partial-writes.ts';
import { streamCache } from '../pipeline/stream-cache.ts';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying } from '../testing/given.ts';
import { stageImport } from '../testing/staged-import.ts';
import { importProcess } from './import.process.ts';

let service: CommandService;
let buying: Awaited<ReturnType<typeof givenBuying>>;
beforeEach(async () => {
  service = await commandService();
  buying = await givenBuying(service);
});
afterEach(() => service.close());

const asked = async (method: string, path: string, body?: object, key?: string): Promise<number> =>
  (await service.call(method, path, body, { token: buying.buyer.token, ...(key !== undefined && { key }) })).status;

const newDeps = () => ({ eventStore: service.commandLog, cache: streamCache(service.commandLog), partialWrites });
/** Of five rows in three parts. */
const staged = (): Promise<string> => stageImport(service, buying, newDeps());
/** A process of imports or of undos, that has just started. */
const processOf = (make: typeof importProcess) => make(newDeps(), service.metrics);

/** Does all that is left of an import, and looks once more. */
const work = async (make: typeof importProcess, importId: string): Promise<void> => {
  const process = processOf(make);
  for (;;) {
    const step = await process.next(`${buying.licence.id}~${importId}`);
    if (step === null) return;
    await step.run(service.now());
  }
};

/** What is told, as `name{labels}` with its value. */
const figures = async () => {
  const text = await service.metrics.registry.metrics();
  const lines = text.split('\n').filter((line) => /^zakup_imports?_/u.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(6, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
};

test('IMP-2680 rows, ends and undos of imports are counted once each, also when a request comes again', async () => {
  const key = await staged();
  await work(importProcess, key);
  expect(await figures()).toEqual({
    'imports_running{kind="import"}': 0,
    'import_rows_total{outcome="added"}': 5,
    'import_rows_total{outcome="skipped"}': 0,
    'import_rows_total{outcome="changed"}': 0,
    'import_rows_total{outcome="failed"}': 0,
    'imports_total{outcome="done"}': 1,
    'imports_total{outcome="failed"}': 0,
    'imports_total{outcome="cancelled"}': 0,
    'import_undos_total{way="undo",outcome="done"}': 0,
    'import_undos_total{way="undo",outcome="failed"}': 0,
    'import_undos_total{way="redo",outcome="done"}': 0,
    'import_undos_total{way="redo",outcome="failed"}': 0,
  });
  const undoKey = randomUUID();
  expect(await asked('POST', '/undo', { commandId: key }, undoKey)).toBe(200);
  await work(importUndoProcess, key);
  expect(await asked('POST', '/undo', { commandId: key }, undoKey)).toBe(200);
  expect(await asked('POST', '/undo', { commandId: undoKey })).toBe(200);
  await work(importUndoProcess, key);
  const cancelled = await staged();
  expect(await asked('DELETE', `/imports/${cancelled}`)).toBe(200);
  expect(await asked('DELETE', `/imports/${cancelled}`)).toBe(200);
  expect(await figures()).toMatchObject({
    'import_rows_total{outcome="added"}': 5,
    'imports_total{outcome="done"}': 1,
    'imports_total{outcome="cancelled"}': 1,
    'import_undos_total{way="undo",outcome="done"}': 1,
    'import_undos_total{way="redo",outcome="done"}': 1,
  });
});

test('IMP-2681 imports and undos that go on are told by the one who writes them, until they end or another one goes on', async () => {
  const key = await staged();
  const running = async (kind: string) => (await figures())[`imports_running{kind="${kind}"}`];
  const process = processOf(importProcess);
  const step = await process.next(`${buying.licence.id}~${key}`);
  expect(await running('import')).toBe(1);
  await step?.run(service.now());
  process.released?.();
  expect(await running('import')).toBe(0);
  await work(importProcess, key);
  expect(await running('import')).toBe(0);
  expect(await asked('POST', '/undo', { commandId: key })).toBe(200);
  await processOf(importUndoProcess).next(`${buying.licence.id}~${key}`);
  expect([await running('import'), await running('undo')]).toEqual([0, 1]);
  await work(importUndoProcess, key);
  expect(await running('undo')).toBe(0);
});
