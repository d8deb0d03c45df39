import { randomUUID } from 'node:crypto';
import { partialWrites } from '@zakup/command/compensation/partial-writes';
import { importProcess } from '@zakup/command/import/import.process';
import { commandService } from '@zakup/command/testing/command-service';
import { givenBuying } from '@zakup/command/testing/given';
import { stageImport } from '@zakup/command/testing/staged-import';
import { messages } from '@zakup/domain/messages';
import { describe, expect, onTestFinished, test } from 'vitest';
import { standInWorld } from './eventstoredb-world.ts';

const file = 'Дата;Ник;Цена;Приход;Тематика\n01.02.2026;@lane;100;1;Юмор\n';

/** A buyer with a campaign, on a log that writes one stream after the other, and whose writes can be held on their way. */
const world = async () => {
  const { faults, namespace, open } = await standInWorld();
  const store = await open();
  const service = await commandService(undefined, () => store);
  onTestFinished(() => service.close());
  const buying = await givenBuying(service);
  const { licence, buyer, campaign } = buying;
  const checkpoint = { partition: 'all', position: 1e15, fence: 1 };
  await service.readStore.commit({ docs: [], checkpoint });
  const deps = { eventStore: service.commandLog, cache: service.deps.cache, partialWrites };
  return {
    /** An import is on its way, or the undo of one: it has the lane, and nothing else of it is written. */
    holdImport: () => faults.holdNext(new RegExp(`^${namespace}_import-`, 'u')),
    importFile: (key: string) =>
      service.call('POST', `/campaigns/${campaign.id}/import`, undefined, { token: buyer.token, key, raw: file }),
    undo: (commandId: string) =>
      service.call('POST', '/undo', { commandId }, { token: buyer.token, key: randomUUID() }),
    /** An import of several parts that was written. */
    written: async (): Promise<string> => {
      const id = await stageImport(service, buying, deps);
      const process = importProcess(deps);
      for (let next = await process.next(`${licence.id}~${id}`); next !== null; ) {
        await next.run(service.now());
        next = await process.next(`${licence.id}~${id}`);
      }
      return id;
    },
  };
};

describe('the lane of a campaign’s imports while what took it is still on its way (stand-in)', () => {
  test('IMP-3531 no second import begins before the first one is written', async () => {
    const { holdImport, importFile } = await world();
    const held = holdImport();
    const first = importFile(randomUUID());
    await held.reached;
    const second = await importFile(randomUUID());
    expect([second.status, second.body.error]).toEqual([409, messages.importRunning]);
    held.release();
    expect((await first).status).toBe(200);
  });

  test('IMP-3532 no import begins before an undo that has the lane is written', async () => {
    const { holdImport, importFile, undo, written } = await world();
    const old = await written();
    const undoing = holdImport();
    const undone = undo(old);
    await undoing.reached;
    const begun = await importFile(randomUUID());
    expect([begun.status, begun.body.error]).toEqual([409, messages.importUndoRunning]);
    undoing.release();
    expect((await undone).status).toBe(200);
  });

  test('IMP-3533 an older import is not undone while one that began is still on its way', async () => {
    const { holdImport, importFile, undo, written } = await world();
    const old = await written();
    const beginning = holdImport();
    const begun = importFile(randomUUID());
    await beginning.reached;
    const refused = await undo(old);
    expect([refused.status, refused.body.error]).toEqual([409, messages.importRunning]);
    beginning.release();
    expect((await begun).status).toBe(200);
  });
});
