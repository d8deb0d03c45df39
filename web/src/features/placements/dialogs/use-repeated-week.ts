import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { type Day, parseDay, today } from '@zakup/domain/calendar';
import { useMemo, useState } from 'react';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';
import {
  boughtIn,
  type RepeatedRow,
  repeatedRows,
  sameWeekday,
  type Week,
  weeksBefore,
} from '../rows/repeated-rows.ts';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { formErrors, type PlacementForm } from './placement-form.ts';

/** As far as one looks back. */
const weekCount = 4;

interface Entered {
  /** Which of the weeks; null = the latest with purchases. */
  readonly week: number | null;
  /** '' = everybody's. */
  readonly buyerId: string;
  /** The day of all of them; null = each on its weekday. */
  readonly day: string | null;
  /** What a person ticked or not, by placement. */
  readonly ticks: ReadonlyMap<string, boolean>;
  readonly prices: ReadonlyMap<string, string>;
}

/** One purchase of the list, as it is ticked and priced. */
export interface RepeatedLine extends RepeatedRow {
  readonly isTicked: boolean;
  /** What is wrong with the price; null = nothing. */
  readonly priceError: string | null;
}

/** What was bought in a week of the campaign, as copies to be ticked. A media buyer begins with their own. */
export const useRepeatedWeek = (placements: CampaignPlacements) => {
  const { campaignId, rows, choices, rights } = placements;
  const { mayAddFor } = rights;
  const { person } = useSession();
  const contractors = useDocs('contractor');
  const byId = useMemo(() => new Map(contractors.map((one) => [one.id, one])), [contractors]);
  const [now] = useState(() => today(Date.now()));
  const [entered, setEntered] = useState<Entered>({
    week: null,
    buyerId: person.role === 'MEDIA_BUYER' ? person.id : '',
    day: null,
    ticks: new Map(),
    prices: new Map(),
  });
  const { buyerId, day, ticks, prices } = entered;

  const weeks = useMemo(() => {
    const own = rows.filter(({ placement }) => mayAddFor(placement.buyerId));
    return weeksBefore(now, weekCount).map((week) => ({ week, all: boughtIn(own, week, '') }));
  }, [rows, mayAddFor, now]);
  const isOf = ({ buyerId: buyer }: PlacementWire): boolean => buyerId === '' || buyer === buyerId;
  const counts = weeks.map(({ all }) => all.filter(({ placement }) => isOf(placement)).length);
  const at =
    entered.week ??
    Math.max(
      0,
      counts.findIndex((count) => count > 0),
    );
  const chosen = weeks[at];

  const lines = useMemo((): readonly RepeatedLine[] => {
    const bought = (chosen?.all ?? []).filter(({ placement }) => buyerId === '' || placement.buyerId === buyerId);
    const whole = day === null ? null : (parseDay(day) ?? now);
    const newDay = (was: Day): Day => whole ?? sameWeekday(was, now);
    const deps = { campaignId, choices, mayAddFor, personId: person.id, rows, contractors: byId, newDay, prices };
    return repeatedRows(bought, deps).map((one) => ({
      ...one,
      isTicked: one.form !== null && (ticks.get(one.row.id) ?? one.isProposed),
      priceError:
        one.form && (formErrors(campaignId, one.form).find(({ field }) => field === 'price')?.message ?? null),
    }));
  }, [chosen, buyerId, day, now, campaignId, choices, mayAddFor, person.id, rows, byId, prices, ticks]);

  const change = (next: Partial<Entered>): void => setEntered((before) => ({ ...before, ...next }));
  return {
    today: now,
    weeks: weeks.map(({ week }, index): { readonly week: Week; readonly count: number } => ({
      week,
      count: counts[index] ?? 0,
    })),
    week: at,
    /** Who bought something in these weeks. */
    buyerIds: [...new Set(weeks.flatMap(({ all }) => all.map(({ placement }) => placement.buyerId)))],
    buyerId,
    day,
    lines,
    forms: lines.flatMap(({ isTicked, form }): readonly PlacementForm[] => (isTicked && form !== null ? [form] : [])),
    dirty: ticks.size > 0 || prices.size > 0,
    change,
    tick: (ids: readonly string[], isTicked: boolean) =>
      change({ ticks: new Map([...ticks, ...ids.map((id) => [id, isTicked] as const)]) }),
    setPrice: (id: string, price: string) => change({ prices: new Map([...prices, [id, price]]) }),
  };
};

export type RepeatedWeek = ReturnType<typeof useRepeatedWeek>;
