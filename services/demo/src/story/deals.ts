import { type Format, formats } from '@zakup/domain/topics';
import type { Campaign } from './campaigns.ts';
import { type Chance, chance } from './chance.ts';
import { type Contractor, roundPrice } from './contractors.ts';
import type { Creative } from './creatives.ts';
import type { Habits } from './people.ts';
import type { Plan } from './plan.ts';

/** What became of a placement that was bought. */
export type Fate = 'done' | 'cancelled' | 'removed_early' | 'removed' | 'restored';

/** One placement as it will have been in the end. */
export interface Deal {
  readonly index: number;
  readonly campaign: Campaign;
  /** Key of a person. */
  readonly buyer: string;
  readonly contractor: Contractor;
  readonly creative: Creative | null;
  /** Days by number. */
  readonly date: number;
  readonly booked: number;
  readonly format: Format;
  readonly topic: string;
  /** Roubles. */
  readonly price: number;
  readonly leads: number;
  readonly fate: Fate;
}

/** Monday to Sunday. */
const weekdays = [1, 1.15, 1.1, 1.1, 0.9, 0.4, 0.3] as const;
const dearer: Readonly<Record<Format, number>> = { '1/24': 1, '1/48': 1.25, '1/72': 1.45, '1/∞': 1.8 };
/** Roubles that a lead costs where nothing speaks for or against it. */
const usualCpl = 97;
/** Days for which the same seller is not bought again for the same campaign. */
const pause = 6;

/** How many placements each campaign has on each day: `total` in all, by whole numbers. */
const calendarOf = (plan: Plan, total: number, luck: Chance): readonly (readonly [Campaign, number, number])[] => {
  const weights = plan.campaigns.flatMap(({ campaign, first, last }) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
      const day = first + index;
      const begun = Math.min(1, 0.35 + index / 20);
      const weight = campaign.weight * (weekdays[plan.days.weekday(day)] ?? 1) * begun * (0.75 + 0.5 * luck.next());
      return { campaign, day, weight };
    }),
  );
  const sum = weights.reduce((all, { weight }) => all + weight, 0);
  let due = 0;
  let given = 0;
  return weights
    .map(({ campaign, day, weight }) => {
      due += (weight / sum) * total;
      const count = Math.round(due) - given;
      given += count;
      return [campaign, day, count] as const;
    })
    .sort(([, one], [, other]) => one - other);
};

const fates = (total: number, extra: number, luck: Chance): readonly Fate[] => {
  const some = (share: number, fate: Fate): readonly Fate[] =>
    Array.from({ length: Math.max(1, Math.round(total * share)) }, () => fate);
  const odd = [
    ...Array.from({ length: extra }, (): Fate => 'removed'),
    ...some(0.0015, 'restored'),
    ...some(0.008, 'cancelled'),
    ...some(0.007, 'removed_early'),
  ];
  return luck.shuffled([...odd, ...Array.from({ length: total + extra - odd.length }, (): Fate => 'done')]);
};

/** What the team has learned of the sellers. */
const memory = (count: number) => {
  const seen = Array.from({ length: count }, () => ({
    spent: 0,
    leads: 0,
    bought: 0,
    lastIn: new Map<Campaign, number>(),
    times: new Map<string, number>(),
  }));
  const of = ({ index }: Contractor) => {
    const known = seen[index];
    if (known === undefined) throw new RangeError(`No contractor ${index}`);
    return known;
  };
  return {
    isNew: (contractor: Contractor): boolean => of(contractor).bought === 0,
    rests: (contractor: Contractor, campaign: Campaign, day: number): boolean =>
      day - (of(contractor).lastIn.get(campaign) ?? -pause) < pause,
    times: (contractor: Contractor, key: string): number => of(contractor).times.get(key) ?? 0,
    /** Around 1; more for sellers whose leads were cheap. */
    worth: (contractor: Contractor): number => {
      const { spent, leads } = of(contractor);
      return spent === 0 ? 1 : Math.min(3, Math.max(0.12, ((115 * Math.max(1, leads)) / spent) ** 2));
    },
    note: ({ contractor, campaign, buyer, date, price, leads }: Deal): void => {
      const known = of(contractor);
      known.spent += price;
      known.leads += leads;
      known.bought += 1;
      known.lastIn.set(campaign, date);
      for (const key of [campaign.key, buyer]) known.times.set(key, (known.times.get(key) ?? 0) + 1);
    },
  };
};

