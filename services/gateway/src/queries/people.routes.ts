import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { noQuery, nothingToFind, readRoute } from '../read-route.ts';
import { rowsOf } from '../rows.ts';
import { activityOf, type PersonActivity } from './people-activity.ts';

/** What is known of people beside their own records. */
export const peopleRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/users/activity',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'people.read'),
      query: noQuery,
      answer: async ({ person, waiting }) => {
        const licenceId = person.licence.id;
        const people: PersonActivity[] = [];
        for (const { id } of await rowsOf(deps.readStore, 'user', licenceId)) {
          waiting.throwIfAborted();
          people.push(await activityOf(deps, licenceId, id));
        }
        return { data: { people } };
      },
    }),
  );

  return router;
};
