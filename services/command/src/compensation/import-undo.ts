import { keyedSerialQueue } from '@zakup/async/serial-queue';
import type { Problem } from '@zakup/contracts/problems';
import { categoryOf } from '@zakup/domain/entities';
import { importEntity, importLaneEntity } from '@zakup/domain/import/import.entity';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import type { UndoChoice } from '@zakup/domain/undo';
import type { AppendedEvent } from '@zakup/event-store/event-store';
import type { CommandDeps } from '../deps.ts';
import { type ImportCommand, stillWritten, writtenParts } from '../import/import-parts.ts';
import { type DecisionSession, decisionSession } from '../pipeline/decision-session.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { isPlacement } from './stream-undo.ts';
import { applyUndo, chosenOf, prepareUndo, refusalOf } from './undo-command.ts';

/** The command that is undone, by the events with which it began. */
interface Undone {
  readonly began: readonly AppendedEvent[];
  readonly ofImport: ImportCommand;
}

/** The command that undoes. */
interface Undoing {
  readonly commandId: string;
  readonly reason: string | undefined;
  readonly choice: UndoChoice | undefined;
}

/**
 * Undoes an import, or an undo of one: refused as any command is where something stands against any of it. What was written in parts goes
 * back in parts, by `importUndoProcess`; the rest at once.
 */
const undoImport = async (
  deps: CommandDeps,
  inTurn: ReturnType<typeof keyedSerialQueue>,
  context: TenantContext,
  { began, ofImport }: Undone,
  { commandId, reason, choice }: Undoing,
): Promise<Problem | null> => {
  const { eventStore } = deps;
  const { session } = context;
  const { importId, actorId, takesBack } = ofImport;
  const running = await stillWritten(session, importId);
  if (running !== null) return running;
  const parts = await writtenParts(eventStore, ofImport);
  const events = [...began, ...parts.flat()];
  const isLarge = parts.length > 1;
  const prepared = isLarge
    ? await inTurn(context.person.licence.id, () =>
        prepareUndo(eventStore, { ...context, session: lookingSession(deps, context) }, events, choice),
      )
    : await prepareUndo(eventStore, context, events, choice);
  if (prepared.kind === 'refused') return prepared.problem;
  const undos = chosenOf(prepared.undos, choice);
  const inParts = isLarge && undos.length > 0;
  const problem = (await refusalOf(undos)) ?? (inParts ? null : await applyUndo(undos, reason));
  if (problem !== null) return problem;
  const placements = placementsIn(events);
  const kept = prepared.undos.filter(isPlacement).length - undos.filter(isPlacement).length;
  const { state } = await session.load(importEntity, importId);
  const isSo = state?.undo?.status === 'done' && state.undo.restores === takesBack;
  if (undos.length === 0 && (isSo || placements === 0 || kept > 0)) return null;
  if (undos.length > 0) await takeLane(session, importId, state?.campaignId ?? '');
  // After what goes back: where a log is not atomic across streams, it tells of nothing that is not so.
  session.emit(importEntity, importId, [
    {
      type: 'ImportUndoStarted',
      data: {
        commandId,
        undoes: { commandId: ofImport.commandId, actorId },
        restores: takesBack,
        parts: inParts ? parts.length : 1,
        placements,
        ...(reason !== undefined && { reason }),
        ...(choice !== undefined && { onConflict: choice }),
      },
    },
    ...(inParts ? [] : [{ type: 'ImportPartUndone', data: { part: 0, back: placements - kept, kept } } as const]),
  ]);
  return null;
};

/**
 * No import begins in the campaign until this one is undone, and one that is being judged is judged anew: it would take rows that are about to
 * go for duplicates.
 */
const takeLane = async (session: DecisionSession, importId: string, campaignId: string): Promise<void> => {
  const lane = (await session.load(importLaneEntity, campaignId)).state;
  const undoing: string[] = [];
  for (const id of lane?.undoing ?? [])
    if ((await session.load(importEntity, id)).state?.undo?.status === 'running') undoing.push(id);
  session.emit(importLaneEntity, campaignId, [
    { type: 'ImportLaneTaken', data: { importId: lane?.importId ?? importId, undoing: [...undoing, importId] } },
  ]);
};

export const placementsIn = (events: readonly AppendedEvent[]): number =>
  new Set(events.map(({ stream }) => stream).filter((stream) => categoryOf(stream) === placementDecider.category)).size;

export type UndoImport = (context: TenantContext, undone: Undone, undoing: Undoing) => Promise<Problem | null>;

/** Of a licence one large import is judged at a time, however many undos of them it asks for: each reads thousands of streams. */
export const undoImportsInTurn = (deps: CommandDeps): UndoImport => {
  const inTurn = keyedSerialQueue();
  return (context, undone, undoing) => undoImport(deps, inTurn, context, undone, undoing);
};

/** Of thousands of streams that are decided on once more part by part, so that none is a precondition of the first append. */
const lookingSession = ({ cache }: CommandDeps, { session, person }: TenantContext): DecisionSession => {
  const licenceId = person.licence.id;
  const { at } = session;
  const metadata = { licenceId, actorId: person.userId, commandId: '', requestHash: '', source: 'undo', at } as const;
  return decisionSession(cache, { licenceId, commandKey: '', metadata }, true).session;
};
