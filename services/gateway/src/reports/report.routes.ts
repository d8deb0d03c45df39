import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { presentEarningsTotals } from '@zakup/contracts/to-wire';
import type { EmployeeRow } from '@zakup/contracts/read-models';
import { salaryEventsQuery, salaryQuery, statementQuery } from '@zakup/contracts/requests/queries';
import { explainEarnings } from '@zakup/domain/analytics/earnings';
import { may } from '@zakup/domain/permissions';
import { showCampaignName } from '@zakup/domain/topics';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { historyViewOf } from '@zakup/contracts/shown-event';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { rowOf, rowsOf } from '../read-models/rows.ts';
import { bonusHistory } from '../lineage/bonus-history.ts';
import { compareNames } from '../read-models/placement-names.ts';
import { salaryRows } from './salary.ts';

/** Who is in the report: whoever may be a buyer, and whoever has bought. */
const isBuyer = ({ role, isActive }: EmployeeRow): boolean =>
  isActive && (role === 'MEDIA_BUYER' || role === 'TEAM_LEAD');

/** As a key is told (KEY-4). */
const withoutTerms = (row: SalaryRowWire): SalaryRowWire => ({
  ...row,
  salaryType: null,
  threshold: null,
  formula: '',
  leftOut: row.leftOut.map((line) => ({ ...line, reason: '' })),
});

/** What people are paid by: the salary report, and everybody's own statement. */
export const reportRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/reports/salary',
    readRoute(deps, {
      weight: 'costly',
      ...nothingToFind,
      may: (person) => may(person, 'reports.read'),
      query: salaryQuery,
      at: true,
      answer: async ({ person, licence, readStore }, _, { userId, ...query }) => {
        const people = await rowsOf(readStore, 'user', licence.id);
        const asked = userId === undefined ? people : people.filter(({ id }) => id === userId);
        const rows = await salaryRows(readStore, licence, asked, query);
        const shown = new Set(people.filter(isBuyer).map(({ id }) => id));
        const listed = rows.filter(
          ({ userId: id, countedTotal, leftOutTotal }) =>
            id === userId || shown.has(id) || countedTotal.count + leftOutTotal.count > 0,
        );
        return { data: { rows: person.byKey === true ? listed.map(withoutTerms) : listed } };
      },
    }),
  );

  router.get(
    '/reports/salary/events',
    readRoute(deps, {
      closedToKeys: true,
      weight: 'costly',
      ...nothingToFind,
      may: (person, { userId }) => may(person, userId === person.userId ? 'screen.profile' : 'reports.read'),
      query: salaryEventsQuery,
      at: true,
      answer: async ({ person, licence, readStore, position }, _, { userId, ...selection }) => {
        const { campaign } = selection;
        const all = await rowsOf(readStore, 'campaign', licence.id);
        const campaigns = all.filter(({ id }) => campaign === undefined || id === campaign);
        const { moved, historyComplete } = await bonusHistory(
          { documents: readStore, readStore: deps.readStore },
          {
            licenceId: licence.id,
            userId,
            terms: await rowOf(readStore, 'user', userId, licence.id),
            campaignIds: campaigns.map(({ id }) => id),
            selection,
            to: position,
            view: historyViewOf(person),
          },
        );
        return { data: { moved, historyComplete } };
      },
    }),
  );

  router.get(
    '/profile/statement',
    readRoute(deps, {
      closedToKeys: true,
      ...nothingToFind,
      may: (person) => may(person, 'screen.profile'),
      query: statementQuery,
      answer: async ({ user, licence, readStore }, _, query) => {
        const [salary] = await salaryRows(readStore, licence, [user], query);
        const campaigns = await rowsOf(readStore, 'campaign', licence.id);
        const names = new Map(campaigns.map(({ id, name }) => [id, showCampaignName(name)]));
        const own = await rowsOf(readStore, 'earnings', licence.id, { where: { userId: user.id } });
        const earnings = own
          .filter(({ campaignId }) => query.campaign === undefined || campaignId === query.campaign)
          .map((row) => {
            const { campaignId, terms, budget, spent, earnings: earned, zeroLeads } = presentEarningsTotals(row);
            const campaignName = names.get(campaignId) ?? campaignId;
            return {
              campaignId,
              campaignName,
              terms,
              budget,
              spent,
              earnings: earned,
              zeroLeads,
              formula: explainEarnings(row).formula,
            };
          })
          .toSorted((a, b) => compareNames(a.campaignName, b.campaignName));
        return { data: { salary, earnings } };
      },
    }),
  );

  return router;
};
