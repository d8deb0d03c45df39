import { Readable } from 'node:stream';
import { entityName } from '@zakup/contracts/history';
import { parsePosition } from '@zakup/contracts/position';
import { auditQuery, timelineQuery } from '@zakup/contracts/requests/history.queries';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { inChunks } from '../exports/in-chunks.ts';
import { historyViewOf } from '@zakup/contracts/shown-event';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowOf } from '../read-models/rows.ts';
import { cursorAfter, startOf } from './audit-cursor.ts';
import { auditPage, entriesOf } from './audit-page.ts';
import { campaignEvents, eventLine } from './campaign-events.ts';
import { commandMoves } from './command-moves.ts';
import { entryAt } from './command-runs.ts';
import { timelines } from './timelines.ts';

/** The campaign's own events and its placements' as the log has them, one a line, as far as the read models have come. */
const eventsOfCampaign = (deps: GatewayDeps) => {
  const { readStore, eventStore } = deps;
  return readRoute(deps, {
    weight: 'file',
    may: (person) => may(person, 'reports.read'),
    shows: historyViewOf,
    find: async ({ params, person }) => {
      const value = entityName('campaign', params['id'] ?? '');
      const where = { field: 'entity', value };
      const first = await readStore.scanIndex('history', {
        licenceId: person.licence.id,
        where,
        direction: 'asc',
        limit: 1,
      });
      return first.length === 0 ? null : (params['id'] ?? '');
    },
    missing: messages.campaignNotFound,
    query: noQuery,
    answer: async ({ person, position }, campaignId) => {
      const view = historyViewOf(person);
      const campaign = await rowOf(readStore, 'campaign', campaignId, person.licence.id);
      const source = { readStore, eventStore };
      const lines = async function* () {
        for await (const event of campaignEvents(source, person.licence.id, campaignId, position))
          yield eventLine(event, view);
      };
      return {
        type: 'application/x-ndjson; charset=utf-8',
        disposition: 'inline',
        taken: { what: 'history', name: campaign?.name ?? '' },
        content: Readable.from(inChunks(lines()), { objectMode: false }),
      };
    },
  });
};

/** Who did what: of one placement, of everything, and a campaign's events themselves. Nothing of it is ever taken away. */
export const historyRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  const { readStore } = deps;
  const timeline = timelines(readStore);

  router.get(
    '/placements/:id/history',
    readRoute(deps, {
      may: (person) => may(person, 'campaign.read'),
      find: async ({ params, person }) => {
        const entity = entityName('placement', params['id'] ?? '');
        const entries = await entriesOf(readStore, person.licence.id, entity, historyViewOf(person));
        return entries.length === 0 ? null : entries;
      },
      missing: messages.placementNotFound,
      query: noQuery,
      answer: async (_, entries) => ({ data: { entries } }),
    }),
  );

  router.get(
    '/audit',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'reports.read'),
      query: auditQuery,
      unfit: ({ person }, query) => {
        if (query.from !== undefined && query.to !== undefined && query.from > query.to)
          return { pointer: '/from', detail: messages.periodInverted };
        if (startOf(person.licence.id, query) === undefined)
          return { pointer: '/cursor', detail: messages.cursorInvalid };
        return null;
      },
      answer: async ({ person }, _, query) => {
        const licenceId = person.licence.id;
        const start = startOf(licenceId, query) ?? null;
        const { entries, after } = await auditPage(readStore, licenceId, query, { start, view: historyViewOf(person) });
        return { data: { entries, nextCursor: after === null ? null : cursorAfter(licenceId, query, after) } };
      },
    }),
  );

  router.get(
    '/audit/:position/moves',
    readRoute(deps, {
      weight: 'costly',
      may: (person) => may(person, 'reports.read'),
      find: async ({ params, person }) => {
        const position = parsePosition(params['position'] ?? '');
        return position === null ? null : entryAt(readStore, person.licence.id, position);
      },
      missing: messages.entryNotFound,
      query: noQuery,
      answer: async (context, entry) => ({ data: await commandMoves(context, entry) }),
    }),
  );

  router.get(
    '/timeline',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'campaign.read'),
      query: timelineQuery,
      answer: async ({ person }, _, { campaign, around }) => ({
        data: await timeline.of({ licenceId: person.licence.id, campaignId: campaign ?? null }, around ?? null),
      }),
    }),
  );

  router.get('/campaigns/:id/events', eventsOfCampaign(deps));

  return router;
};