/**
 * A year of buying: who buys where, on which days, in which format and for how much, and what came of it. In the order of dates;
 * `total` of them are there in the end, each contractor was bought at least once.
 */
export const deals = (seed: number, plan: Plan, total: number): readonly Deal[] => {
  const luck = chance(seed, 'deals');
  const extra = Math.max(1, Math.round(total * 0.005));
  const fateOf = fates(total, extra, luck);
  const known = memory(plan.contractors.length);
  const made: Deal[] = [];
  let left = total + extra;
  const tries = Math.max(0.06, (2.5 * plan.contractors.length) / left);

  const buyerFor = (campaign: Campaign, day: number): readonly [string, Habits] => {
    const able = plan.buyersOf(campaign, day);
    const weekend = plan.days.weekday(day) > 4;
    return luck.weighted(able, ([, { pace, weekend: share }]) => pace * (weekend ? share : 1));
  };

  const contractorFor = (
    sellers: readonly Contractor[],
    campaign: Campaign,
    buyer: string,
    habits: Habits,
    day: number,
  ): Contractor => {
    const there = sellers.filter((one) => !known.rests(one, campaign, day));
    const fresh = there.filter((one) => known.isNew(one));
    const near = (one: Contractor): number =>
      (campaign.channel.near.includes(one.topic) ? 8 : 0.6) * (habits.topics.includes(one.topic) ? 2 : 1);
    if (fresh.length > 0 && (luck.happens(tries) || left <= plan.contractors.length)) return luck.weighted(fresh, near);
    const tried = there.filter((one) => !known.isNew(one));
    return luck.weighted(
      tried.length === 0 ? there : tried,
      (one) => one.fame * near(one) * known.worth(one) * (known.times(one, buyer) > 0 ? 1.7 : 1),
    );
  };

  const leadsOf = (
    { campaign, contractor, creative, format, price }: Omit<Deal, 'leads' | 'fate'>,
    fate: Fate,
  ): number => {
    const near = campaign.channel.near.includes(contractor.topic) ? 0.88 : 1.22;
    const tired = 1 + Math.min(0.5, 0.025 * known.times(contractor, campaign.key));
    const swing = Math.max(0.45, 1 + 0.24 * luck.bell());
    const cpl =
      usualCpl *
      campaign.dear *
      contractor.dear *
      (creative?.dear ?? 1.1) *
      near *
      tired *
      swing *
      (0.97 + 0.03 * dearer[format]);
    const mean = (fate === 'removed_early' ? 0.45 : 1) * (price / cpl);
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * 0.8 * luck.bell()));
  };

  for (const [campaign, date, count] of calendarOf(plan, total + extra, luck)) {
    const sellers = plan.contractorsOn(date);
    for (let nth = 0; nth < count; nth += 1) {
      const fate = fateOf[made.length] ?? 'done';
      const [buyer, habits] = buyerFor(campaign, date);
      const contractor = contractorFor(sellers, campaign, buyer, habits, date);
      const format = luck.weighted(formats, (one) => habits.formats[one]);
      const ahead = luck.weighted([0, 1, 2, 3, 4, 6], (days) => [0.22, 0.36, 0.2, 0.12, 0.06, 0, 0.04][days] ?? 0);
      const booked = Math.min(date, Math.max(date - ahead, plan.bookableFrom(campaign, buyer)));
      const there = plan.creativesOn(campaign, booked);
      const creative =
        there.length === 0 || luck.happens(0.035) ? null : luck.weighted(there, ({ dear }) => (1.4 - dear) ** 2 + 0.05);
      const growth = 1 + (contractor.growth - 1) * (date / plan.days.length);
      const asked = contractor.price * growth * dearer[format] * habits.bargain * (0.96 + 0.08 * luck.next());
      const deal = {
        index: made.length,
        campaign,
        buyer,
        contractor,
        creative,
        date,
        booked,
        format,
        topic: contractor.topic,
        price: fate === 'cancelled' ? 0 : roundPrice(asked),
      };
      const whole: Deal = { ...deal, fate, leads: fate === 'cancelled' ? 0 : leadsOf(deal, fate) };
      known.note(whole);
      made.push(whole);
      left -= 1;
    }
  }
  return made;
};
