import type { Day } from '@zakup/domain/calendar';
import { type Campaign, campaigns } from './campaigns.ts';
import { chance } from './chance.ts';
import { type Contractor, contractors } from './contractors.ts';
import { type Creative, creatives } from './creatives.ts';
import { type Days, days } from './days.ts';
import { type Habits, type Person, people } from './people.ts';

/** How much is told. */
export interface Scale {
  readonly seed: number;
  /** The last day that is told of. */
  readonly lastDay: Day;
  /** 60 at least: shorter, campaigns would end before their bills are paid. */
  readonly length: number;
  readonly contractors: number;
  /** That are there in the end. */
  readonly placements: number;
}

export interface PlannedCampaign {
  readonly campaign: Campaign;
  /** Days by number: when it is made, and of its first and last placements; none where the last is before the first. */
  readonly made: number;
  readonly first: number;
  readonly last: number;
  /** null = it is not completed. */
  readonly completed: number | null;
}

/** Who and what is there on which day. */
export interface Plan {
  readonly days: Days;
  readonly campaigns: readonly PlannedCampaign[];
  readonly contractors: readonly Contractor[];
  readonly creatives: readonly Creative[];
  /** The day on which a person comes, and the last on which they are there. */
  readonly stay: (person: Person) => { readonly joins: number; readonly leaves: number };
  readonly buyersOf: (campaign: Campaign, day: number) => readonly (readonly [key: string, habits: Habits])[];
  readonly bookableFrom: (campaign: Campaign, buyer: string) => number;
  readonly contractorsOn: (day: number) => readonly Contractor[];
  readonly creativeMade: (creative: Creative) => number;
  readonly creativesOn: (campaign: Campaign, day: number) => readonly Creative[];
  /** When a contractor goes by another nick, and by which. */
  readonly renamed: ReadonlyMap<number, { readonly day: number; readonly nick: string }>;
  readonly closed: ReadonlyMap<number, number>;
}

/** Days from a campaign's last placement until its bills are paid. */
const settling = 12;
/** The day on which the licence is issued. */
export const founding = -10;
/** Days for which somebody or a contractor who will leave buys, or is bought, nothing more. */
const notice = 14;

export const plan = ({ seed, lastDay, length, contractors: count }: Scale): Plan => {
  const calendar = days(lastDay, length);
  const all = contractors(seed, count);
  const luck = chance(seed, 'plan');
  const day = (share: number): number => Math.round(share * length);

  const planned = campaigns.map((campaign): PlannedCampaign => {
    const isDraft = campaign.status === 'DRAFT';
    const first = day(campaign.from);
    const ends = day(campaign.to) - 1;
    return {
      campaign,
      made: isDraft ? day(0.95) : first - 4,
      first,
      last: isDraft ? first - 1 : Math.min(ends, length - 1),
      completed: campaign.status === 'COMPLETED' ? ends + settling : null,
    };
  });
  const plannedOf = (campaign: Campaign): PlannedCampaign => {
    const found = planned.find((one) => one.campaign === campaign);
    if (found === undefined) throw new Error(`No campaign ${campaign.key}`);
    return found;
  };
  const stay: Plan['stay'] = ({ joins, leaves }) => ({
    joins: joins === undefined ? founding + 1 : day(joins),
    leaves: leaves === undefined ? length : day(leaves),
  });
  const person = (key: string): Person => {
    const found = people.find((one) => one.key === key);
    if (found === undefined) throw new Error(`No person ${key}`);
    return found;
  };

  const odd = luck.shuffled(all.filter(({ known }) => known < 0.5));
  const few = Math.max(2, Math.round(count / 25));
  const renamed = new Map(
    odd
      .slice(0, few)
      .map(({ index, nick }) => [
        index,
        { day: day(0.3 + 0.6 * luck.next()), nick: luck.oneOf([`${nick}_new`, `${nick}_tg`, `the_${nick}`]) },
      ]),
  );
  const closed = new Map(
    odd.slice(few, few + Math.ceil(few / 2)).map(({ index }) => [index, day(0.88 + 0.08 * luck.next())]),
  );

  const lastBought = (index: number): number => (closed.get(index) ?? Number.POSITIVE_INFINITY) - notice;

  const own = creatives(seed);
  const creativeMade: Plan['creativeMade'] = (creative) => {
    const { made, first, last } = plannedOf(creative.campaign);
    const siblings = own.filter(({ campaign }) => campaign === creative.campaign);
    const nth = siblings.indexOf(creative);
    // Half of them are there at the beginning, the others come while it goes on.
    return last < first || nth < siblings.length / 2
      ? made + 1
      : first + Math.round(((last - first) * 0.6 * nth) / siblings.length);
  };

  return {
    days: calendar,
    campaigns: planned,
    contractors: all,
    creatives: own,
    stay,
    buyersOf: (campaign, on) =>
      Object.keys(campaign.team).flatMap((key) => {
        const one = person(key);
        const { joins, leaves } = stay(one);
        const until = one.leaves === undefined ? leaves : leaves - notice;
        return one.habits !== undefined && on >= joins + 3 && on < until ? [[key, one.habits] as const] : [];
      }),
    bookableFrom: (campaign, buyer) => Math.max(plannedOf(campaign).made + 2, stay(person(buyer)).joins + 2),
    contractorsOn: (on) => all.filter(({ index, known }) => known * length <= on && on < lastBought(index)),
    creativeMade,
    creativesOn: (campaign, on) => own.filter((one) => one.campaign === campaign && creativeMade(one) < on),
    renamed,
    closed,
  };
};
