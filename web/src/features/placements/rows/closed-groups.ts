import { z } from 'zod';
import { keepItem } from '../../../shared/storage/keep-item.ts';

/** Local key of the groups that are closed; dropped when another licence signs in. */
export const closedGroupsKey = 'closedGroups';

/** Of so many campaigns they are remembered, of the one that was changed last first, and so many of each. */
const mostCampaigns = 30;
const mostGroups = 500;

const stored = z.array(z.object({ campaignId: z.string(), keys: z.array(z.string().max(300)).max(mostGroups) }));

const read = (): z.output<typeof stored> => {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(closedGroupsKey) ?? '[]'));
  } catch {
    return [];
  }
};

/** Keys of the groups of a campaign's table that were closed in this browser. */
export const closedGroupsOf = (campaignId: string): ReadonlySet<string> =>
  new Set(read().find((one) => one.campaignId === campaignId)?.keys);

/** A browser that keeps nothing has them all open the next time. */
export const rememberClosedGroups = (campaignId: string, keys: ReadonlySet<string>): void => {
  const others = read().filter((one) => one.campaignId !== campaignId);
  const own = keys.size === 0 ? [] : [{ campaignId, keys: [...keys].slice(-mostGroups) }];
  keepItem(localStorage, closedGroupsKey, JSON.stringify([...own, ...others].slice(0, mostCampaigns)));
};
