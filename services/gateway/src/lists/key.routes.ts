import { presentKey } from '@zakup/contracts/to-wire';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { noQuery } from '../http/asked-query.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';

/** The keys of the licence, which the owner alone sees (KEY-1). */
export const keyRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/keys',
    readRoute(deps, {
      ...nothingToFind,
      closedToKeys: true,
      may: (person) => may(person, 'keys.manage'),
      query: noQuery,
      answer: async ({ person }) => ({
        data: { keys: (await deps.credentials.keysOf(person.licence.id)).map(presentKey) },
      }),
    }),
  );

  return router;
};
