import { searchQuery } from '@zakup/contracts/requests/queries';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { search } from './search.ts';

/** The palette (VIEW-5): everything in it is in a list that its rights open. */
export const searchRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  router.get(
    '/search',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'lists.read'),
      query: searchQuery,
      answer: async ({ person }, _, query) => ({
        data: { hits: await search(deps.readStore, person.licence.id, query) },
      }),
    }),
  );
  return router;
};
