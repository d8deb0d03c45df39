import type { ContractorWire } from '@zakup/contracts/wire-entities';
import type { Day } from '@zakup/domain/calendar';
import { showDate } from '../../../shared/day/shown-day.ts';
import type { PlacementForm } from '../dialogs/placement-form.ts';
import { type DuplicateDeps, duplicatedRows } from './duplicated-rows.ts';
import { byCreation, type PlacementRow } from './placement-row.ts';

const dayMillis = 86_400_000;
const weekDays = 7;

const dayAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * dayMillis).toISOString().slice(0, 10);

/** Seven days, both ends included. */
export interface Week {
  readonly from: Day;
  readonly to: Day;
}

/** The weeks before a day, the latest first; it ends the day before. */
export const weeksBefore = (day: Day, count: number): readonly Week[] =>
  Array.from({ length: count }, (_, at) => ({
    from: dayAfter(day, -weekDays * (at + 1)),
    to: dayAfter(day, -weekDays * at - 1),
  }));

/** The first day with the same weekday as a day, from `from` on. */
export const sameWeekday = (day: Day, from: Day): Day => {
  const ahead = (Date.parse(day) - Date.parse(from)) / dayMillis;
  return dayAfter(from, ((ahead % weekDays) + weekDays) % weekDays);
};

/** What was bought in a week, in the order of days; neither cancelled nor deleted. `buyerId` '' = by everybody. */
export const boughtIn = (rows: readonly PlacementRow[], { from, to }: Week, buyerId: string): readonly PlacementRow[] =>
  rows
    .filter(
      ({ counted, leaving, placement: { date, status, buyerId: buyer } }) =>
        counted && !leaving && status !== 'CANCELLED' && from <= date && date <= to && ['', buyer].includes(buyerId),
    )
    .sort((a, b) =>
      a.placement.date === b.placement.date ? byCreation(a, b) : a.placement.date < b.placement.date ? -1 : 1,
    );

/** A purchase to be made once more. */
export interface RepeatedRow {
  readonly row: PlacementRow;
  /** Null = it cannot be added; `remarks` say why. */
  readonly form: PlacementForm | null;
  /** The list that the contractor stands on. */
  readonly verdict: ContractorWire['verdict'];
  /** Why it is not ticked to begin with, a black list apart. */
  readonly remarks: readonly string[];
  /** Whether it is ticked to begin with. */
  readonly isProposed: boolean;
}

export interface RepeatDeps extends Omit<DuplicateDeps, 'today'> {
  /** All placements of the campaign. */
  readonly rows: readonly PlacementRow[];
  readonly contractors: ReadonlyMap<string, Pick<ContractorWire, 'isActive' | 'verdict'>>;
  /** The day that a purchase of a day is repeated on. */
  readonly newDay: (day: Day) => Day;
  /** Prices entered in place of those paid, by placement. */
  readonly prices: ReadonlyMap<string, string>;
}

const placeOf = (nick: string, day: Day): string => `${nick.toLowerCase()} ${day}`;

/** Each purchase as a copy of it (TABLE-32) on its new day, with what speaks against it. */
export const repeatedRows = (
  bought: readonly PlacementRow[],
  { rows, contractors, newDay, prices, ...deps }: RepeatDeps,
): readonly RepeatedRow[] => {
  const taken = new Set(
    rows
      .filter(({ leaving, placement }) => !leaving && placement.status !== 'CANCELLED')
      .map(({ nick, placement }) => placeOf(nick, placement.date)),
  );
  return bought.map((row) => {
    const { placement, nick } = row;
    const day = newDay(placement.date);
    const { forms, reasons } = duplicatedRows([row], { ...deps, today: day });
    const [copy = null] = forms;
    const price = prices.get(row.id);
    const contractor = contractors.get(placement.contractorId);
    const remarks = [
      ...reasons,
      ...(contractor?.isActive === false ? ['контрагент отключён'] : []),
      ...(placement.status === 'REMOVED_EARLY' ? ['снято раньше срока'] : []),
      ...(taken.has(placeOf(nick, day)) ? [`уже есть ${showDate(day)}`] : []),
    ];
    const verdict = contractor?.verdict;
    return {
      row,
      form: copy !== null && price !== undefined ? { ...copy, price } : copy,
      verdict,
      remarks,
      isProposed: copy !== null && remarks.length === 0 && verdict?.list !== 'black',
    };
  });
};
