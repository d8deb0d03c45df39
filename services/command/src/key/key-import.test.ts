import { importEntity } from '@zakup/domain/import/import.entity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { partialWrites } from '../compensation/partial-writes.ts';
import { importProcess } from '../import/import.process.ts';
import type { CommandHandlerDeps } from '../pipeline/handle-command.ts';
import { foldStream, streamCache } from '../pipeline/stream-cache.ts';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying } from '../testing/given.ts';
import { stageImport } from '../testing/staged-import.ts';

let service: CommandService;
let buying: Awaited<ReturnType<typeof givenBuying>>;
beforeAll(async () => {
  service = await commandService();
  buying = await givenBuying(service);
});
afterAll(() => service.close());

const deps = (): CommandHandlerDeps => ({
  eventStore: service.commandLog,
  cache: streamCache(service.commandLog),
  partialWrites,
});

const newKey = async (name: string) =>
  (await service.call('POST', '/keys', { name, access: 'write' }, { token: buying.licence.owner })).body.data.key;

/** The next steps of the process that writes imports, as many as are given at most. */
const work = async (importId: string, most = Number.POSITIVE_INFINITY): Promise<void> => {
  const process = importProcess(deps());
  for (let step = 0; step < most; step += 1) {
    const next = await process.next(`${buying.licence.id}~${importId}`);
    if (next === null) return;
    await next.run(service.now());
  }
};

const stateOf = async (importId: string) =>
  foldStream(importEntity, await service.eventStore.read(`import-${buying.licence.id}~${importId}`)).state;

test('KEY-2896 the rows of a key’s import are the key’s, under its name', async () => {
  const key = await newKey('Импорт');
  const importId = await stageImport(service, buying, deps(), key.id);
  await work(importId);
  expect(await stateOf(importId)).toMatchObject({ status: 'done', added: 5, by: key.id });
  const events = await service.eventStore.readLicence(buying.licence.id);
  const rows = events.filter(({ type, metadata }) => type === 'PlacementAdded' && metadata.commandId === importId);
  expect(rows.map(({ metadata: { actorId, keyName, source } }) => [actorId, keyName, source])).toEqual(
    Array.from({ length: 5 }, () => [key.id, 'Импорт', 'import']),
  );
});

test('KEY-2897 once the key is deleted the rest of its import fails; what was written stays', async () => {
  const key = await newKey('Ненадолго');
  const importId = await stageImport(service, buying, deps(), key.id);
  await work(importId, 1);
  expect((await service.call('DELETE', `/keys/${key.id}`, undefined, { token: buying.licence.owner })).status).toBe(
    200,
  );
  await work(importId);
  expect(await stateOf(importId)).toMatchObject({ status: 'failed', added: 2, failed: 3 });
});
