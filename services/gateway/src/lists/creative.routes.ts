import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import { aliasesOf } from '../read-models/aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowOf } from '../read-models/rows.ts';
import { creativeResults } from '../reports/creative-results.ts';

/** The results of a creative, a deactivated one too. */
export const creativeRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  router.get(
    '/creatives/:id/results',
    readRoute(deps, {
      may: (person) => may(person, 'campaign.read'),
      at: true,
      find: ({ params, person, readStore }) => rowOf(readStore, 'creative', params['id'] ?? '', person.licence.id),
      missing: messages.creativeNotFound,
      query: noQuery,
      answer: async ({ licence, readStore }, creative) => ({
        data: await creativeResults(readStore, await aliasesOf(readStore, licence.id), licence, creative),
      }),
    }),
  );
  return router;
};
