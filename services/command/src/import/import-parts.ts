import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { Problem } from '@zakup/contracts/problems';
import { categoryOf } from '@zakup/domain/entities';
import { importEntity } from '@zakup/domain/import/import.entity';
import { messages } from '@zakup/domain/messages';
import type { AppendedEvent, EventStore } from '@zakup/event-store/event-store';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** The part of an import's command that writes a part of its rows, from 0. */
export const partOfRows = (index: number): string => `rows/${index}`;

/** What an import wrote, in order, by the events with which it began; none of a command that is no import. */
export const eventsOfParts = async (
  eventStore: Pick<EventStore, 'readCommand'>,
  began: readonly AppendedEvent[],
): Promise<readonly AppendedEvent[]> => {
  const started = startedIn(began);
  if (started === undefined) return [];
  const { actorId, commandId } = started.metadata;
  const written: AppendedEvent[] = [];
  for (let part = 0; ; part += 1) {
    const events = await eventStore.readCommand(commandKeyOf(actorId, commandId, partOfRows(part)));
    if (events.length === 0) return written;
    written.push(...events);
  }
};

/**
 * The refusal of a command that is an import which goes on; null = it does not. To be asked before its parts are read: what has ended gets
 * no more of them.
 */
export const stillWritten = async (
  { session }: TenantContext,
  began: readonly AppendedEvent[],
): Promise<Problem | null> => {
  const started = startedIn(began);
  if (started === undefined) return null;
  const { stream } = started;
  const { state } = await session.load(importEntity, stream.slice(stream.indexOf('~') + 1));
  return state?.status === 'running' ? { code: 'IMPORT_RUNNING', message: messages.importIsRunning } : null;
};

const startedIn = (events: readonly AppendedEvent[]): AppendedEvent | undefined =>
  events.find(({ type, stream }) => type === 'ImportStarted' && categoryOf(stream) === importEntity.category);
