import type { Filter, Sort } from 'mongodb';
import { tieDirection } from '../documents.ts';
import type { Query, Walk } from '../read-store.ts';
import type { StoredDocument } from './stored.ts';

const member = (field: string): string => `data.${field}`;
const tieBreaker = member('createdAt');

/** Documents of the query. MongoDB's `null` is also what is absent, and its ranges keep to the type of their ends, as declared members do. */
export const filterOf = (query: Query): Filter<StoredDocument> => {
  const conditions: Record<string, unknown>[] = [];
  if (query.licenceId !== undefined) conditions.push({ licenceId: query.licenceId });
  if (query.includeDeleted !== true) conditions.push({ deleted: false });
  for (const [field, wanted] of Object.entries(query.where ?? {})) {
    conditions.push({ [member(field)]: wanted });
  }
  for (const [field, wanted] of Object.entries(query.among ?? {})) {
    conditions.push({ [member(field)]: { $in: wanted } });
  }
  for (const [field, { min, max }] of Object.entries(query.range ?? {})) {
    const ends = { ...(min === undefined ? {} : { $gte: min }), ...(max === undefined ? {} : { $lte: max }) };
    conditions.push({ [member(field)]: min === undefined && max === undefined ? { $ne: null } : ends });
  }
  return conditions.length === 0 ? {} : { $and: conditions };
};

/** Documents of a walk that lie behind where it stands. */
export const walkFilterOf = ({ licenceId, where, direction, after }: Walk): Filter<StoredDocument> => ({
  licenceId,
  deleted: false,
  ...(where !== undefined && { [member(where.field)]: where.value }),
  ...(after !== undefined && { _id: direction === 'asc' ? { $gt: after } : { $lt: after } }),
});

/** By the query's fields, ties by `createdAt`, then id, the way of the last field. */
export const sortOf = ({ sort = [] }: Query): Sort => {
  const order = new Map<string, 1 | -1>();
  const ties = tieDirection(sort) === 'asc' ? 1 : -1;
  const named = sort.map(({ field, direction }) => [member(field), direction === 'asc' ? 1 : -1] as const);
  for (const [field, direction] of [...named, [tieBreaker, ties] as const, ['_id', ties] as const]) {
    if (!order.has(field)) order.set(field, direction);
  }
  return order;
};
