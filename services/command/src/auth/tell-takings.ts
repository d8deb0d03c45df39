import { type Delay, unrefDelay } from '@zakup/async/delay';
import type { AccessEvent, TakenData } from '@zakup/domain/access/events';
import type { Credentials, ToldTaking } from '@zakup/credentials/credentials';
import type { EventStore } from '@zakup/event-store/event-store';
import { accessEntry } from './access-entry.ts';
import type { AccessLog } from './access-writer.ts';

export interface TellTakingsDeps {
  readonly credentials: Pick<Credentials, 'takingsToTell' | 'takingTold'>;
  readonly eventStore: Pick<EventStore, 'append'>;
  /** What the key is called whose id this is; absent = no key. */
  readonly keyNameOf: (licenceId: string, userId: string) => Promise<{ readonly keyName?: string | undefined }>;
  readonly log: AccessLog;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Why nothing may be written now. */
  readonly readOnly: () => string | null;
  readonly wait?: Delay;
}

const lookEvery = 1_000;

const iso = (instant: number): string => new Date(instant).toISOString();

const kinds: ReadonlySet<string> = new Set<TakenData>(['table', 'lines', 'archive', 'history']);
const isTakenData = (what: string): what is TakenData => kinds.has(what);

/** Null for what another version kept, and this one does not know. */
const eventOf = (taking: ToldTaking): AccessEvent | null => {
  const { what, since, until, count, names, moreNames, networks, moreNetworks } = taking;
  const together = { since: iso(since), until: iso(until), count, networks, moreNetworks };
  if (what === 'key') return { type: 'LicenceKeyShown', data: together };
  return isTakenData(what) ? { type: 'DataTaken', data: { what, names, moreNames, ...together } } : null;
};

/** Brings what the read side kept of what people took along into the log (AUTH-90). What is kept is told again until the log has it. */
export const tellTakings = (deps: TellTakingsDeps): { readonly stop: () => Promise<void> } => {
  const { credentials, eventStore, keyNameOf, log, now, readOnly, wait = unrefDelay } = deps;
  const stopping = new AbortController();

  const tell = async (taking: ToldTaking): Promise<void> => {
    const { id, licenceId, userId, until } = taking;
    const event = eventOf(taking);
    if (event === null) return;
    const { keyName } = await keyNameOf(licenceId, userId);
    const by = { actorId: userId, keyName, commandId: id, at: until, newId: () => id };
    const { stream, events } = accessEntry({ licenceId, personId: userId }, [event], by);
    await eventStore.append([{ stream, expectedRevision: 'any', events }], {});
    await credentials.takingTold(id);
  };

  const look = async (): Promise<void> => {
    if (readOnly() !== null) return;
    try {
      for (const taking of await credentials.takingsToTell(now())) await tell(taking);
    } catch (error) {
      log.warn({ err: error }, 'What people took along could not be told to the log');
    }
  };

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await wait(lookEvery, stopping.signal);
    }
    await look();
  })();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
};
