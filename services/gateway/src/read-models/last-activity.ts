import type { HistoryRow } from '@zakup/contracts/history';
import type { Credentials } from '@zakup/credentials/credentials';
import type { ReadStore } from '@zakup/read-store/read-store';

/** Entries read at once, page after page: where people work, the last one mostly tells. */
const pages: readonly number[] = [1, ...Array.from({ length: 10 }, () => 20)];

/** Who acts on a licence without being of its team. */
const apart: ReadonlySet<string> = new Set(['admin', 'system']);

/** When a person or a key of the licence did something last, UTC milliseconds; null = never, or not within the last entries. */
const lastDeed = async (readStore: Pick<ReadStore, 'scanIndex'>, licenceId: string): Promise<number | null> => {
  let after: string | undefined;
  for (const limit of pages) {
    const docs = await readStore.scanIndex('history', {
      licenceId,
      direction: 'desc',
      limit,
      ...(after !== undefined && { after }),
    });
    const rows = docs.map(({ data }) => data as unknown as HistoryRow);
    const own = rows.find(({ actorId }) => !apart.has(actorId));
    if (own !== undefined) return Date.parse(own.recordedAt ?? own.at);
    if (docs.length < limit) return null;
    after = docs.at(-1)?.id;
  }
  return null;
};

/**
 * When somebody of a licence's team was last there, UTC milliseconds; null = nobody was. The last use of an open session, as
 * `Credentials.lastUse` knows it, or the last entry of its history by a person or a key, sign-ins and sign-outs among them: so it outlives
 * sessions and restarts, and nothing is written for it. What the administration or a process did does not count, nor
 * does a history that cannot be read: the list of all licences does not fail for one.
 */
export const lastActivity = async (
  {
    credentials,
    readStore,
    now,
  }: {
    readonly credentials: Pick<Credentials, 'lastUse'>;
    readonly readStore: Pick<ReadStore, 'scanIndex'>;
    readonly now: () => number;
  },
  licenceId: string,
): Promise<number | null> => {
  const times = await Promise.all([
    credentials.lastUse(licenceId, now()),
    lastDeed(readStore, licenceId).catch(() => null),
  ]);
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
};
