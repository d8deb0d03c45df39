import { presentEarnings, wireLines } from '@zakup/contracts/to-wire';
import type { AnalyticsRow, CampaignRow } from '@zakup/contracts/read-models';
import { noSums } from '@zakup/domain/analytics/sums';
import { messages } from '@zakup/domain/messages';
import { kopecks } from '@zakup/domain/money';
import { may, type Person, type Verdict } from '@zakup/domain/permissions';
import { Router } from 'express';
import { aliasesOf } from '../read-models/aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { mapYielding } from '@zakup/async/map-yielding';
import { seesOthersEarnings } from '@zakup/contracts/shown-event';
import { readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import type { ReadContext } from '../http/read-context.ts';
import { dataOf, rowOf } from '../read-models/rows.ts';
import { campaignReport, ownStatement } from '../reports/campaign-report.ts';
import { earningsByLine } from '../reports/earnings-by-line.ts';

/** The dashboard's summary and the analytics page show the same report. */
const mayReadReport = (person: Person): Verdict => {
  const verdict = may(person, 'campaign.read');
  return verdict.allowed ? verdict : may(person, 'analytics.read');
};

const emptyAnalytics = ({ id, totalBudget }: CampaignRow): AnalyticsRow => ({
  campaignId: id,
  totalBudget,
  paid: kopecks(0),
  total: noSums,
  byBuyer: {},
  byCreative: {},
  byContractor: {},
  byDay: {},
});

/** Reports of one campaign. */
export const campaignRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  const campaign = {
    find: ({ params, person, readStore }: ReadContext) =>
      rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id),
    missing: messages.campaignNotFound,
    query: noQuery,
    at: true,
  } as const;

  router.get(
    '/campaigns/:id/analytics',
    readRoute(deps, {
      ...campaign,
      may: mayReadReport,
      answer: async ({ person, licence, readStore }, found) => {
        const [row, aliases] = await Promise.all([
          rowOf(readStore, 'analytics', found.id, person.licence.id),
          aliasesOf(readStore, person.licence.id),
        ]);
        return { data: campaignReport(aliases.analytics(row ?? emptyAnalytics(found)), licence) };
      },
    }),
  );

  router.get(
    '/campaigns/:id/earnings',
    readRoute(deps, {
      weight: 'costly',
      ...campaign,
      may: (person) => may(person, 'earnings.read', 'some'),
      answer: async ({ person, readStore }, found) => {
        const asked = { licenceId: person.licence.id, campaignId: found.id };
        const own = seesOthersEarnings(person) ? {} : { userId: person.userId };
        const all = await earningsByLine(readStore, { ...asked, ...own }, wireLines);
        const told = all.filter(({ userId }) => may(person, 'earnings.read', { userId }).allowed);
        const people = await readStore.getMany(
          'user',
          told.map(({ userId }) => userId),
        );
        const personBy = new Map(people.filter((doc) => !doc.deleted).map((doc) => [doc.id, dataOf('user', doc)]));
        const statements = told.map((row) => ownStatement(row, personBy.get(row.userId)));
        return { data: { earnings: await mapYielding(told, presentEarnings), statements } };
      },
    }),
  );

  return router;
};
