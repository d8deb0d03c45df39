import { presentAnalytics, presentEarnings } from '@zakup/contracts/present';
import type { AnalyticsRow, CampaignRow, LicenceRow } from '@zakup/contracts/read-models';
import { noOperands } from '@zakup/contracts/read-models';
import { indicators, topBuyers, topCreatives } from '@zakup/domain/analytics/indicators';
import { messages } from '@zakup/domain/messages';
import { kopecks, toRoubles } from '@zakup/domain/money';
import { may, type Person, type Verdict } from '@zakup/domain/permissions';
import { noCreative } from '@zakup/domain/placement/events';
import { Router } from 'express';
import { aliasesOf } from '../aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { noQuery, type ReadContext, readRoute } from '../read-route.ts';
import { rowOf, rowsOf } from '../rows.ts';

/** The dashboard's summary and the analytics page show the same report. */
const mayReadReport = (person: Person): Verdict => {
  const verdict = may(person, 'campaign.read');
  return verdict.allowed ? verdict : may(person, 'analytics.read');
};

const emptyAnalytics = ({ id, totalBudget }: CampaignRow): AnalyticsRow => ({
  campaignId: id,
  totalBudget,
  paid: kopecks(0),
  total: noOperands,
  byBuyer: {},
  byCreative: {},
  byContractor: {},
  byDay: {},
});

const indicatorsOf = (row: AnalyticsRow, { settings }: LicenceRow) => {
  const figures = indicators({
    totalBudget: row.totalBudget,
    totals: { ...row.total, paid: row.paid },
    buyers: Object.keys(row.byBuyer).length,
    creatives: Object.keys(row.byCreative).filter((id) => id !== noCreative).length,
    leadValue: settings.leadValue,
  });
  return { ...figures, budgetPerCreative: toRoubles(figures.budgetPerCreative) };
};

/** Reports of one campaign. */
export const campaignRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  const { readStore } = deps;
  const campaign = {
    find: ({ params, person }: ReadContext) => rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id),
    missing: messages.campaignNotFound,
    query: noQuery,
  } as const;

  router.get(
    '/campaigns/:id/analytics',
    readRoute(deps, {
      ...campaign,
      may: mayReadReport,
      answer: async ({ person, licence }, found) => {
        const row = (await rowOf(readStore, 'analytics', found.id, person.licence.id)) ?? emptyAnalytics(found);
        const report = presentAnalytics((await aliasesOf(readStore, person.licence.id)).analytics(row));
        return {
          data: {
            ...report,
            topBuyers: topBuyers(report.byBuyer),
            topCreatives: topCreatives(report.byCreative),
            indicators: indicatorsOf(row, licence),
          },
        };
      },
    }),
  );

  router.get(
    '/campaigns/:id/earnings',
    readRoute(deps, {
      ...campaign,
      may: (person) => may(person, 'earnings.read', 'some'),
      answer: async ({ person }, found) => {
        const rows = await rowsOf(readStore, 'earnings', person.licence.id, { where: { campaignId: found.id } });
        const open = rows.filter(({ userId }) => may(person, 'earnings.read', { userId }).allowed);
        return { data: { earnings: open.map(presentEarnings) } };
      },
    }),
  );

  return router;
};
