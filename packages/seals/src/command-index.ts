import type { EventStore, RecordedEvent } from '@zakup/event-store/event-store';

/** How the log finds the events of a command again, so that none is carried out twice. */
export interface CommandIndex {
  readonly readCommand: EventStore['readCommand'];
  /** What a command is found by. */
  readonly keyOf: (actorId: string, commandId: string, part?: string) => string;
}

/**
 * Whether the index leads from the command of an event to the event. The command is sealed with the event, so what the index must say is
 * too. Events without a request were written without an entry. Events of one command stand together: it is asked once for all of them.
 */
export const indexCheck = ({ readCommand, keyOf }: CommandIndex): ((event: RecordedEvent) => Promise<boolean>) => {
  let last: { readonly key: string; readonly ids: ReadonlySet<string> } | null = null;
  return async ({ id, metadata }) => {
    if (metadata.requestHash === '') return true;
    const key = keyOf(metadata.actorId, metadata.commandId, metadata.part);
    if (last?.key !== key) last = { key, ids: new Set((await readCommand(key)).map((event) => event.id)) };
    return last.ids.has(id);
  };
};
