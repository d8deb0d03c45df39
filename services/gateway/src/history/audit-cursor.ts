import { createHash } from 'node:crypto';
import type { AuditQuery } from '@zakup/contracts/requests/history.queries';

/** What of a query says which page it is, not which list. */
const ofPage: ReadonlySet<string> = new Set(['cursor', 'limit'] satisfies (keyof AuditQuery)[]);

/** Ties a cursor to the list it is of: the licence and the filters. What it points at is no secret, and rights are asked at every page. */
const tie = (licenceId: string, query: AuditQuery, after: string): string => {
  const given = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !ofPage.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([licenceId, given, after]))
    .digest('hex')
    .slice(0, 32);
};

/** Where the next page of this list begins. */
export const cursorAfter = (licenceId: string, query: AuditQuery, after: string): string =>
  `${after}-${tie(licenceId, query, after)}`;

/** The id after which the page begins, null for the first page; undefined for a cursor that is of another list. */
export const startOf = (licenceId: string, query: AuditQuery): string | null | undefined => {
  if (query.cursor === undefined) return null;
  const after = query.cursor.slice(0, 16);
  return cursorAfter(licenceId, query, after) === query.cursor ? after : undefined;
};
