import { importEntity } from '@zakup/domain/import/import.entity';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { importUndoProcess } from '../compensation/import-undo.process.ts';
import { importProcess } from '../import/import.process.ts';
import { partialWrites } from '../compensation/partial-writes.ts';
import type { CommandHandlerDeps } from '../pipeline/handle-command.ts';
import { foldStream, streamCache } from '../pipeline/stream-cache.ts';
import { type CommandService, commandService } from './command-service.ts';
import type { EndingLog } from './ending-log.ts';
import { givenBuying } from './given.ts';
import { stageImport } from './staged-import.ts';

/** More than an import of these rows takes. */
const mostSteps = 400;

/** What holds of an import when the process that writes it ended between any two steps, and others come after it. */
export const endedImportSuite = (name: string, log: EndingLog): void => {
  describe(`an import after a process that ended, on ${name}`, { timeout: 240_000 }, () => {
    let service: CommandService;
    let buying: Awaited<ReturnType<typeof givenBuying>>;
    beforeAll(async () => {
      service = await commandService(undefined, log.open);
      buying = await givenBuying(service);
    });
    afterEach(() => log.restart());
    afterAll(() => service.close());

    /** A process that has just started. */
    const newDeps = (): CommandHandlerDeps => ({
      eventStore: service.commandLog,
      cache: streamCache(service.commandLog),
      partialWrites,
    });

    const staged = (): Promise<string> => stageImport(service, buying, newDeps());

    /** What a process does of it until nothing is left, or it ends. */
    const work = async (importId: string, processOf = importProcess): Promise<void> => {
      const process = processOf(newDeps());
      for (;;) {
        const step = await process.next(`${buying.licence.id}~${importId}`);
        if (step === null) return;
        await step.run(service.now());
      }
    };

    const livingRows = async (importId: string) => {
      const events = await service.eventStore.readLicence(buying.licence.id);
      const streams = new Set(
        events
          .filter(({ metadata, stream }) => metadata.commandId === importId && stream.startsWith('placement-'))
          .map(({ stream }) => stream),
      );
      const states = await Promise.all(
        [...streams].map(async (stream) => foldStream(placementDecider, await service.eventStore.read(stream)).state),
      );
      return states
        .flatMap((state) => (state === null || state.removed ? [] : [[state.price, state.leads] as const]))
        .toSorted(([a], [b]) => a - b);
    };
    const stateOf = async (importId: string) =>
      foldStream(importEntity, await service.eventStore.read(`import-${buying.licence.id}~${importId}`)).state;

    test('IMP-1874 ended at any step, it is written once by whoever comes after', async () => {
      const all = [0, 1, 2, 3, 4].map((index) => [100 * (index + 1), index]);
      let step = 0;
      for (let ended = true; ended; step += 1) {
        expect(step).toBeLessThan(mostSteps);
        const importId = await staged();
        log.endAt(step);
        await work(importId).catch(() => undefined);
        ended = await log.restart();
        service.forget();
        service.advance(1_000);
        await work(importId);
        expect([step, await livingRows(importId)]).toEqual([step, all]);
        expect(await stateOf(importId)).toMatchObject({ status: 'done', added: 5, failed: 0, written: 3 });
      }
      // Each part alone takes more than these.
      expect(step).toBeGreaterThan(9);
    });

    test('IMP-1875 cancelled after a process that ended at any step, it has what it tells, and nothing half written', async () => {
      const statuses = new Set<string>();
      for (let step = 0, ended = true; ended; step += 1) {
        expect(step).toBeLessThan(mostSteps);
        const importId = await staged();
        log.endAt(step);
        await work(importId).catch(() => undefined);
        ended = await log.restart();
        service.forget();
        service.advance(1_000);
        const { token } = buying.buyer;
        const reply = await service.call('DELETE', `/imports/${importId}`, undefined, { token });
        expect(reply.status).toBe(200);
        await work(importId);
        const state = await stateOf(importId);
        expect([step, state?.added]).toEqual([step, (await livingRows(importId)).length]);
        statuses.add(state?.status ?? 'none');
      }
      expect([...statuses].sort()).toEqual(['cancelled', 'done']);
    });

    test('IMP-2532 an undo whose process ended at any step goes on with whoever comes after, and all of it is back once', async () => {
      let step = 0;
      for (let ended = true; ended; step += 1) {
        expect(step).toBeLessThan(mostSteps);
        const importId = await staged();
        await work(importId);
        const { token } = buying.buyer;
        const reply = await service.call('POST', '/undo', { commandId: importId }, { token });
        expect(reply.status).toBe(200);
        log.endAt(step);
        await work(importId, importUndoProcess).catch(() => undefined);
        ended = await log.restart();
        service.forget();
        service.advance(1_000);
        await work(importId, importUndoProcess);
        expect([step, await livingRows(importId)]).toEqual([step, []]);
        const undo = (await stateOf(importId))?.undo;
        expect(undo).toMatchObject({ status: 'done', undone: 3, placements: 5, back: 5, kept: 0 });
      }
      // Each part alone takes more than these.
      expect(step).toBeGreaterThan(9);
    });
  });
};
