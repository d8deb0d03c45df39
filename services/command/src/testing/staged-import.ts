import { randomUUID } from 'node:crypto';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { type ImportEvent } from '@zakup/domain/import/events';
import { importEntity, importLaneEntity } from '@zakup/domain/import/import.entity';
import type { ImportRow } from '@zakup/domain/import/import-row';
import { kopecks } from '@zakup/domain/money';
import { type CommandHandlerDeps, handleCommand } from '../pipeline/handle-command.ts';
import type { CommandService } from './command-service.ts';
import type { givenBuying } from './given.ts';

const rowsOfPart = 2;

/** An import of five placements in parts of two, as one request of the buyer, or of who is named, stages them; resolves with its id. */
export const stageImport = async (
  service: Pick<CommandService, 'now'>,
  buying: Awaited<ReturnType<typeof givenBuying>>,
  deps: CommandHandlerDeps,
  actorId: string = buying.buyer.id,
): Promise<string> => {
  const importId = randomUUID();
  const rows = Array.from(
    { length: 5 },
    (_, index): ImportRow => ({
      row: index + 1,
      contractor: `@n${importId.slice(0, 8)}${index % 3}`,
      buyerId: buying.buyer.id,
      category: 'Юмор',
      date: '2026-02-01',
      price: kopecks(100 * (index + 1)),
      leads: index,
    }),
  );
  const parts = Array.from({ length: 3 }, (_, index) => rows.slice(index * rowsOfPart, (index + 1) * rowsOfPart));
  const { id: campaignId } = buying.campaign;
  const envelope = {
    licenceId: buying.licence.id,
    actorId,
    commandId: importId,
    requestHash: () => importId,
    source: 'import',
    at: new Date(service.now()).toISOString(),
  } as const;
  const handled = await handleCommand(deps, envelope, null, async (session) => {
    await session.load(campaignDecider, campaignId);
    await session.load(importLaneEntity, campaignId);
    await session.load(importEntity, importId);
    session.emit(importLaneEntity, campaignId, [{ type: 'ImportLaneTaken', data: { importId } }]);
    const started: ImportEvent = {
      type: 'ImportStarted',
      data: { campaignId, name: '', report: {}, total: 5, skipped: 0, failed: 0, parts: parts.length },
    };
    const stagedRows = parts.map((part): ImportEvent => ({ type: 'ImportRowsStaged', data: { rows: part } }));
    session.emit(importEntity, importId, [started, ...stagedRows]);
    return null;
  });
  if (handled.kind !== 'done') throw new Error(`The import was refused: ${handled.problem.code}`);
  return importId;
};
