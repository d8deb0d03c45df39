import type { Conflict, UndoCounts } from '@zakup/contracts/problems';

/** Changes of others that are listed; the rest is counted. */
export const mostListed = 5;

/** Whether all conflicts are listed one by one. */
export const areListed = (conflicts: readonly Conflict[], { conflicts: all = conflicts.length }: UndoCounts): boolean =>
  all <= mostListed;

/** What tells a conflict from the others of an undo. */
export const keyOf = ({ entity = '', field }: Conflict): string => `${entity} ${field}`;
