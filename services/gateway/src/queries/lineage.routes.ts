import type { EarningsByLine } from '@zakup/contracts/read-models';
import {
  campaignLineageQuery,
  contractorLineageQuery,
  creativeLineageQuery,
  licenceLineageQuery,
  payFigures,
} from '@zakup/contracts/requests/queries';
import { noTally } from '@zakup/domain/analytics/earnings-sums';
import type { Figure } from '@zakup/domain/analytics/figures';
import { messages } from '@zakup/domain/messages';
import { kopecks } from '@zakup/domain/money';
import { may, type Person } from '@zakup/domain/permissions';
import { plainLines } from '@zakup/projections/earnings-lines';
import { Router } from 'express';
import { aliasesOf } from '../aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { historyViewOf } from '../person.ts';
import { nothingToFind, readRoute } from '../read-route.ts';
import { rowOf, rowsOf } from '../rows.ts';
import { earningsByLine } from './earnings-by-line.ts';
import { byBuyer, byChannelSize, byContractor, byCreative, narrowedBy } from './narrowing.ts';
import { licenceLineage } from './licence-lineage.ts';
import { lineage, type Pay } from './lineage.ts';

const isPay = (figure: unknown): figure is (typeof payFigures)[number] =>
  (payFigures as readonly unknown[]).includes(figure);

const nobodyPaid = (campaignId: string, userId: string): EarningsByLine => ({
  campaignId,
  userId,
  terms: { salaryType: null, salaryRate: 0, cplThreshold: kopecks(0), source: 'none' },
  budget: kopecks(0),
  spent: kopecks(0),
  earnings: kopecks(0),
  countedTotal: noTally,
  counted: [],
  leftOut: [],
  zeroLeads: noTally,
});

/** The rate on somebody's card is for those who see cards or the salary report, whatever the licence's switch says of earnings. */
const mayKnowPay = (person: Person, figure: (typeof payFigures)[number], userId: string) => {
  const reads = [may(person, 'people.read'), may(person, 'reports.read')] as const;
  return figure !== 'ownRate' || userId === person.userId || reads.some(({ allowed }) => allowed)
    ? may(person, 'earnings.read', { userId })
    : reads[0];
};

