import type { AnalyticsWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { presentSummary, presentSums } from '@zakup/contracts/to-wire';
import { campaignSummary } from '@zakup/domain/analytics/summary';
import { addSums, noSums, shiftSums, shiftTotals, type Sign, type Sums } from '@zakup/domain/analytics/sums';
import { summedLine, summedTotals } from '../campaign/operands.ts';
import { money } from '../money/roubles.ts';
import type { Entry } from '../outbox/entry.ts';
import type { TypedValues } from './placement-prediction.ts';

/** A placement for which something is on its way, as sums see it. */
export interface MovingRow {
  /** `new`: the server does not have it yet. */
  readonly kind: 'stored' | 'new';
  readonly stored: PlacementWire;
  /** As the deciders leave it. */
  readonly decided: PlacementWire;
  /** Whether it is one of the campaign's placements then. */
  readonly counted: boolean;
  /** Members that nothing here could decide. */
  readonly typed: TypedValues;
  readonly entries: readonly Entry[];
}

/** What the moving rows take from the sums that the server has (−1), and what they bring to them (1). */
const moves = (moving: readonly MovingRow[]): readonly (readonly [PlacementWire, Sign])[] =>
  moving.flatMap(({ kind, stored, decided, counted }): (readonly [PlacementWire, Sign])[] => [
    ...(kind === 'stored' ? [[stored, -1] as const] : []),
    ...(counted ? [[decided, 1] as const] : []),
  ]);

/** The sums of a campaign as its totals will be by what is on its way: its own, moved by the few rows that move. */
export const predictedSummary = (
  summary: AnalyticsWire['summary'],
  moving: readonly MovingRow[],
): AnalyticsWire['summary'] => {
  let totals = summedTotals(summary);
  for (const [placement, sign] of moves(moving)) totals = shiftTotals(totals, summedLine(placement), sign);
  return presentSummary(campaignSummary(money(summary.totalBudget), totals));
};

type Line = Omit<AnalyticsWire['byBuyer'][number], 'buyerId'>;

const movedLine = ({ spent, leads, placements }: Line, moved: Sums): Line =>
  presentSums(addSums({ spent: money(spent), leads, placements }, moved));

const noLine: Line = presentSums(noSums);

/** Lines by whom or what, moved; `keyOf` names the line of a placement. */
const movedLines = <Keyed extends Line>(
  lines: readonly Keyed[],
  moving: readonly MovingRow[],
  keyOf: (placement: PlacementWire) => string,
  line: { readonly key: (of: Keyed) => string; readonly make: (key: string, figures: Line) => Keyed },
): Keyed[] => {
  const moved = new Map<string, Sums>();
  for (const [placement, sign] of moves(moving)) {
    const key = keyOf(placement);
    moved.set(key, shiftSums(moved.get(key) ?? noSums, summedLine(placement), sign));
  }
  const known = lines.map((one) => {
    const sums = moved.get(line.key(one));
    moved.delete(line.key(one));
    return sums === undefined ? one : line.make(line.key(one), movedLine(one, sums));
  });
  return [...known, ...[...moved].map(([key, sums]) => line.make(key, movedLine(noLine, sums)))];
};

/** A campaign's sums, also by buyer, creative and day, as they will be by what is on its way. Its other lines stay as the server has them. */
export const predictedAnalytics = (analytics: AnalyticsWire, moving: readonly MovingRow[]): AnalyticsWire =>
  moving.length === 0
    ? analytics
    : {
        ...analytics,
        summary: predictedSummary(analytics.summary, moving),
        byBuyer: movedLines(analytics.byBuyer, moving, ({ buyerId }) => buyerId, {
          key: ({ buyerId }) => buyerId,
          make: (buyerId, figures) => ({ buyerId, ...figures }),
        }),
        byCreative: movedLines(analytics.byCreative, moving, ({ creativeId }) => creativeId, {
          key: ({ creativeId }) => creativeId,
          make: (creativeId, figures) => ({ creativeId, ...figures }),
        }),
        byDay: movedLines(analytics.byDay, moving, ({ date }) => date, {
          key: ({ date }) => date,
          make: (date, figures) => ({ date, ...figures }),
        }),
      };

/** By how many placements more have no leads once what is on its way has arrived. */
export const movedWithoutLeads = (moving: readonly MovingRow[]): number =>
  moves(moving).reduce((count, [{ leads }, sign]) => (leads === 0 ? count + sign : count), 0);

const summed = ['price', 'leads', 'paymentStatus', 'deleted'];

/** A new row that was refused says so itself; no answer is awaited that a figure could follow. */
export const isAwaited = ({ kind, entries }: Pick<MovingRow, 'kind' | 'entries'>): boolean =>
  kind === 'stored' || entries.every(({ state }) => state.kind !== 'rejected');

/** Whether sums over these rows do not follow something that was typed. */
export const areSumsOpen = (moving: readonly Pick<MovingRow, 'kind' | 'entries' | 'typed'>[]): boolean =>
  moving.some((row) => isAwaited(row) && summed.some((member) => member in row.typed));
