import { presentView } from '@zakup/contracts/to-wire';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { noQuery } from '../http/asked-query.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { rowsOf } from '../read-models/rows.ts';

/** Views of the table under names: one's own and the team's (TABLE-38). */
export const viewRoutes = (deps: GatewayDeps): Router => {
  const router = Router();
  router.get(
    '/views',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'lists.read'),
      query: noQuery,
      answer: async ({ person: { userId, licence }, readStore }) => {
        const rows = await rowsOf(readStore, 'view', licence.id);
        const views = rows
          .filter(({ shared, authorId }) => shared || authorId === userId)
          .map(presentView)
          .toSorted((a, b) => a.name.localeCompare(b.name, 'ru', { numeric: true }) || (a.id < b.id ? -1 : 1));
        return { data: { views } };
      },
    }),
  );
  return router;
};
