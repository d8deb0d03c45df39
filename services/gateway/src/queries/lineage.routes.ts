import type { HistoryView } from '@zakup/contracts/history';
import type { EarningsRow } from '@zakup/contracts/read-models';
import {
  type CampaignLineageQuery,
  campaignLineageQuery,
  contractorLineageQuery,
  payFigures,
} from '@zakup/contracts/requests/queries';
import type { Figure } from '@zakup/domain/analytics/figures';
import { messages } from '@zakup/domain/messages';
import { kopecks } from '@zakup/domain/money';
import { may, type Person } from '@zakup/domain/permissions';
import { Router } from 'express';
import { type Aliases, aliasesOf } from '../aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { seesOthersEarnings } from '../person.ts';
import { readRoute } from '../read-route.ts';
import { rowOf } from '../rows.ts';
import type { Narrowed } from './figure-history.ts';
import { lineage } from './lineage.ts';

const viewOf = (person: Person): HistoryView => ({
  people: may(person, 'people.read').allowed,
  termsOf: seesOthersEarnings(person) ? null : person.userId,
});

const isPay = (figure: unknown): figure is (typeof payFigures)[number] =>
  (payFigures as readonly unknown[]).includes(figure);

const byContractor = (aliases: Aliases, id: string): Narrowed => ({
  field: 'contractorId',
  ids: new Set(aliases.parts(aliases.receiver(id))),
  movedAway: 'Перенесено на другого контрагента',
});

const narrowedBy = ({ userId, creativeId, contractorId }: CampaignLineageQuery, aliases: Aliases): Narrowed[] => [
  ...(userId === undefined
    ? []
    : [{ field: 'buyerId' as const, ids: new Set([userId]), movedAway: 'Перенесено на другого байера' }]),
  ...(creativeId === undefined
    ? []
    : [{ field: 'creativeId' as const, ids: new Set([creativeId]), movedAway: 'Перенесено на другой креатив' }]),
  ...(contractorId === undefined ? [] : [byContractor(aliases, contractorId)]),
];

const nobodyPaid = (campaignId: string, userId: string): EarningsRow => ({
  campaignId,
  userId,
  terms: { salaryType: null, salaryRate: 0, cplThreshold: kopecks(0), source: 'none' },
  budget: kopecks(0),
  spent: kopecks(0),
  earnings: kopecks(0),
  counted: [],
  leftOut: [],
  zeroLeads: { count: 0, price: kopecks(0) },
});

/** Why a figure is what it is (NUM-19). */
export const lineageRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/campaigns/:id/lineage',
    readRoute(deps, {
      may: (person, { figure, userId }) =>
        isPay(figure) && typeof userId === 'string'
          ? may(person, 'earnings.read', { userId })
          : may(person, 'campaign.read'),
      find: ({ params, person, readStore }) => rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id),
      missing: messages.campaignNotFound,
      query: campaignLineageQuery,
      at: true,
      unfit: (_, { figure, userId }) =>
        isPay(figure) && userId === undefined ? { pointer: '/userId', detail: messages.valueInvalid } : null,
      answer: async ({ person, licence, readStore, position }, campaign, query) => {
        const { figure, userId = '', page, pageSize } = query;
        const aliases = await aliasesOf(readStore, licence.id);
        const subject = {
          licence,
          campaignIds: [campaign.id],
          totalBudget: campaign.totalBudget,
          narrowed: narrowedBy(query, aliases),
          page,
          pageSize,
          to: position,
          view: viewOf(person),
        };
        const pay = async (asked: (typeof payFigures)[number]) => {
          const row = await rowOf(readStore, 'earnings', `${campaign.id}:${userId}`, licence.id);
          const user = await rowOf(readStore, 'user', userId, licence.id);
          const salaryRate = user?.salaryRate ?? null;
          return { figure: asked, row: row ?? nobodyPaid(campaign.id, userId), salaryRate };
        };
        const asked: Figure | Awaited<ReturnType<typeof pay>> = isPay(figure) ? await pay(figure) : figure;
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
      answer: async ({ person, licence, readStore, position }, contractor, { figure, page, pageSize }) => {
        const aliases = await aliasesOf(readStore, licence.id);
        const subject = {
          licence,
          campaignIds: Object.keys(contractor.totals.campaigns),
          totalBudget: kopecks(0),
          narrowed: [byContractor(aliases, contractor.id)],
          page,
          pageSize,
          to: position,
          view: viewOf(person),
        };
        return { data: await lineage({ documents: readStore, readStore: deps.readStore, aliases }, subject, figure) };
      },
    }),
  );

  return router;
};
