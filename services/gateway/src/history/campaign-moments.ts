import { type HistoryRow, historyId } from '@zakup/contracts/history';
import type { StateByCategory } from '@zakup/domain/entities';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import type { Placement } from '@zakup/domain/placement/state';
import type { Position, Revision } from '@zakup/event-store/event-store';
import type { ReadDocument } from '@zakup/read-store/read-store';
import { createYielder } from '@zakup/async/yielder';
import type { GatewayDeps } from '../deps.ts';
import { dataOf } from '../read-models/rows.ts';
import { type Bought, type CampaignSums, campaignSums, noCampaign } from './campaign-sums.ts';
import { statesAt } from './stream-states.ts';

export interface MomentsAsked {
  readonly deps: Pick<GatewayDeps, 'readStore' | 'eventStore'>;
  readonly licenceId: string;
  /** Rising, at least one; all of them lie behind what the read models have. */
  readonly positions: readonly Position[];
  readonly waiting: AbortSignal;
}

/** Entries of the history that are read at once. */
const slice = 250;
const streamsAtOnce = 8;

const placementEntity = 'placement:';

/** The campaign's placements as they are now. */
const placementsNow = async ({ deps, licenceId, waiting }: MomentsAsked, campaignId: string) => {
  const placements = new Map<string, Bought>();
  const take = (docs: readonly ReadDocument[]): void => {
    waiting.throwIfAborted();
    for (const doc of docs) {
      const { buyerId, price, leads, paymentStatus } = dataOf('placement', doc);
      placements.set(doc.id, { buyerId, price, leads, paymentStatus });
    }
  };
  await deps.readStore.readEach('placement', { licenceId, where: { campaignId } }, take);
  return placements;
};

/** Placements of the campaign that changed after the first position, with the revision they had at the last one; −1 = they were not there yet. */
const changedSince = async ({ deps, licenceId, positions, waiting }: MomentsAsked, campaignId: string) => {
  const [first, last] = [positions[0] ?? 0, positions.at(-1) ?? 0];
  const yieldIfDue = createYielder();
  const changed = new Map<string, Revision>();
  const where = { field: 'campaignId', value: campaignId };
  for (let after = historyId(first); ; ) {
    waiting.throwIfAborted();
    const docs = await deps.readStore.scanIndex('history', { licenceId, where, direction: 'asc', after, limit: slice });
    for (const { position, data } of docs) {
      const { entity, revision } = data as unknown as HistoryRow;
      if (!entity.startsWith(placementEntity)) continue;
      const id = entity.slice(placementEntity.length);
      if (position <= last) changed.set(id, revision);
      else if (!changed.has(id)) changed.set(id, revision - 1);
    }
    const end = docs.at(-1);
    if (end === undefined || docs.length < slice) return changed;
    after = end.id;
    await yieldIfDue();
  }
};

/** What some placements were at each position, from their own streams. */
type Then = readonly (readonly (Placement | null)[])[];

const placementsThen = async (
  { deps, licenceId, positions, waiting }: MomentsAsked,
  changed: ReadonlyMap<string, Revision>,
): Promise<Then> => {
  const yieldIfDue = createYielder();
  const then: Then[number][] = [];
  const wanted = [...changed].filter(([, to]) => to >= 0);
  for (let from = 0; from < wanted.length; from += streamsAtOnce) {
    waiting.throwIfAborted();
    const some = wanted.slice(from, from + streamsAtOnce);
    const states = some.map(([id, to]) =>
      statesAt(deps.eventStore, { category: 'placement', licenceId, id, to }, positions),
    );
    then.push(...(await Promise.all(states)));
    await yieldIfDue();
  }
  return then;
};

/** Those that count at the position with this index: the unchanged ones, and what the others were. */
const placementsAt = function* (unchanged: Iterable<Bought>, then: Then, index: number): Generator<Bought> {
  yield* unchanged;
  for (const states of then) {
    const state = states[index] ?? null;
    if (state !== null && !state.removed) yield state;
  }
};

type Card = StateByCategory['employee'];

/**
 * Campaigns' sums at some positions, without folding the licence: what did not change since is as the read models have it, what did is
 * folded from its own stream, as far as the last position. So it costs what the campaign's size and its changes since then do, however
 * much else the licence has been through.
 */
export const campaignMoments = (asked: MomentsAsked) => {
  const { licenceId, positions } = asked;
  const { eventStore } = asked.deps;
  const cards = new Map<string, Promise<readonly (Card | null)[]>>();
  const cardsOf = (id: string): Promise<readonly (Card | null)[]> => {
    const known = cards.get(id);
    const states = known ?? statesAt(eventStore, { category: 'employee', licenceId, id }, positions);
    cards.set(id, states);
    return states;
  };
  let switches: Promise<readonly boolean[]> | null = null;
  const countZeroLeads = (): Promise<readonly boolean[]> => {
    switches ??= statesAt(eventStore, { category: 'licence', licenceId, id: licenceId }, positions).then((states) =>
      states.map((state) => (state?.settings ?? defaultLicenceSettings).countZeroLeads),
    );
    return switches;
  };

  return {
    /** At each position. */
    async sumsOf(campaignId: string): Promise<readonly CampaignSums[]> {
      const campaign = await statesAt(eventStore, { category: 'campaign', licenceId, id: campaignId }, positions);
      // Before the changes: what changes in between is among these, and then folded.
      const unchanged = await placementsNow(asked, campaignId);
      const changed = await changedSince(asked, campaignId);
      for (const id of changed.keys()) unchanged.delete(id);
      const then = await placementsThen(asked, changed);
      const counted = await countZeroLeads();
      const sums: CampaignSums[] = [];
      for (const [index, state] of campaign.entries()) {
        const content = {
          placements: placementsAt(unchanged.values(), then, index),
          termsOf: async (id: string) => (await cardsOf(id))[index] ?? null,
          countZeroLeads: counted[index] ?? defaultLicenceSettings.countZeroLeads,
        };
        sums.push(state === null || state.deleted ? noCampaign : await campaignSums(state, content));
      }
      return sums;
    },

    /** What somebody was called at the last position. */
    nameOf: async (userId: string): Promise<string> => (await cardsOf(userId)).at(-1)?.name ?? '',
  };
};

export type CampaignMoments = ReturnType<typeof campaignMoments>;
