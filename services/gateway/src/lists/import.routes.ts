import { presentImport } from '@zakup/contracts/imports';
import type { ImportDocument } from '@zakup/contracts/read-models';
import { importsQuery } from '@zakup/contracts/requests/import.requests';
import { messages } from '@zakup/domain/messages';
import { may, type Person } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { nothingToFind, readRoute } from '../http/read-route.ts';
import { noQuery } from '../http/asked-query.ts';
import { rowOf, rowsOf } from '../read-models/rows.ts';

const leaders: ReadonlySet<string> = new Set(['CEO', 'CBDO', 'TEAM_LEAD']);

/** One's own imports; those of everybody are shown to who leads. */
const sees = ({ userId, role }: Person, { by }: ImportDocument): boolean => by === userId || leaders.has(role);

/** Documents of an earlier version tell only where they ended. */
type Placed = Pick<ImportDocument, 'position'> & Partial<Pick<ImportDocument, 'began'>>;

/** Its place in the log. */
const placeOf = ({ position, began = position }: Placed): number => began;

const newestFirst = (a: ImportDocument, b: ImportDocument): number => placeOf(b) - placeOf(a);

/** Imports and how far they have come. */
export const importRoutes = (deps: GatewayDeps): Router => {
  const router = Router();

  router.get(
    '/imports',
    readRoute(deps, {
      ...nothingToFind,
      may: (person) => may(person, 'campaign.read'),
      query: importsQuery,
      answer: async ({ person, readStore }, _, { cursor, limit }) => {
        const rows = await rowsOf(readStore, 'import', person.licence.id);
        const listed = rows
          .filter((row) => sees(person, row) && (cursor === undefined || placeOf(row) < cursor))
          .toSorted(newestFirst);
        const page = listed.slice(0, limit);
        const last = page.at(-1);
        const next = last === undefined || page.length === listed.length ? null : String(placeOf(last));
        return { data: { imports: page.map(presentImport), next } };
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
