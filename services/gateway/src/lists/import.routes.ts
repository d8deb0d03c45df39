import { presentImport } from '@zakup/contracts/imports';
import type { ImportDocument } from '@zakup/contracts/read-models';
import { messages } from '@zakup/domain/messages';
import { may, type Person } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowOf, rowsOf } from '../read-models/rows.ts';

/** The latest ones are listed. */
const mostListed = 100;

const leaders: ReadonlySet<string> = new Set(['CEO', 'CBDO', 'TEAM_LEAD']);

/** One's own imports; those of everybody are shown to who leads. */
const sees = ({ userId, role }: Person, { by }: ImportDocument): boolean => by === userId || leaders.has(role);

/** Imports and how far they have come. */
export const importRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/imports',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'campaign.read'),
      query: noQuery,
      answer: async ({ person, readStore }) => {
        const rows = await rowsOf(readStore, 'import', person.licence.id);
        const imports = rows
          .filter((row) => sees(person, row))
          .toSorted((a, b) =>
            a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
          )
          .slice(0, mostListed)
          .map(presentImport);
        return { data: { imports } };
      },
    }),
  );

  router.get(
    '/imports/:id',
    readRoute(deps, {
      may: (person) => may(person, 'campaign.read'),
      find: async ({ params, person, readStore }) => {
        const { id: licenceId } = person.licence;
        const row = await rowOf(readStore, 'import', `${licenceId}~${params['id']?.toLowerCase() ?? ''}`, licenceId);
        return row !== null && sees(person, row) ? row : null;
      },
      missing: messages.importNotFound,
      query: noQuery,
      answer: async (_, row) => ({ data: { import: presentImport(row) } }),
    }),
  );

  return router;
};
