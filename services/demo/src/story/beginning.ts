import { type Act, type StoryIds } from './act.ts';
import { channels, type Terms } from './campaigns.ts';
import { type Deal } from './deals.ts';
import { owner, type Person, people } from './people.ts';
import { founding, type Plan, type PlannedCampaign } from './plan.ts';

/** What of an act is said where the rest goes by itself. */
export type Said = Pick<Act, 'at' | 'by' | 'method' | 'path'> & {
  readonly name: string;
  readonly body?: object;
  readonly source?: Act['source'];
};

export const actOf = (ids: StoryIds, { name, source = 'screen', ...said }: Said): Act => ({
  ...said,
  commandId: ids.command(name),
  source,
});

/** Ids of what there is before anything is bought. */
export const beginnings = (ids: StoryIds) => {
  const person = (key: string): string =>
    key === owner.key ? ids.owner : ids.made(ids.owner, `person/${key}`, 'employee');
  const lead = person('sokolova');
  return {
    person,
    lead,
    channel: (key: string): string => ids.made(person('lisitsyn'), `channel/${key}`, 'channel'),
    campaign: (key: string): string => ids.made(lead, `campaign/${key}`, 'campaign'),
    creative: (key: string): string => ids.made(lead, `creative/${key}`, 'creative'),
  };
};

/** People come and go; the password is the real store's, which the story does not know. */
export const peopleActs = (ids: StoryIds, { days, stay }: Plan): readonly Act[] => {
  const { person } = beginnings(ids);
  return people.flatMap((one, index) => {
    const { key, name, email, role, authCode, salaryType, salaryRate, performanceThreshold, permissions } = one;
    const { joins, leaves } = stay(one);
    const body = {
      name,
      email,
      role,
      authCode,
      password: 'not the one that signs in',
      salaryType,
      salaryRate,
      performanceThreshold,
      ...(permissions !== undefined && { permissions }),
    };
    const path = '/employees/create';
    const comes = { name: `person/${key}`, at: days.at(joins, 600 + index * 4), by: ids.owner, path, body };
    const goes = {
      name: `person/${key}/leaves`,
      at: days.at(leaves, 18 * 60),
      by: person('lisitsyn'),
      path: `/users/${person(key)}`,
    };
    return [
      actOf(ids, { ...comes, method: 'POST' }),
      ...(one.leaves === undefined ? [] : [actOf(ids, { ...goes, method: 'DELETE' })]),
    ];
  });
};

export const catalogActs = (ids: StoryIds, { days, creatives, creativeMade, campaigns }: Plan): readonly Act[] => {
  const { person, lead, channel, creative } = beginnings(ids);
  const director = person('lisitsyn');
  const settings = { codeOnlyLogin: true };
  const codeOnly = {
    name: 'settings',
    at: days.at(founding, 720),
    by: ids.owner,
    path: '/license/settings',
    body: settings,
  };
  const renamedChannel = channels.at(-1);
  return [
    actOf(ids, { ...codeOnly, method: 'PUT' }),
    ...channels.map(({ key, name }, index) => {
      const body = { name: key === renamedChannel?.key ? 'Код с кофе' : name };
      const at = days.at(founding + 2, 660 + index * 7);
      return actOf(ids, { name: `channel/${key}`, at, by: director, method: 'POST', path: '/channels', body });
    }),
    ...(renamedChannel === undefined
      ? []
      : [
          actOf(ids, {
            name: 'channel/renamed',
            at: days.at(20, 900),
            by: director,
            method: 'PUT',
            path: `/channels/${channel(renamedChannel.key)}`,
            body: { name: renamedChannel.name },
          }),
        ]),
    ...creatives.map((one, index) => {
      const { key, name, abbreviation, type, notes } = one;
      const at = days.at(creativeMade(one), 615 + (index % 10) * 6);
      const body = { name, abbreviation, type, notes };
      return actOf(ids, { name: `creative/${key}`, at, by: lead, method: 'POST', path: '/creatives', body });
    }),
    // Every third one of a completed campaign is put away once that is over.
    ...creatives.flatMap(({ key, campaign }, index) => {
      const completed = campaigns.find((one) => one.campaign === campaign)?.completed ?? null;
      if (completed === null || index % 3 !== 0) return [];
      const at = days.at(completed, 1130 + index);
      return [
        actOf(ids, {
          name: `creative/${key}/away`,
          at,
          by: lead,
          method: 'DELETE',
          path: `/creatives/${creative(key)}`,
        }),
      ];
    }),
  ];
};

const termsOf = (terms: Terms) => ({
  salaryType: terms?.salaryType ?? null,
  salaryRate: terms?.salaryRate ?? null,
  cplThreshold: terms?.salaryType === 'performance' ? terms.cplThreshold : null,
});

