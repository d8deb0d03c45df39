import {
  entityName,
  type HistoryEntry,
  type HistoryView,
  historyId,
  type HistoryRow,
  presentHistory,
} from '@zakup/contracts/history';
import { deletedField } from '@zakup/contracts/history-fields';
import type { LicenceRow } from '@zakup/contracts/read-models';
import type { CampaignStatus } from '@zakup/domain/campaign/events';
import type { ExplainedFigure } from '@zakup/domain/analytics/figures';
import { explainLicenceFigure, type LicenceFigure } from '@zakup/domain/analytics/licence-figures';
import { kopecks, toRoubles } from '@zakup/domain/money';
import { campaignStatusLabels, showCampaignName } from '@zakup/domain/topics';
import type { DocumentReader, Position, ReadStore } from '@zakup/read-store/read-store';
import { createYielder } from '@zakup/async/yielder';
import { rowsOf } from '../read-models/rows.ts';
import { type LineList, nextCursor, type Slices } from './lineage-cursor.ts';
import type { Entry } from './newest-first.ts';

export interface LicenceLineageSources {
  /** Of the moment that is asked for. */
  readonly documents: DocumentReader;
  /** Of now: it knows also what was deleted. */
  readonly readStore: Pick<ReadStore, 'query' | 'scanIndex'>;
}

export interface LicenceLineageSubject {
  readonly licence: LicenceRow;
  /** Nothing later is looked at. */
  readonly to: number;
  readonly view: HistoryView;
}

type Kind = 'campaign' | 'channel';

export interface LicenceLine {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** Of a campaign. */
  readonly status: CampaignStatus | null;
  /** Roubles. */
  readonly amount: number | null;
}

export interface LicenceLeftOut {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** When it was taken out; null = it is there, and does not count. */
  readonly at: string | null;
}

const movedShown = 10;
/** Entries that are looked through of each campaign or channel. */
const entriesOfEach = 200;
const readsAtOnce = 8;

const changeOf = ({ row }: Entry, field: string) => row.changes.find((change) => change.field === field);

/** Whether an active campaign came or went by its entry `at`, of all of them, the newest first. */
const movesActive = (entries: readonly Entry[], at: number): boolean => {
  const entry = entries[at];
  if (entry === undefined) return false;
  const status = changeOf(entry, 'status');
  if (status !== undefined) return (status.from === 'ACTIVE') !== (status.to === 'ACTIVE');
  if (changeOf(entry, deletedField) === undefined) return false;
  const earlier = entries.slice(at + 1).flatMap((one) => changeOf(one, 'status') ?? []);
  return earlier[0]?.to === 'ACTIVE';
};

/** Whether the figure was moved by the entry `at` of a campaign, a channel or the licence, of all of them, the newest first. */
const moves = (figure: LicenceFigure, entries: readonly Entry[], at: number): boolean => {
  const entry = entries[at];
  if (entry === undefined) return false;
  if (figure === 'activeCampaigns') return movesActive(entries, at);
  if (figure === 'leadValue') return changeOf(entry, 'leadValue') !== undefined;
  if (figure === 'budgets' && changeOf(entry, 'totalBudget') !== undefined) return true;
  return changeOf(entry, deletedField) !== undefined || changeOf(entry, 'name')?.from === null;
};

const deletedReasons: Readonly<Record<Kind, string>> = { campaign: 'Кампания удалена', channel: 'Канал удалён' };

/** What the history tells of the figure: the last entries that moved it, and the last deletion or return of each entity. */
interface Told {
  readonly moved: readonly Entry[];
  readonly deletions: ReadonlyMap<string, Entry>;
  /** False where there are more entries than were looked through. */
  readonly complete: boolean;
}

const historyOf = async (
  { readStore }: LicenceLineageSources,
  { licence, to }: LicenceLineageSubject,
  figure: LicenceFigure,
  entities: readonly string[],
): Promise<Told> => {
  const deletions = new Map<string, Entry>();
  let moved: readonly Entry[] = [];
  let complete = true;
  const read = async (value: string): Promise<void> => {
    const docs = await readStore.scanIndex('history', {
      licenceId: licence.id,
      where: { field: 'entity', value },
      direction: 'desc',
      after: historyId(to + 1),
      limit: entriesOfEach + 1,
    });
    if (docs.length > entriesOfEach) complete = false;
    const entries = docs.map(({ position, data }): Entry => ({ position, row: data as unknown as HistoryRow }));
    const deletion = entries.find((entry) => changeOf(entry, deletedField) !== undefined);
    if (deletion !== undefined) deletions.set(value, deletion);
    moved = [...moved, ...entries.filter((_, at) => moves(figure, entries, at))]
      .toSorted((a, b) => b.position - a.position)
      .slice(0, movedShown);
  };
  const yieldIfDue = createYielder();
  for (let from = 0; from < entities.length; from += readsAtOnce) {
    await Promise.all(entities.slice(from, from + readsAtOnce).map(read));
    await yieldIfDue();
  }
  return { moved, deletions, complete };
};

