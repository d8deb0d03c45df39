import {
  presentCampaign,
  presentChannel,
  presentContractor,
  presentCreative,
  presentPerson,
  presentUser,
} from '@zakup/contracts/present';
import { includeInactiveQuery } from '@zakup/contracts/requests/queries';
import { may } from '@zakup/domain/permissions';
import type { Query } from '@zakup/read-store/read-store';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { seesOthersEarnings } from '../person.ts';
import { noQuery, nothingToFind, readRoute } from '../read-route.ts';
import { rowsOf } from '../rows.ts';

const active = (all: boolean): Query => (all ? {} : { where: { isActive: true } });
const base = {
  ...nothingToFind,
  may: (person: Parameters<typeof may>[0]) => may(person, 'lists.read'),
  at: true,
} as const;

/** The lists everybody with `dashboard` reads (ROLE-7). */
export const listRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/users',
    readRoute(deps, {
      ...base,
      query: includeInactiveQuery,
      answer: async ({ person, readStore }, _, query) => {
        const rows = await rowsOf(readStore, 'user', person.licence.id, active(query.includeInactive));
        const whole = may(person, 'people.read').allowed;
        return {
          data: {
            users: rows.map((row) => (whole ? presentPerson(row, person.licence.id, person.userId) : presentUser(row))),
          },
        };
      },
    }),
  );

  router.get(
    '/channels',
    readRoute(deps, {
      ...base,
      query: noQuery,
      answer: async ({ person, readStore }) => {
        const rows = await rowsOf(readStore, 'channel', person.licence.id);
        return { data: { channels: rows.map(presentChannel) } };
      },
    }),
  );

  router.get(
    '/campaigns',
    readRoute(deps, {
      ...base,
      query: noQuery,
      answer: async ({ person, readStore }) => {
        const rows = await rowsOf(readStore, 'campaign', person.licence.id);
        const hideTermsExcept = seesOthersEarnings(person) ? undefined : person.userId;
        const campaigns = rows.map((row) => presentCampaign(row, hideTermsExcept));
        return { data: { campaigns }, top: { campaigns } };
      },
    }),
  );

  router.get(
    '/creatives',
    readRoute(deps, {
      ...base,
      query: includeInactiveQuery,
      answer: async ({ person, readStore }, _, query) => {
        const rows = await rowsOf(readStore, 'creative', person.licence.id, active(query.includeInactive));
        const creatives = rows.map(presentCreative);
        return { data: { creatives }, top: { creatives } };
      },
    }),
  );

  router.get(
    '/contractors',
    readRoute(deps, {
      ...base,
      query: includeInactiveQuery,
      answer: async ({ person, readStore }, _, query) => {
        const rows = await rowsOf(readStore, 'contractor', person.licence.id, active(query.includeInactive));
        return { data: { contractors: rows.map(presentContractor) } };
      },
    }),
  );

  return router;
};
