import type { Position, RecordedEvent } from '@zakup/event-store/event-store';

/** Events of one command stand together in the log and are committed together. */
export const byCommand = (events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] => {
  const groups: RecordedEvent[][] = [];
  let last: RecordedEvent | undefined;
  for (const event of events) {
    const { commandId, actorId, licenceId } = event.metadata;
    const group = groups.at(-1);
    const same =
      last?.metadata.commandId === commandId &&
      last.metadata.actorId === actorId &&
      last.metadata.licenceId === licenceId;
    if (same && group !== undefined) group.push(event);
    else groups.push([event]);
    last = event;
  }
  return groups;
};

/** Position of the last event before the command that the event at `at` belongs to; at least `committed`. */
export const beforeCommand = (events: readonly RecordedEvent[], at: Position, committed: Position): Position => {
  const group = byCommand(events).find((one) => one.some(({ position }) => position === at));
  const first = group?.[0]?.position ?? at;
  return Math.max(committed, first - 1);
};
