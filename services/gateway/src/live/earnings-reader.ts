import { serialQueue } from '@zakup/async/serial-queue';
import { campaignScope } from '@zakup/projections/scopes';
import type { JsonObject } from '@zakup/read-store/read-store';
import type { ReadModelDeps } from '../read-models/read-model-deps.ts';
import { dataOf } from '../read-models/rows.ts';
import {
  type CampaignLines,
  campaignLines,
  campaignLinesYielding,
  type LineColumns,
  type LinesReader,
  readLines,
} from './campaign-lines.ts';
import type { Scope } from './scope.ts';
import type { Read } from './scope-read.ts';
import type { StoredChange } from './view.ts';

/** Reads a scope with the lines of its earnings, which are exactly those of the position that each document stands at. */
export type EarningsReader = (since: number | undefined) => Promise<Read>;

/** Takes the lines of all placements of a scope while a load of it is read elsewhere. */
export interface LinesTaker {
  readonly take: (lines: LineColumns) => void;
  /** All of them came, and stand at this position. */
  end(position: number): void;
}

/** Reads a campaign's scope. */
export interface CampaignEarningsReader {
  /** `areLinesWanted`: whether earnings are to have their lines even where these have to be read first. */
  readonly read: (since: number | undefined, areLinesWanted?: boolean) => Promise<Read>;
  /** For the lines of a load; null = they are there. */
  readonly linesTaker: () => LinesTaker | null;
}

export interface EarningsReaderDeps extends Pick<ReadModelDeps, 'readStore' | 'partition'> {
  readonly licenceId: string;
  /** Reads lines for this one; absent = they are read here. */
  readonly thread?: { readonly lines: LinesReader } | undefined;
  /** What is stored in a scope: all of it, or what changed after `since`; of one moment. */
  readonly stored: (scope: string, since: number | undefined) => Promise<Read>;
}

export const isEarned = ({ doc, gone }: StoredChange): boolean => doc.kind === 'earnings' && !gone;

export const withLines = async (lines: CampaignLines, change: StoredChange): Promise<StoredChange> => {
  const data = await lines.told(dataOf('earnings', change.doc));
  return { ...change, doc: { ...change.doc, data: data as unknown as JsonObject } };
};

const eachWithLines = async (lines: CampaignLines, changes: Read): Promise<Read> => {
  const docs: StoredChange[] = [];
  for (const change of changes.docs) docs.push(isEarned(change) ? await withLines(lines, change) : change);
  return { ...changes, docs };
};

/** The lines of all that is in a scope, which is not held meanwhile. */
const begunLines = async (deps: EarningsReaderDeps, scope: Scope): Promise<CampaignLines> => {
  const lines = campaignLines([], 0);
  const read: LinesReader = deps.thread?.lines ?? ((...asked) => readLines(deps, ...asked));
  lines.position = await read(deps.licenceId, scope, lines.take);
  return lines;
};

/** A campaign's scope holds earnings and placements: what changed in it is laid over the lines that were there before. */
export const campaignEarnings = (deps: EarningsReaderDeps, scope: Scope): CampaignEarningsReader => {
  const { stored } = deps;
  const { stored: name } = scope;
  const { run: alone } = serialQueue();
  /** Begun with the first content that is read, here or elsewhere. */
  let kept: CampaignLines | null = null;

  const whole = async (content: Read): Promise<Read> => {
    const lines = await campaignLinesYielding(content.docs, content.position);
    const read = await eachWithLines(lines, content);
    if (kept === null || kept.position <= content.position) kept = lines;
    return read;
  };

  /** Lines that are behind what is asked for; null = they have to be begun anew. */
  const broughtOn = async (lines: CampaignLines): Promise<CampaignLines | null> => {
    const missed = await stored(name, lines.position);
    if (missed.reset) return null;
    lines.apply(missed.docs, missed.position);
    return lines;
  };

  const changed = async (since: number, areLinesWanted: boolean): Promise<Read> => {
    for (let reads = 1; ; reads += 1) {
      const changes = await stored(name, since);
      if (changes.reset) return whole(changes);
      const lines = kept;
      if (lines === null && !changes.docs.some(isEarned)) return changes;
      if (lines === null && !areLinesWanted) return { ...changes, withoutLines: true };
      if (lines !== null && since <= lines.position && lines.position <= changes.position) {
        lines.apply(changes.docs, changes.position);
        return eachWithLines(lines, changes);
      }
      // Those of a load may be of before what is asked for, or of a moment that came after this read.
      if (lines !== null && lines.position < since) kept = await broughtOn(lines);
      else if (lines === null || reads > 1) kept = await begunLines(deps, scope);
    }
  };

  return {
    read: async (since, areLinesWanted = true) =>
      since === undefined ? whole(await stored(name, undefined)) : alone(() => changed(since, areLinesWanted)),
    linesTaker() {
      if (kept !== null) return null;
      const lines = campaignLines([], 0);
      return {
        take: lines.take,
        end(position) {
          lines.position = position;
          kept ??= lines;
        },
      };
    },
  };
};

/** One's own earnings stand in one's own scope, the placements in those of their campaigns. `wanted`: whether anybody is shown them. */
export const ownEarnings = (
  { readStore, licenceId, stored }: EarningsReaderDeps,
  { stored: name }: Pick<Scope, 'stored'>,
  wanted: () => boolean,
): EarningsReader => {
  const { run: alone } = serialQueue();
  const kept = new Map<string, CampaignLines>();

  const begun = async (campaignId: string, userId: string, position: number): Promise<CampaignLines> => {
    const lines = campaignLines([], position, userId);
    await readStore.readEach('placement', { licenceId, where: { campaignId, buyerId: userId } }, (docs) =>
      lines.apply(
        docs.map((doc) => ({ doc, gone: false, position: doc.position })),
        position,
      ),
    );
    return lines;
  };

  /** At the position of the change, or newer where the campaign has gone on meanwhile. */
  const brought = async (change: StoredChange, position: number): Promise<StoredChange> => {
    const { campaignId, userId } = dataOf('earnings', change.doc);
    const before = kept.get(campaignId) ?? (await begun(campaignId, userId, position));
    const since = await stored(campaignScope(campaignId), before.position);
    const lines = since.reset ? await campaignLinesYielding(since.docs, since.position, userId) : before;
    if (!since.reset) lines.apply(since.docs, since.position);
    kept.set(campaignId, lines);
    const newer = since.docs.find(({ doc }) => doc.kind === 'earnings' && doc.id === change.doc.id);
    const last = newer !== undefined && newer.position > change.position ? newer : change;
    return last.gone ? last : withLines(lines, last);
  };

  const read = async (since: number | undefined): Promise<Read> => {
    const changes = await stored(name, since);
    const docs: StoredChange[] = [];
    for (const change of changes.docs) docs.push(isEarned(change) ? await brought(change, changes.position) : change);
    return { ...changes, docs };
  };

  return async (since) => {
    if (wanted()) return alone(() => read(since));
    kept.clear();
    const changes = await stored(name, since);
    return changes.docs.some(isEarned) ? { ...changes, withoutLines: true } : changes;
  };
};
