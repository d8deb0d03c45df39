import { type HistoryRow, historyId } from '@zakup/contracts/history';
import type { ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import { createYielder } from '@zakup/async/yielder';

/** Positions of the first and the last of some events of a command, between which nobody else moved the same figures. */
export interface Run {
  readonly first: number;
  readonly last: number;
}

/** What a command did in a licence, as far as figures of campaigns go. */
export interface CommandRuns {
  /** By id, in the order in which they were touched; the names are those of then. */
  readonly campaigns: ReadonlyMap<string, string | null>;
  /** Oldest first; null = its events lie too far apart to be looked through. */
  readonly runs: readonly Run[] | null;
  /** Whether it changed something that figures of many campaigns may follow from. */
  readonly licenceWide: boolean;
}

/** Entries read at once, and looked through for one command at most. */
const slice = 500;
const most = 10_000;
/** Each costs two moments of the past. */
const mostRuns = 8;

const rowOf = ({ data }: ReadDocument): HistoryRow => data as unknown as HistoryRow;

/** Terms on somebody's card, and switches by which earnings and ROI are counted everywhere. */
const wideFields: ReadonlySet<string> = new Set([
  'salaryType',
  'salaryRate',
  'performanceThreshold',
  'countZeroLeads',
  'leadValue',
]);

/** A new person or licence has no campaigns yet whose figures could move. */
const isWide = ({ campaignId, revision, changes }: HistoryRow): boolean =>
  campaignId === undefined && revision > 0 && changes.some(({ field }) => wideFields.has(field));

/** A placement that goes to another campaign is of both. */
const campaignsOf = ({ campaignId, campaignName, changes }: HistoryRow): ReadonlyMap<string, string | null> => {
  const ids = new Map<string, string | null>();
  for (const { field, from, to, fromName, toName } of changes) {
    if (field !== 'campaignId') continue;
    if (typeof from === 'string') ids.set(from, fromName ?? null);
    if (typeof to === 'string') ids.set(to, toName ?? null);
  }
  if (campaignId !== undefined) ids.set(campaignId, campaignName ?? null);
  return ids;
};

/** The licence's entries of a command's first to its last event, others' among them; null = there are more than are looked through. */
const entriesAround = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  licenceId: string,
  commandId: string,
): Promise<readonly ReadDocument[] | null> => {
  const where = { field: 'commandId', value: commandId };
  const [first] = await readStore.scanIndex('history', { licenceId, where, direction: 'asc', limit: 1 });
  const [last] = await readStore.scanIndex('history', { licenceId, where, direction: 'desc', limit: 1 });
  if (first === undefined || last === undefined) return [];
  const yieldIfDue = createYielder();
  const entries = [first];
  for (let after = first; after.position < last.position; ) {
    if (entries.length >= most) return null;
    const docs = await readStore.scanIndex('history', { licenceId, direction: 'asc', after: after.id, limit: slice });
    entries.push(...docs.filter(({ position }) => position <= last.position));
    const end = docs.at(-1);
    if (end === undefined) break;
    after = end;
    await yieldIfDue();
  }
  return entries;
};

const split = (
  entries: readonly ReadDocument[],
  isOwn: (row: HistoryRow) => boolean,
  campaigns: ReadonlyMap<string, string | null>,
): readonly Run[] => {
  const runs: Run[] = [];
  let goesOn = false;
  for (const doc of entries) {
    const row = rowOf(doc);
    const { position } = doc;
    const touches = [...campaignsOf(row).keys()].some((id) => campaigns.has(id));
    const last = runs.at(-1);
    if (isOwn(row)) {
      if (goesOn && last !== undefined) runs[runs.length - 1] = { ...last, last: position };
      else runs.push({ first: position, last: position });
      goesOn = true;
    } else if (touches || isWide(row)) goesOn = false;
  }
  return runs;
};

/**
 * The events of the command that the entry is of, in stretches of their own: what others did to the same campaigns in between, and what
 * moves figures of all campaigns, ends one. A command is one person's.
 */
export const commandRuns = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  licenceId: string,
  entry: HistoryRow,
): Promise<CommandRuns> => {
  const isOwn = ({ commandId, actorId }: HistoryRow): boolean =>
    commandId === entry.commandId && actorId === entry.actorId;
  const entries = await entriesAround(readStore, licenceId, entry.commandId);
  if (entries === null) return { campaigns: campaignsOf(entry), runs: null, licenceWide: isWide(entry) };
  const own = entries.map(rowOf).filter(isOwn);
  const campaigns = new Map(own.flatMap((row) => [...campaignsOf(row)]));
  const runs = split(entries, isOwn, campaigns);
  return { campaigns, runs: runs.length > mostRuns ? null : runs, licenceWide: own.some(isWide) };
};

/** The entry at a position; null when the licence has none there. */
export const entryAt = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  licenceId: string,
  position: number,
): Promise<HistoryRow | null> => {
  const after = position === 0 ? {} : { after: historyId(position - 1) };
  const [doc] = await readStore.scanIndex('history', { licenceId, direction: 'asc', ...after, limit: 1 });
  return doc?.position === position ? rowOf(doc) : null;
};
