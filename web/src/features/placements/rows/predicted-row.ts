import type { CampaignWire, ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { parseNick } from '@zakup/domain/nick';
import { noCreative } from '@zakup/domain/placement/events';
import { withoutCreativeLabel } from '@zakup/domain/placement/labels';
import type { Entry } from '../../../shared/outbox/entry.ts';
import { newPlacement } from '../../../shared/predictions/new-placement.ts';
import {
  type KnownFacts,
  predictPlacement,
  type TypedValues,
} from '../../../shared/predictions/placement-prediction.ts';
import type { Names, PlacementRow } from './placement-row.ts';

const none: readonly Entry[] = [];
const nothingTyped: TypedValues = {};
const noIds: ReadonlySet<string> = new Set();

const nicksOf = ({ adminUsername, otherUsernames = [] }: ContractorWire): readonly string[] =>
  [adminUsername, ...otherUsernames].flatMap((text) => {
    const parsed = parseNick(text);
    return parsed.kind === 'nick' ? [parsed.nick] : [];
  });

/** What the table's documents know; nicks are gathered when the first one is asked for. */
export const knownFacts = (campaign: CampaignWire | null, { contractors, users, creatives }: Names): KnownFacts => {
  let byNick: ReadonlyMap<string, string> | null = null;
  return {
    campaign: (id) => (campaign?.id === id ? campaign : null),
    user: (id) => users.get(id) ?? null,
    creative: (id) => creatives.get(id) ?? null,
    contractorId: (nick) => {
      byNick ??= new Map(
        [...contractors.values()].flatMap((one) => nicksOf(one).map((spelled) => [spelled, one.id] as const)),
      );
      return byNick.get(nick) ?? null;
    },
  };
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

interface Wording {
  /** As typed; `null` = the contractor's own. */
  readonly nick: string | null;
  readonly names: Names;
}
type Unworded = Omit<PlacementRow, 'id' | 'nick' | 'buyerName' | 'creativeName'>;

/** One literal of all members, as rows are many: a spread would cost ten times as much. */
const worded = (
  { kind, placement, decided, counted, typed, idle, stored, entries, leaving }: Unworded,
  { nick, names: { contractors, users, creatives } }: Wording,
): PlacementRow => ({
  id: stored.id,
  kind,
  placement,
  decided,
  counted,
  typed,
  idle,
  stored,
  nick: nick ?? contractors.get(placement.contractorId)?.adminUsername ?? '',
  buyerName: users.get(placement.buyerId)?.name ?? '',
  creativeName:
    placement.creativeId === noCreative ? withoutCreativeLabel : (creatives.get(placement.creativeId)?.name ?? ''),
  entries,
  leaving,
});

/** A placement of which nothing is on its way. */
export const quietRow = (stored: PlacementWire, names: Names): PlacementRow =>
  worded(
    {
      kind: 'stored',
      placement: stored,
      decided: stored,
      counted: true,
      typed: nothingTyped,
      idle: noIds,
      stored,
      entries: none,
      leaving: false,
    },
    { nick: null, names },
  );

/** A placement with what is on its way for it. */
export const busyRow = (
  kind: PlacementRow['kind'],
  stored: PlacementWire,
  entries: readonly Entry[],
  names: Names,
  known: KnownFacts,
): PlacementRow => {
  const prediction = predictPlacement(kind === 'new' ? null : stored, stored.id, entries, known);
  const { removed, typed, idle } = prediction;
  const { contractor, deleted, ...members } = typed;
  const decided = prediction.decided ?? stored;
  return worded(
    {
      kind,
      placement: { ...decided, ...members },
      decided,
      counted: prediction.decided !== null && !removed,
      typed,
      idle,
      stored,
      entries,
      leaving: removed || deleted === true,
    },
    { nick: textOf(contractor), names },
  );
};

/** A placement that the server does not have yet, with the changes that wait for it. */
export const newRow = (entry: Entry, changes: readonly Entry[], names: Names, known: KnownFacts): PlacementRow => {
  // A refused one stands as it was wished, and counts for nothing, until it is put away.
  const wished: Entry = { ...entry, state: { kind: 'pending' } };
  const row = busyRow('new', newPlacement(entry), [wished, ...changes], names, known);
  return { ...row, entries: [entry, ...changes], counted: row.counted && entry.state.kind !== 'rejected' };
};