const memberOf = (userId: string, terms: Terms, budget: number, raised: boolean) => {
  const entry = { userId, budget, ...termsOf(terms) };
  return raised && entry.cplThreshold !== null ? { ...entry, cplThreshold: entry.cplThreshold + 10 } : entry;
};

const rounded = (roubles: number): number => {
  const step = roubles > 300_000 ? 10_000 : roubles > 30_000 ? 5000 : 500;
  return Math.max(step, Math.ceil(roubles / step) * step);
};

const sum = (deals: readonly Deal[]): number => deals.reduce((all, { price }) => all + price, 0);

/** Budgets as if they had been planned a little beside what was spent: people overspend and underspend. */
const beside = [1.08, 0.94, 1.22, 1.02, 1.14] as const;

const joinsOf = (plan: Plan, key: string): number => {
  const one = people.find((other: Person) => other.key === key);
  return one === undefined ? 0 : plan.stay(one).joins;
};

/** Campaigns from their making to their end, with budgets that what was bought fits into. */
export const campaignActs = (ids: StoryIds, plan: Plan, deals: readonly Deal[]): readonly Act[] => {
  const { person, lead, channel, campaign: campaignId } = beginnings(ids);
  const director = person('lisitsyn');
  const { days } = plan;

  const actsOf = ({ campaign, made, first, last, completed }: PlannedCampaign, index: number): readonly Act[] => {
    const own = deals.filter((deal) => deal.campaign === campaign && deal.fate !== 'removed');
    const total = own.length === 0 ? 600_000 : rounded(sum(own) / campaign.spent);
    const team = Object.entries(campaign.team);
    const budgetOf = (buyerKey: string, nth: number): number => {
      const spent = sum(own.filter(({ buyer }) => buyer === buyerKey));
      const share =
        own.length === 0 ? total / 3 : (spent / campaign.spent) * (beside[(nth + index) % beside.length] ?? 1);
      return rounded(share);
    };
    const members = (until: number, raised: boolean) =>
      team
        .filter(([key]) => joinsOf(plan, key) < until)
        .map(([key, terms], nth) => memberOf(person(key), terms, budgetOf(key, nth), raised));
    const path = `/campaigns/${campaignId(campaign.key)}`;
    const late = Math.max(...team.map(([key]) => joinsOf(plan, key)));
    const isActive = campaign.status === 'ACTIVE';
    const ends = campaign.to > 1 && campaign.status !== 'DRAFT' ? Math.round(campaign.to * days.length) : last;
    const changed = Math.round((first + Math.min(last, days.length - 1)) / 2);
    const begin = {
      name: `${campaign.channel.name} | ${campaign.title}, ${days.month(Math.max(first, made))}`,
      channelId: channel(campaign.channel.key),
      // Some begin with less and are given more when they go well.
      totalBudget: isActive ? rounded(total * 0.8) : total,
      status: campaign.status === 'DRAFT' || index === 6 ? 'DRAFT' : 'ACTIVE',
      startDate: days.day(first),
      endDate: days.day(campaign.status === 'DRAFT' ? first + 90 : ends),
      participants: members(made, false),
    };
    const said = { by: lead, path };
    return [
      actOf(ids, {
        name: `campaign/${campaign.key}`,
        at: days.at(made, 690),
        by: lead,
        method: 'POST',
        path: '/campaigns',
        body: begin,
      }),
      ...(isActive && begin.status === 'DRAFT'
        ? [
            actOf(ids, {
              ...said,
              name: `${campaign.key}/active`,
              at: days.at(first - 3, 600),
              method: 'PUT',
              body: { status: 'ACTIVE' },
            }),
          ]
        : []),
      ...(late > made - 1 && late < days.length
        ? [
            actOf(ids, {
              ...said,
              name: `${campaign.key}/joined`,
              at: days.at(late + 1, 640),
              method: 'PUT',
              body: { participants: members(late + 1, false) },
            }),
          ]
        : []),
      ...(isActive
        ? [
            actOf(ids, {
              name: `${campaign.key}/more`,
              by: director,
              path,
              at: days.at(changed, 1000),
              method: 'PUT',
              body: { totalBudget: total },
            }),
            actOf(ids, {
              ...said,
              name: `${campaign.key}/terms`,
              at: days.at(changed + 2, 1010),
              method: 'PUT',
              body: { participants: members(days.length, true) },
            }),
          ]
        : []),
      ...(completed === null
        ? []
        : [
            actOf(ids, {
              ...said,
              name: `${campaign.key}/complete`,
              at: days.at(completed, 1110),
              method: 'POST',
              path: `${path}/complete`,
            }),
          ]),
    ];
  };
  return plan.campaigns.flatMap(actsOf);
};
