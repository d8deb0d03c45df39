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

/** Where the list goes on behind an import. */
const cursorAfter = ({ createdAt, id }: ImportDocument): string => `${Date.parse(createdAt)}-${id}`;

/** The newest first; of those that began at once by id. */
const newestFirst = (a: ImportDocument, b: ImportDocument): number =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? -1 : 1);

/** Whether an import comes behind the one at which the page before ended, also when that one is gone. */
const isBehind = (cursor: string, { createdAt, id }: ImportDocument): boolean => {
  const at = cursor.indexOf('-');
  const rest = Number(cursor.slice(0, at)) - Date.parse(createdAt);
  return rest > 0 || (rest === 0 && id > cursor.slice(at + 1));
};

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
          .filter((row) => sees(person, row) && (cursor === undefined || isBehind(cursor, row)))
          .toSorted(newestFirst);
        const page = listed.slice(0, limit);
        const last = page.at(-1);
        const next = last === undefined || page.length === listed.length ? null : cursorAfter(last);
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
