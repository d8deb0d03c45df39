import {
  bonusLineageExportQuery,
  bonusLineageQuery,
  campaignLineageExportQuery,
  campaignLineageQuery,
  contractorLineageExportQuery,
  contractorLineageQuery,
  creativeLineageExportQuery,
  creativeLineageQuery,
  licenceLineageExportQuery,
  licenceLineageQuery,
} from '@zakup/contracts/requests/queries';
import type { FieldError } from '@zakup/domain/decider';
import { messages } from '@zakup/domain/messages';
import { may, type Person, type Verdict } from '@zakup/domain/permissions';
import { type Request, Router } from 'express';
import { aliasesOf } from '../read-models/aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { licenceLineageTable } from '../exports/licence-lineage-table.ts';
import { lineageTable } from '../exports/lineage-table.ts';
import { tableFile } from '../exports/table-file.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import type { ReadContext } from '../http/read-context.ts';
import { rowOf } from '../read-models/rows.ts';
import { bonusLineage } from './bonus-lineage.ts';
import { licenceLineage, presentLicenceLineage } from './licence-lineage.ts';
import { presentLineage } from './lineage-answer.ts';
import {
  campaignLineage,
  contractorLineage,
  creativeLineage,
  isPay,
  type Of,
  type PayFigure,
  type Selected,
  sourcesOf,
  subjectOf,
} from './lineage-asked.ts';
import { parseCursor, slicesOf } from './lineage-cursor.ts';
import type { Lineage } from './lineage-subject.ts';
import { atOneMoment } from '../read-models/one-moment.ts';

/** The rate on somebody's card is for those who see cards or the salary report, whatever the licence's switch says of earnings. */
const mayKnowPay = (person: Person, figure: PayFigure, userId: string): Verdict => {
  if (figure === 'bonus') return may(person, userId === person.userId ? 'screen.profile' : 'reports.read');
  const reads = [may(person, 'people.read'), may(person, 'reports.read')] as const;
  return figure !== 'ownRate' || userId === person.userId || reads.some(({ allowed }) => allowed)
    ? may(person, 'earnings.read', { userId })
    : reads[0];
};

/** Entries of the history that are looked through for a file, which is made once and taken along. */
const mostForFile = 200_000;

/** A list goes on as of the position of its first page. */
const boundTo = ({ cursor }: Request['query']): number | null =>
  typeof cursor === 'string' ? (parseCursor(cursor)?.position ?? null) : null;

const mayCampaign = (person: Person, { figure, userId }: Request['query']): Verdict => {
  if (figure === 'allEarnings') return may(person, 'earnings.read', { userId: '' });
  return isPay(figure) && typeof userId === 'string'
    ? mayKnowPay(person, figure, userId)
    : may(person, 'campaign.read');
};

/** Of one participant or of the campaign: several people have none together. */
const budgetFigures: readonly Selected['figure'][] = ['budget', 'remaining', 'budgetUse'];

/** What somebody is paid is of the whole campaign; a bonus may be of some days. */
const unfitCampaign = ({ figure, userId = [], ...parts }: Selected): FieldError | null => {
  const unfitPeople = { pointer: '/userId', detail: messages.valueInvalid };
  if (!isPay(figure)) return userId.length > 1 && budgetFigures.includes(figure) ? unfitPeople : null;
  if (userId.length !== (figure === 'allEarnings' ? 0 : 1)) return unfitPeople;
  const part = Object.entries(parts).find(
    ([name, value]) => value !== undefined && !(figure === 'bonus' && (name === 'from' || name === 'to')),
  );
  return part === undefined ? null : { pointer: `/${part[0]}`, detail: messages.valueInvalid };
};

const paged = async (
  context: ReadContext,
  query: { readonly cursor?: string | undefined; readonly page: number; readonly pageSize: number },
  read: (of: Of) => Promise<Lineage>,
) => {
  const { result, position } = await atOneMoment(context, async (documents, at) =>
    presentLineage(await read({ context, documents, position: at }), slicesOf(query), at),
  );
  return { data: result, position };
};

const filed = async (
  context: ReadContext,
  { format, name }: { readonly format: 'csv' | 'xlsx'; readonly name: string },
  read: (of: Of) => Promise<Lineage>,
) => {
  const { at, licence } = context;
  const { result } = await atOneMoment(context, async (documents, position) => {
    const found = await read({ context, documents, position, most: mostForFile });
    return { table: await lineageTable(found, documents, licence.id), title: found.explained.title };
  });
  const names = [result.title, name];
  return tableFile(result.table, { format, names, plainName: 'lines', sheet: 'Строки', at, what: 'lines' });
};

const findCampaign = ({ params, person, readStore }: ReadContext) =>
  rowOf(readStore, 'campaign', params['id'] ?? '', person.licence.id);

const findContractor = async ({ params, readStore, person: { licence } }: ReadContext) => {
  const { receiver } = await aliasesOf(readStore, licence.id);
  return rowOf(readStore, 'contractor', receiver(params['id'] ?? ''), licence.id);
};

