import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowOf, rowsOf } from '../read-models/rows.ts';
import { activityOf, type PersonActivity } from './people-activity.ts';
import { presentSession } from './session.routes.ts';

/** What is known of people beside their own records. */
export const peopleRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/users/activity',
    readRoute(deps, {
      closedToKeys: true,
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

  router.get(
    '/users/:id/sessions',
    readRoute(deps, {
      closedToKeys: true,
      may: (person) => may(person, 'session.ofOthers'),
      find: ({ params, person }) => rowOf(deps.readStore, 'user', params['id'] ?? '', person.licence.id),
      missing: messages.employeeNotFound,
      query: noQuery,
      answer: async ({ person, session }, { id }) => {
        const open = await deps.credentials.sessionsOf(id, deps.now());
        const ofLicence = open.filter(({ licenceId }) => licenceId === person.licence.id);
        return { data: { sessions: ofLicence.map((one) => presentSession(one, session.id)) } };
      },
    }),
  );

  router.get(
    '/users/:id/second-factor',
    readRoute(deps, {
      closedToKeys: true,
      may: (person) => may(person, 'people.read'),
      find: ({ params, person }) => rowOf(deps.readStore, 'user', params['id'] ?? '', person.licence.id),
      missing: messages.employeeNotFound,
      query: noQuery,
      answer: async (_, { id }) => {
        const found = await deps.credentials.secondFactorOf(id);
        return { data: { since: found === null ? null : new Date(found.since).toISOString() } };
      },
    }),
  );

  return router;
};
