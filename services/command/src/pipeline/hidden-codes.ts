import { type CodeCipher, type CodePlace, isHidden } from '@zakup/credentials/code-cipher';
import { catalogEntry } from '@zakup/domain/catalog';
import type { AppendedEvent, EventStore, EventToAppend, RecordedEvent } from '@zakup/event-store/event-store';
import { CorruptDocument, type ReadStore } from '@zakup/read-store/read-store';

/** The log as commands are decided on it: access codes and licence keys stand plainly here, and hidden where it is kept. */
export interface CommandLog extends EventStore {
  readonly codes: CodeCipher;
}

type Speaking = Pick<EventToAppend, 'type' | 'data' | 'metadata'>;

const withCodes = <Event extends Speaking>(event: Event, change: (place: CodePlace, code: string) => string): Event => {
  const { licenceId } = event.metadata;
  const changed = (catalogEntry(event.type)?.codes ?? []).flatMap((member) => {
    const code = event.data[member];
    return typeof code === 'string' ? [[member, change({ licenceId, member }, code)] as const] : [];
  });
  return changed.length === 0 ? event : { ...event, data: { ...event.data, ...Object.fromEntries(changed) } };
};

/** The event as it is kept. */
export const hideCodes = <Event extends Speaking>(codes: CodeCipher, event: Event): Event =>
  withCodes(event, codes.hide);

/** Hides whatever of what is appended opens something, and shows it to who reads (AUTH-95). */
export const hidingCodes = (kept: EventStore, codes: CodeCipher): CommandLog => {
  const { unfinished } = kept;
  const plain = <Event extends AppendedEvent>(event: Event): Event => withCodes(event, codes.show);
  const all = <Event extends AppendedEvent>(events: readonly Event[]): Event[] => events.map((event) => plain(event));

  return {
    ...kept,
    codes,

    async append(writes, options) {
      const [first, ...rest] = writes.map((write) => {
        const [one, ...more] = write.events;
        return {
          ...write,
          events: [hideCodes(codes, one), ...more.map((event) => hideCodes(codes, event))] as const,
        };
      });
      if (first === undefined) throw new Error('There is nothing to append');
      const result = await kept.append([first, ...rest], options);
      return result.kind === 'appended' ? { ...result, events: all(result.events) } : result;
    },

    read: async (stream, options) => all(await kept.read(stream, options)),
    readLicence: async (licenceId, range) => all(await kept.readLicence(licenceId, range)),
    readCommand: async (commandKey) => all(await kept.readCommand(commandKey)),

    async *subscribe(options) {
      for await (const message of kept.subscribe(options)) {
        if (message.kind === 'caught_up') yield message;
        else {
          const [first, ...rest] = message.events;
          yield { kind: 'events', events: [plain(first), ...all<RecordedEvent>(rest)] };
        }
      }
    },

    ...(unfinished !== undefined && {
      unfinished: {
        ...unfinished,
        async findPartial(commandKey) {
          const partial = await unfinished.findPartial(commandKey);
          return partial && { ...partial, events: all(partial.events), abandoned: all(partial.abandoned) };
        },
      },
    }),
  };
};

/**
 * With another key nobody could sign in by a code that is hidden, and none could be shown. Throws `CodeNotReadable` where the licences that the
 * read models know have been hidden with one.
 */
export const refuseOtherKey = async (readStore: Pick<ReadStore, 'query'>, codes: CodeCipher): Promise<void> => {
  const { docs } = await readStore.query('license', {}).catch((error: unknown) => {
    // A damaged document keeps nobody from starting: it is put right from the log.
    if (error instanceof CorruptDocument) return { docs: [] };
    throw error;
  });
  for (const { id, data } of docs) {
    const key = data?.['licenseKey'];
    if (typeof key !== 'string' || !isHidden(key)) continue;
    codes.show({ licenceId: id, member: 'licenseKey' }, key);
    return;
  }
};
