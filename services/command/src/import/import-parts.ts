import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import type { Problem } from '@zakup/contracts/problems';
import { decodeEvent } from '@zakup/domain/catalog';
import { categoryOf } from '@zakup/domain/entities';
import type { ImportEvent } from '@zakup/domain/import/events';
import { importEntity, importLaneEntity } from '@zakup/domain/import/import.entity';
import type { ImportLane } from '@zakup/domain/import/state';
import { messages } from '@zakup/domain/messages';
import type { AppendedEvent, EventStore } from '@zakup/event-store/event-store';
import type { DecisionSession } from '../pipeline/decision-session.ts';
import type { CommandEnvelope } from '../pipeline/handle-command.ts';
import { requestHashOf, streamOf } from '../pipeline/ids.ts';
import type { Loaded } from '../pipeline/stream-cache.ts';

/** The part of an import's command, or of the command of its undo, that writes a part, from 0. */
export const partOfRows = (index: number): string => `rows/${index}`;

/** One part of such a command, as a process sends it: the same each time, whoever sends it after an end. `hashed`: method and path of what it does. */
export const partCommand = (
  { actorId, commandId, part, ...of }: Omit<CommandEnvelope, 'requestHash' | 'at' | 'part'> & { readonly part: string },
  hashed: readonly [method: string, path: string],
  now: number,
) => ({
  envelope: {
    ...of,
    actorId,
    commandId,
    part,
    requestHash: () => requestHashOf(...hashed, null),
    at: new Date(now).toISOString(),
  },
  newId: (purpose: string): string => derivedId(commandKeyOf(actorId, commandId, part), purpose),
});

/** A command that is an import, or undoes one. */
export interface ImportCommand {
  readonly importId: string;
  readonly commandId: string;
  readonly actorId: string;
  /** It undoes, and what it undid is not itself the undo of one. */
  readonly takesBack: boolean;
}

/** Which one it is, by the events with which it began; null = it is another command. */
export const importCommandOf = (began: readonly AppendedEvent[]): ImportCommand | null => {
  for (const { stream, type, data, metadata } of began) {
    if (categoryOf(stream) !== importEntity.category) continue;
    const decoded = decodeEvent({ type, schemaVersion: metadata.schemaVersion, data });
    const event = decoded.kind === 'event' ? (decoded.event as ImportEvent) : null;
    if (event?.type !== 'ImportStarted' && event?.type !== 'ImportUndoStarted') continue;
    const importId = stream.slice(stream.indexOf('~') + 1);
    const { commandId, actorId } = metadata;
    const takesBack = event.type === 'ImportUndoStarted' && !event.data.restores;
    return { importId, commandId, actorId, takesBack };
  }
  return null;
};

/** What it wrote part by part, in order; none where it wrote all at once. */
export const writtenParts = async (
  eventStore: Pick<EventStore, 'readCommand'>,
  { actorId, commandId }: Pick<ImportCommand, 'actorId' | 'commandId'>,
): Promise<readonly (readonly AppendedEvent[])[]> => {
  const parts: (readonly AppendedEvent[])[] = [];
  for (;;) {
    const events = await eventStore.readCommand(commandKeyOf(actorId, commandId, partOfRows(parts.length)));
    if (events.length === 0) return parts;
    parts.push(events);
  }
};

/**
 * The refusal while the import is being written or undone, or another one is written into its campaign; null = nothing of that. To be
 * asked before its parts are read: what has ended gets no more of them.
 */
export const stillWritten = async (session: DecisionSession, importId: string): Promise<Problem | null> => {
  const { state } = await session.load(importEntity, importId);
  if (state === null) return null;
  if (state.status === 'running') return { code: 'IMPORT_RUNNING', message: messages.importIsRunning };
  if (state.undo?.status === 'running') return undoRunning;
  const latest = (await loadLane(session, state.campaignId)).state?.importId ?? importId;
  return (await session.load(importEntity, latest)).state?.status === 'running' ? importRunning : null;
};

/**
 * The campaign's lane. Where a log is not atomic across streams, whoever took it last may not have written yet what took it: that comes
 * before anything is decided by it.
 */
export const loadLane = async (session: DecisionSession, campaignId: string): Promise<Loaded<ImportLane>> => {
  const lane = await session.load(importLaneEntity, campaignId);
  if (lane.state !== null) await session.settle(streamOf(importLaneEntity.category, session.licenceId, campaignId));
  return lane;
};

/** The refusal while an import is written into the campaign, or one of it is being undone; null = none is. */
export const laneTaken = async (
  session: DecisionSession,
  { importId, undoing }: ImportLane,
): Promise<Problem | null> => {
  for (const id of [importId, ...undoing]) {
    const { state } = await session.load(importEntity, id);
    if (state?.status === 'running') return importRunning;
    if (state?.undo?.status === 'running') return undoRunning;
  }
  return null;
};

const importRunning: Problem = { code: 'IMPORT_RUNNING', message: messages.importRunning };
const undoRunning: Problem = { code: 'IMPORT_RUNNING', message: messages.importUndoRunning };