const campaignRoutes = (deps: GatewayDeps, router: Router): void => {
  const route = { may: mayCampaign, find: findCampaign, missing: messages.campaignNotFound, at: true } as const;
  router.get(
    '/campaigns/:id/lineage',
    readRoute(deps, {
      weight: 'costly',
      ...route,
      query: campaignLineageQuery,
      boundTo,
      unfit: (_, { page: _page, pageSize: _pageSize, cursor: _cursor, ...query }) => unfitCampaign(query),
      answer: (context, campaign, query) => paged(context, query, (of) => campaignLineage(of, campaign, query)),
    }),
  );
  const selectedOf = ({
    format: _format,
    placementFormat,
    ...query
  }: Omit<Selected, 'format'> & {
    readonly format: unknown;
    readonly placementFormat?: Selected['format'];
  }): Selected => ({
    ...query,
    format: placementFormat,
  });
  router.get(
    '/campaigns/:id/lineage/export',
    readRoute(deps, {
      weight: 'file',
      ...route,
      query: campaignLineageExportQuery,
      unfit: (_, query) => {
        const unfit = unfitCampaign(selectedOf(query));
        return unfit?.pointer === '/format' ? { ...unfit, pointer: '/placementFormat' } : unfit;
      },
      answer: (context, campaign, query) =>
        filed(context, { format: query.format, name: campaign.name }, (of) =>
          campaignLineage(of, campaign, selectedOf(query)),
        ),
    }),
  );
};

const contractorRoutes = (deps: GatewayDeps, router: Router): void => {
  const route = {
    may: (person: Person) => may(person, 'campaign.read'),
    find: findContractor,
    missing: messages.contractorNotFound,
    at: true,
  } as const;
  router.get(
    '/contractors/:id/lineage',
    readRoute(deps, {
      weight: 'costly',
      ...route,
      query: contractorLineageQuery,
      boundTo,
      answer: (context, contractor, query) => paged(context, query, (of) => contractorLineage(of, contractor, query)),
    }),
  );
  router.get(
    '/contractors/:id/lineage/export',
    readRoute(deps, {
      weight: 'file',
      ...route,
      query: contractorLineageExportQuery,
      answer: (context, contractor, query) =>
        filed(context, { format: query.format, name: contractor.adminUsername }, (of) =>
          contractorLineage(of, contractor, query),
        ),
    }),
  );
};

const creativeRoutes = (deps: GatewayDeps, router: Router): void => {
  const route = {
    may: (person: Person) => may(person, 'campaign.read'),
    find: ({ params, readStore, person: { licence } }: ReadContext) =>
      rowOf(readStore, 'creative', params['id'] ?? '', licence.id),
    missing: messages.creativeNotFound,
    at: true,
  } as const;
  router.get(
    '/creatives/:id/lineage',
    readRoute(deps, {
      weight: 'costly',
      ...route,
      query: creativeLineageQuery,
      boundTo,
      answer: (context, creative, query) => paged(context, query, (of) => creativeLineage(of, creative, query)),
    }),
  );
  router.get(
    '/creatives/:id/lineage/export',
    readRoute(deps, {
      weight: 'file',
      ...route,
      query: creativeLineageExportQuery,
      answer: (context, creative, query) =>
        filed(context, { format: query.format, name: creative.name }, (of) => creativeLineage(of, creative, query)),
    }),
  );
};

const licenceRoutes = (deps: GatewayDeps, router: Router): void => {
  const route = { ...nothingToFind, may: (person: Person) => may(person, 'campaign.read'), at: true } as const;
  const read = async (of: Of, figure: Parameters<typeof licenceLineage>[2]) =>
    licenceLineage({ documents: of.documents, readStore: of.context.deps.readStore }, await subjectOf(of), figure);
  router.get(
    '/license/lineage',
    readRoute(deps, {
      weight: 'costly',
      ...route,
      query: licenceLineageQuery,
      boundTo,
      answer: async (context, _, query) => {
        const { result, position } = await atOneMoment(context, async (documents, at) =>
          presentLicenceLineage(
            await read({ context, documents, position: at }, query.figure),
            slicesOf({ ...query, page: 1 }),
            at,
          ),
        );
        return { data: result, position };
      },
    }),
  );
  router.get(
    '/license/lineage/export',
    readRoute(deps, {
      weight: 'file',
      ...route,
      query: licenceLineageExportQuery,
      answer: async (context, _, { figure, format }) => {
        const { result } = await atOneMoment(context, (documents, position) =>
          read({ context, documents, position }, figure),
        );
        const names = [result.explained.title, context.licence.teamName];
        const file = { format, names, plainName: 'lines', sheet: 'Строки', at: context.at, what: 'lines' } as const;
        return tableFile(licenceLineageTable(result), file);
      },
    }),
  );
};

const bonusRoutes = (deps: GatewayDeps, router: Router): void => {
  const route = {
    ...nothingToFind,
    may: (person: Person, { userId }: Request['query']) =>
      may(person, userId === person.userId ? 'screen.profile' : 'reports.read'),
    at: true,
  } as const;
  const read = async (
    of: Of,
    {
      userId,
      campaign,
      from,
      to,
    }: {
      readonly userId: string;
      readonly campaign?: string | undefined;
      readonly from?: string | undefined;
      readonly to?: string | undefined;
    },
  ) => bonusLineage(await sourcesOf(of), { ...(await subjectOf(of)), userId, selection: { campaign, from, to } });
  router.get(
    '/reports/salary/lineage',
    readRoute(deps, {
      closedToKeys: true,
      weight: 'costly',
      ...route,
      query: bonusLineageQuery,
      boundTo,
      answer: (context, _, query) => paged(context, query, (of) => read(of, query)),
    }),
  );
  router.get(
    '/reports/salary/lineage/export',
    readRoute(deps, {
      closedToKeys: true,
      weight: 'file',
      ...route,
      query: bonusLineageExportQuery,
      answer: async (context, _, query) => {
        const person = await rowOf(context.readStore, 'user', query.userId, context.licence.id);
        return filed(context, { format: query.format, name: person?.name ?? '' }, (of) => read(of, query));
      },
    }),
  );
};

/** Why a figure is what it is (NUM-19), its lines page by page and as a file. */
export const lineageRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  campaignRoutes(deps, router);
  contractorRoutes(deps, router);
  creativeRoutes(deps, router);
  licenceRoutes(deps, router);
  bonusRoutes(deps, router);
  return router;
};
