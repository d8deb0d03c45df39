import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { HistoryRow } from '@zakup/contracts/history';
import type { ReadDocument, ReadStore } from '@zakup/read-store/read-store';

/** One entry of the history. */
export interface Entry {
  readonly position: number;
  readonly row: HistoryRow;
}

/** Entries of one campaign, or of the licence, that were read ahead. */
interface Source {
  readonly campaignId: string | null;
  /** Id of the last that was read. */
  after: string;
  /** Oldest first: the next one is the last. */
  ahead: ReadDocument[];
  more: boolean;
}

const largestPage = 200;
const smallestPage = 10;
const nextPage = 100;
const aheadOfAll = 2_000;
const readsAtOnce = 8;

/**
 * Entries of these campaigns together, or of the whole licence (null), the newest first; `below`: the id that all of them stand before. It
 * reads little more than is taken: some entries of each campaign.
 */
export const newestFirst = async function* (
  readStore: Pick<ReadStore, 'scanIndex'>,
  licenceId: string,
  campaigns: readonly string[] | null,
  below: string,
): AsyncGenerator<Entry, void, undefined> {
  const all: readonly (string | null)[] = campaigns ?? [null];
  const first = Math.min(largestPage, Math.max(smallestPage, Math.ceil(aheadOfAll / Math.max(1, all.length))));
  const read = async (source: Source, limit: number): Promise<void> => {
    const { campaignId, after } = source;
    const docs = await readStore.scanIndex('history', {
      licenceId,
      ...(campaignId !== null && { where: { field: 'campaignId', value: campaignId } }),
      direction: 'desc',
      after,
      limit,
    });
    source.after = docs.at(-1)?.id ?? after;
    source.ahead = [...docs].toReversed();
    source.more = docs.length === limit;
    await yieldToEventLoop();
  };
  const sources = all.map((campaignId): Source => ({ campaignId, after: below, ahead: [], more: true }));
  for (let from = 0; from < sources.length; from += readsAtOnce)
    await Promise.all(sources.slice(from, from + readsAtOnce).map((source) => read(source, first)));
  /** The one with the newest entry stands last. */
  const open = sources.filter(({ ahead }) => ahead.length > 0);
  const newestOf = ({ ahead }: Source): number => ahead.at(-1)?.position ?? 0;
  open.sort((a, b) => newestOf(a) - newestOf(b));
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    const doc = source.ahead.pop();
    if (doc === undefined) continue;
    yield { position: doc.position, row: doc.data as unknown as HistoryRow };
    if (source.ahead.length === 0 && source.more) await read(source, nextPage);
    if (source.ahead.length === 0) continue;
    let [low, high] = [0, open.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (newestOf(open[middle] as Source) < newestOf(source)) low = middle + 1;
      else high = middle;
    }
    open.splice(low, 0, source);
  }
};