/** Why a figure is what it is (NUM-19). */
export const lineageRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/campaigns/:id/lineage',
    readRoute(deps, {
      may: (person, { figure, userId }) =>
        figure === 'allEarnings'
          ? may(person, 'earnings.read', { userId: '' })
          : isPay(figure) && typeof userId === 'string'
            ? mayKnowPay(person, figure, userId)
            : may(person, 'campaign.read'),
      find: ({ params, person, readStore }) => rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id),
      missing: messages.campaignNotFound,
      query: campaignLineageQuery,
      at: true,
      unfit: (_, { figure, userId, page: _page, pageSize: _pageSize, ...parts }) => {
        if (!isPay(figure)) return null;
        if ((userId === undefined) !== (figure === 'allEarnings'))
          return { pointer: '/userId', detail: messages.valueInvalid };
        // What somebody is paid is of the whole campaign.
        const part = Object.entries(parts).find(([, value]) => value !== undefined);
        return part === undefined ? null : { pointer: `/${part[0]}`, detail: messages.valueInvalid };
      },
      answer: async ({ person, licence, readStore, position }, campaign, query) => {
        const { figure, userId, placementId = null, page, pageSize } = query;
        const aliases = await aliasesOf(readStore, licence.id);
        const participant = campaign.participants.find((one) => one.userId === userId);
        const subject = {
          licence,
          campaignIds: [campaign.id],
          everywhere: false,
          totalBudget: userId === undefined ? campaign.totalBudget : (participant?.budget ?? kopecks(0)),
          participantId: userId ?? null,
          narrowed: await narrowedBy(query, aliases, { documents: readStore, licenceId: licence.id }),
          only: placementId,
          page,
          pageSize,
          to: position,
          view: historyViewOf(person),
        };
        const pay = async (asked: (typeof payFigures)[number]): Promise<Pay> => {
          const paid = { licenceId: licence.id, campaignId: campaign.id };
          if (asked === 'allEarnings') {
            const names = new Map((await rowsOf(readStore, 'user', licence.id)).map(({ id, name }) => [id, name]));
            const rows = await earningsByLine(readStore, paid, plainLines);
            const named = rows.map((row) => ({ ...row, name: names.get(row.userId) ?? row.userId }));
            return { figure: asked, rows: named.toSorted((a, b) => b.earnings - a.earnings) };
          }
          const [row] = await earningsByLine(readStore, { ...paid, userId: userId ?? '' }, plainLines);
          const user = await rowOf(readStore, 'user', userId ?? '', licence.id);
          const salaryRate = user?.salaryRate ?? null;
          return { figure: asked, row: row ?? nobodyPaid(campaign.id, userId ?? ''), salaryRate };
        };
        const asked: Figure | Pay = isPay(figure) ? await pay(figure) : figure;
        const sources = { documents: readStore, readStore: deps.readStore, aliases };
        return { data: await lineage(sources, subject, asked) };
      },
    }),
  );

  router.get(
    '/contractors/:id/lineage',
    readRoute(deps, {
      may: (person) => may(person, 'campaign.read'),
      find: async ({ params, readStore, person: { licence } }) => {
        const { receiver } = await aliasesOf(readStore, licence.id);
        return rowOf(readStore, 'contractor', receiver(params['id'] ?? ''), licence.id);
      },
      missing: messages.contractorNotFound,
      query: contractorLineageQuery,
      at: true,
      answer: async ({ person, licence, readStore, position }, contractor, query) => {
        const { figure, userId, placementId = null, page, pageSize } = query;
        const aliases = await aliasesOf(readStore, licence.id);
        const subject = {
          licence,
          campaignIds: Object.keys(contractor.totals.campaigns),
          everywhere: true,
          totalBudget: kopecks(0),
          participantId: null,
          narrowed: [byContractor(aliases, contractor.id), ...(userId === undefined ? [] : [byBuyer(userId)])],
          only: placementId,
          page,
          pageSize,
          to: position,
          view: historyViewOf(person),
        };
        return { data: await lineage({ documents: readStore, readStore: deps.readStore, aliases }, subject, figure) };
      },
    }),
  );

  router.get(
    '/creatives/:id/lineage',
    readRoute(deps, {
      may: (person) => may(person, 'campaign.read'),
      find: ({ params, readStore, person: { licence } }) =>
        rowOf(readStore, 'creative', params['id'] ?? '', licence.id),
      missing: messages.creativeNotFound,
      query: creativeLineageQuery,
      at: true,
      answer: async ({ person, licence, readStore, position }, creative, query) => {
        const { figure, size, page, pageSize } = query;
        const aliases = await aliasesOf(readStore, licence.id);
        const campaigns = await rowsOf(readStore, 'campaign', licence.id);
        const subject = {
          licence,
          campaignIds: campaigns
            .map(({ id }) => id)
            .filter((id) => creative.totals === undefined || Object.hasOwn(creative.totals.campaigns, id)),
          everywhere: true,
          totalBudget: kopecks(0),
          participantId: null,
          narrowed: [byCreative(creative.id), ...(size === undefined ? [] : [byChannelSize(size)])],
          only: null,
          page,
          pageSize,
          to: position,
          view: historyViewOf(person),
        };
        return { data: await lineage({ documents: readStore, readStore: deps.readStore, aliases }, subject, figure) };
      },
    }),
  );

  router.get(
    '/license/lineage',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'campaign.read'),
      query: licenceLineageQuery,
      at: true,
      answer: async ({ person, licence, readStore, position }, _, { figure }) => {
        const sources = { documents: readStore, readStore: deps.readStore };
        return { data: await licenceLineage(sources, { licence, to: position, view: historyViewOf(person) }, figure) };
      },
    }),
  );

  return router;
};
