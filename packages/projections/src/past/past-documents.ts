import {
  checkQuery,
  compareTexts,
  compareValues,
  tieDirection,
  fits,
  type MemberValue,
  memberAt,
  memberValue,
} from '@zakup/read-store/documents';
import type { DeclaredFields, DocumentReader, Position, Query, ReadDocument } from '@zakup/read-store/read-store';
import type { DocumentVersions } from './document-versions.ts';
import { createYielder } from '@zakup/async/yielder';
import { topN } from '@zakup/async/sort-yielding';

const sliceDocuments = 500;
/** Documents that are looked at, whether they fit or not, before the clock is asked. */
const lookedAtOnce = 250;

interface Sortable {
  readonly doc: ReadDocument;
  /** By which it is sorted, then its creation. */
  readonly members: readonly MemberValue[];
}

const byMembers =
  (sort: NonNullable<Query['sort']>) =>
  (a: Sortable, b: Sortable): number => {
    for (let index = 0; index <= sort.length; index += 1) {
      const [left, right] = [a.members[index] ?? null, b.members[index] ?? null];
      if (left === right) continue;
      const order = compareValues(left, right);
      return (sort[index]?.direction ?? tieDirection(sort)) === 'desc' ? -order : order;
    }
    const tie = compareTexts(a.doc.id, b.doc.id);
    return tieDirection(sort) === 'desc' ? -tie : tie;
  };

/** Documents as they stood after one event: what is kept at a position, with what changed since lying over it. */
export const pastDocuments = (
  declared: DeclaredFields,
  kept: DocumentVersions,
  at: Position,
  changed: readonly ReadDocument[] = [],
): DocumentReader => {
  const over = new Map<string, Map<string, ReadDocument>>();
  for (const doc of changed) {
    const docs = over.get(doc.kind);
    if (docs === undefined) over.set(doc.kind, new Map([[doc.id, doc]]));
    else docs.set(doc.id, doc);
  }

  const find = (kind: string, id: string): ReadDocument | undefined =>
    over.get(kind)?.get(id) ?? kept.get(kind, id, at);

  /** What may fit, in no order. */
  const candidates = function* (kind: string, where: Query['where'] = {}): Generator<ReadDocument> {
    const changedOnes = over.get(kind);
    const field = kept.lookupFields(kind).find((name) => Object.hasOwn(where, name));
    const lookup = field === undefined ? undefined : { field, value: memberValue(where[field]) };
    for (const id of kept.ids(kind, lookup)) {
      if (changedOnes?.has(id) === true) continue;
      const doc = kept.get(kind, id, at);
      if (doc !== undefined) yield doc;
    }
    if (changedOnes !== undefined) yield* changedOnes.values();
  };

  return {
    get: async (kind, id) => find(kind, id) ?? null,

    getMany: async (kind, ids) => ids.map((id) => find(kind, id)).filter((doc) => doc !== undefined),

    async query(kind, query) {
      checkQuery(declared, kind, query);
      const yieldIfDue = createYielder();
      const { sort = [], offset = 0 } = query;
      const fields = [...sort.map(({ field }) => field), 'createdAt'];
      const found: Sortable[] = [];
      let looked = 0;
      for (const doc of candidates(kind, query.where)) {
        looked += 1;
        if (looked % lookedAtOnce === 0) await yieldIfDue();
        if (fits(doc, query)) found.push({ doc, members: fields.map((field) => memberAt(doc.data, field)) });
      }
      const first = await topN(found, offset + (query.limit ?? found.length), byMembers(sort), yieldIfDue);
      return { docs: first.slice(offset).map(({ doc }) => doc), total: found.length };
    },

    async readEach(kind, query, take) {
      checkQuery(declared, kind, query);
      const yieldIfDue = createYielder();
      let found: ReadDocument[] = [];
      let looked = 0;
      for (const doc of candidates(kind, query.where)) {
        looked += 1;
        if (looked % lookedAtOnce === 0) await yieldIfDue();
        if (!fits(doc, query)) continue;
        found.push(doc);
        if (found.length < sliceDocuments) continue;
        await take(found);
        await yieldIfDue();
        found = [];
      }
      if (found.length > 0) await take(found);
    },
  };
};