/** What the figure counts, and what it does not though it is there. */
const linesOf = async (
  { documents }: LicenceLineageSources,
  { licence }: LicenceLineageSubject,
  figure: LicenceFigure,
) => {
  const rows = async <Of extends Kind>(kind: Of) => (figure === 'leadValue' ? [] : rowsOf(documents, kind, licence.id));
  const [campaigns, channels] = await Promise.all([rows('campaign'), rows('channel')]);
  const ofCampaigns = campaigns.map(
    ({ id, name, status, totalBudget }): LicenceLine => ({
      kind: 'campaign',
      id,
      name: showCampaignName(name),
      status,
      amount: toRoubles(totalBudget),
    }),
  );
  const ofChannels = channels.map(
    ({ id, name }): LicenceLine => ({ kind: 'channel', id, name, status: null, amount: null }),
  );
  const all = figure === 'leadValue' ? [] : figure === 'channels' ? ofChannels : ofCampaigns;
  const isCounted = ({ status }: LicenceLine): boolean => figure !== 'activeCampaigns' || status === 'ACTIVE';
  return {
    explained: explainLicenceFigure(figure, {
      campaigns,
      channels: channels.length,
      leadValue: licence.settings.leadValue,
    }),
    counted: all.filter(isCounted),
    others: all
      .filter((line) => !isCounted(line))
      .map(
        ({ kind, id, name, status }): LicenceLeftOut => ({
          kind,
          id,
          name,
          reason: status === null ? '' : campaignStatusLabels[status],
          at: null,
        }),
      ),
  };
};

export interface LicenceLineage {
  readonly figure: LicenceFigure;
  readonly explained: ExplainedFigure;
  readonly counted: readonly LicenceLine[];
  /** First what is there and does not count, then what was deleted, the last one first. */
  readonly leftOut: readonly LicenceLeftOut[];
  readonly moved: readonly HistoryEntry[];
  readonly historyComplete: boolean;
}

/** Where a figure over all campaigns comes from: what counts, what does not and why, and what moved it last. */
export const licenceLineage = async (
  sources: LicenceLineageSources,
  subject: LicenceLineageSubject,
  figure: LicenceFigure,
): Promise<LicenceLineage> => {
  const { licence, view } = subject;
  const { explained, counted, others } = await linesOf(sources, subject, figure);
  const kind: Kind = figure === 'channels' ? 'channel' : 'campaign';
  const all =
    figure === 'leadValue'
      ? [entityName('license', licence.id)]
      : (await sources.readStore.query(kind, { licenceId: licence.id, includeDeleted: true })).docs.map(({ id }) =>
          entityName(kind, id),
        );
  const { moved, deletions, complete } = await historyOf(sources, subject, figure, all);
  const there = new Set([...counted, ...others].map((line) => entityName(line.kind, line.id)));
  const deleted = [...deletions].flatMap(([entity, last]): (readonly [Position, LicenceLeftOut])[] => {
    if (figure === 'leadValue' || there.has(entity)) return [];
    const name = last.row.name ?? '';
    const line = {
      kind,
      id: entity.slice(kind.length + 1),
      name: kind === 'campaign' ? showCampaignName(name) : name,
      reason: deletedReasons[kind],
      at: last.row.at,
    };
    return [[last.position, line]];
  });
  const leftOut = [...others, ...deleted.toSorted(([a], [b]) => b - a).map(([, line]) => line)];
  return {
    figure,
    explained,
    counted,
    leftOut,
    moved: moved.map(({ position, row }) => presentHistory(position, row, view)),
    historyComplete: complete,
  };
};

/** As it is answered: of each list the lines that were asked for, and what there is of all of them. */
export const presentLicenceLineage = (
  { figure, explained, counted, leftOut, moved, historyComplete }: LicenceLineage,
  slices: Slices,
  position: number,
) => {
  const page = <Item>(list: LineList, all: readonly Item[]) => {
    const offset = slices[list];
    const lines = offset === null ? [] : all.slice(offset, offset + slices.limit);
    const next = nextCursor(list, { offset, shown: lines.length, total: all.length, position });
    return { total: all.length, lines, next };
  };
  const gone = leftOut.filter(({ at }) => at !== null).length;
  const kopecksOf = ({ amount }: LicenceLine): number => Math.round((amount ?? 0) * 100);
  return {
    figure,
    ...explained,
    terms: [...explained.terms],
    counted: {
      ...page('counted', counted),
      amount: toRoubles(kopecks(counted.reduce((sum, line) => sum + kopecksOf(line), 0))),
    },
    leftOut: { ...page('leftOut', leftOut), there: leftOut.length - gone, gone },
    moved: [...moved],
    historyComplete,
  };
};
