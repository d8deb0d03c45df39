import {
  presentCampaign,
  presentChannel,
  presentContractor,
  presentCreative,
  presentUser,
} from '@zakup/contracts/to-wire';
import type { EmployeeRow } from '@zakup/contracts/read-models';
import { includeInactiveQuery } from '@zakup/contracts/requests/queries';
import { may } from '@zakup/domain/permissions';
import type { Query } from '@zakup/read-store/read-store';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { seesOthersEarnings } from '@zakup/contracts/shown-event';
import { seesCodeOf } from '../http/person.ts';
import { mapYielding } from '@zakup/async/map-yielding';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowsOf } from '../read-models/rows.ts';
import { showPerson } from '../read-models/shown-codes.ts';

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
      answer: async ({ person, readStore, at }, _, query) => {
        const licenceId = person.licence.id;
        const rows = await rowsOf(readStore, 'user', licenceId, active(query.includeInactive));
        if (!may(person, 'people.read').allowed) return { data: { users: rows.map(presentUser) } };
        // A code opens today's account: of the past it is shown while it is that person's, by what they may now.
        const now = at === null ? rows : await rowsOf(deps.readStore, 'user', licenceId);
        const codes = new Map(now.filter((row) => seesCodeOf(person, row)).map(({ id, authCode }) => [id, authCode]));
        const showsCode = ({ id, authCode }: EmployeeRow): boolean => codes.get(id) === authCode;
        return { data: { users: rows.map((row) => showPerson(deps.codes, row, licenceId, showsCode(row))) } };
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
        return { data: { contractors: await mapYielding(rows, presentContractor) } };
      },
    }),
  );

  return router;
};
