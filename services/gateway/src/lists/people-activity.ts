import { type HistoryRow, entityName } from '@zakup/contracts/history';
import type { Credentials } from '@zakup/credentials/credentials';
import type { ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import { createYielder } from '@zakup/async/yielder';

export interface PersonActivity {
  readonly userId: string;
  /** UTC instant, ISO 8601; null = never. */
  readonly signedInAt: string | null;
  /** Of the last that is known of the person; null = they were never here. */
  readonly activeAt: string | null;
}

interface Sources {
  readonly readStore: Pick<ReadStore, 'scanIndex'>;
  readonly credentials: Pick<Credentials, 'sessionsOf'>;
  readonly now: () => number;
}

/** Entries read at once while a sign-in is looked for. */
const slice = 50;

const rowOf = ({ data }: ReadDocument): HistoryRow => data as unknown as HistoryRow;

const latest = (instants: readonly (string | null)[]): string | null =>
  instants.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);

const iso = (millis: number): string => new Date(millis).toISOString();

/** The newest entry of a sign-in among those about the person. */
const signInOf = async ({ readStore }: Sources, licenceId: string, id: string): Promise<string | null> => {
  const yieldIfDue = createYielder();
  const where = { field: 'entity', value: entityName('user', id) };
  for (let after: string | undefined; ; ) {
    const docs = await readStore.scanIndex('history', {
      licenceId,
      where,
      direction: 'desc',
      ...(after !== undefined && { after }),
      limit: slice,
    });
    const found = docs.map(rowOf).find(({ event }) => event === 'SignedIn');
    if (found !== undefined) return found.at;
    after = docs.at(-1)?.id;
    if (docs.length < slice) return null;
    await yieldIfDue();
  }
};

/** The newest entry of what the person did; signing in is among it. */
const deedOf = async ({ readStore }: Sources, licenceId: string, id: string): Promise<string | null> => {
  const where = { field: 'actorId', value: id };
  const [newest] = await readStore.scanIndex('history', { licenceId, where, direction: 'desc', limit: 1 });
  return newest === undefined ? null : rowOf(newest).at;
};

/**
 * When a person was last here: by the history, which keeps everything but has no entry of what is only looked at, and by their open sessions,
 * which know that, and of a sign-in whose entry the log could not take.
 */
export const activityOf = async (sources: Sources, licenceId: string, userId: string): Promise<PersonActivity> => {
  const { credentials, now } = sources;
  const sessions = (await credentials.sessionsOf(userId, now())).filter((one) => one.licenceId === licenceId);
  const deed = await deedOf(sources, licenceId, userId);
  // Who has done nothing has not signed in: no need to go through what was done to them.
  const told = deed === null ? null : await signInOf(sources, licenceId, userId);
  const signedInAt = latest([told, ...sessions.map(({ createdAt }) => iso(createdAt))]);
  return { userId, signedInAt, activeAt: latest([deed, signedInAt, ...sessions.map((one) => iso(one.lastSeenAt))]) };
};
