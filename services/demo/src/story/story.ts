import { type Act, storyIds, type StoryIds } from './act.ts';
import { campaignActs, catalogActs, peopleActs } from './beginning.ts';
import { buyingActs } from './buying.ts';
import { deals } from './deals.ts';
import { founding, plan, type Scale } from './plan.ts';

/** A licence's life, told as requests of its people, day by day. */
export interface Story {
  readonly ids: StoryIds;
  /** UTC milliseconds: when the licence is issued, and the end of the last day. */
  readonly begins: number;
  readonly ends: number;
  /** Acts of each day in their order; the first days lie before the first placement. */
  readonly days: readonly (readonly Act[])[];
}

/** What `npm run demo` tells. */
export const demoScale = { seed: 20_26, length: 365, contractors: 300, placements: 12_000 } as const;

/** How many days are told of at this scale. */
export const storyDays = ({ length }: Pick<Scale, 'length'>): number => length - founding;

/** The same scale gives the same story, to the last id. */
export const story = (scale: Scale): Story => {
  const ids = storyIds(scale.seed);
  const planned = plan(scale);
  const bought = deals(scale.seed, planned, scale.placements);
  const acts = [
    ...peopleActs(ids, planned),
    ...catalogActs(ids, planned),
    ...campaignActs(ids, planned, bought),
    ...buyingActs(scale.seed, ids, planned, bought),
  ];
  const { days } = planned;
  const ends = days.at(scale.length, 0);
  const told = acts.filter(({ at }) => at < ends).sort((one, other) => one.at - other.at);
  const byDay = Array.from({ length: storyDays(scale) }, (): Act[] => []);
  for (const act of told)
    byDay[Math.floor((act.at - days.at(founding, 0)) / (days.at(1, 0) - days.at(0, 0)))]?.push(act);
  return { ids, begins: days.at(founding, 600), ends, days: byDay };
};
