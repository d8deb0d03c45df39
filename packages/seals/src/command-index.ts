import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';

/** How the log finds the events of a command again, so that none is carried out twice. */
export interface CommandIndex {
  readonly readCommand: EventStore['readCommand'];
  /** What a command is found by. */
  readonly keyOf: (actorId: string, commandId: string, part?: string) => string;
}

/**
 * Whether the index leads from the command of an event to the event, and to no event of another command: that would be answered to whoever
 * sends the command again. The command is sealed with the event, so what the index must say is
 * too. Events without a request were written without an entry. Events of one command stand together: it is asked once for all of them.
 */
export const indexCheck = ({ readCommand, keyOf }: CommandIndex): ((event: RecordedEvent) => Promise<boolean>) => {
  const keyOfEvent = ({ metadata: { actorId, commandId, part } }: Pick<RecordedEvent, 'metadata'>): string =>
    keyOf(actorId, commandId, part);
  const idsOf = async (key: string): Promise<ReadonlySet<string>> => {
    const found = await readCommand(key);
    return new Set(found.every((event) => keyOfEvent(event) === key) ? found.map(({ id }) => id) : []);
  };
  let last: { readonly key: string; readonly ids: ReadonlySet<string> } | null = null;
  return async (event) => {
    if (event.metadata.requestHash === '') return true;
    const key = keyOfEvent(event);
    if (last?.key !== key) last = { key, ids: await idsOf(key) };
    return last.ids.has(event.id);
  };
};
