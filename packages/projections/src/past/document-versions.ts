import { lookupsFor, type MemberValue, memberAt } from '@zakup/read-store/documents';
import type { DeclaredFields, JsonValue, Position, ReadDocument } from '@zakup/read-store/read-store';

/** Documents of one kind: their versions by id, oldest first, and by the value of each lookup field the ids that ever had it. */
interface Kept {
  readonly versions: Map<string, ReadDocument[]>;
  readonly lookups: ReadonlyMap<string, Map<MemberValue, Set<string>>>;
}

/**
 * Documents of one licence as they stood at each of several positions. A document that did not change between two of them is held once,
 * and what two versions have in common is shared where the fold shares it.
 */
export interface DocumentVersions {
  /** The position after which all documents are kept as they stood, by adding what changed since the last one. */
  add(docs: Iterable<ReadDocument>): void;
  /** As it stood at a position that is kept, or is kept no more but was not yet when this was asked for. */
  get(kind: string, id: string, at: Position): ReadDocument | undefined;
  /** Ids that may be there: those with this value of a lookup field at any time, or all. */
  ids(kind: string, lookup?: { readonly field: string; readonly value: MemberValue }): Iterable<string>;
  lookupFields(kind: string): readonly string[];
  /** What they hold, in documents of common size. */
  weight(): number;
  /** The same at these positions only, rising. This one stays as it is for whoever reads it. */
  only(positions: readonly Position[], yieldIfDue: () => Promise<void>): Promise<DocumentVersions>;
}

/** Elements of an array are shared between versions as a rule, the array is not. */
const elementsPerDocument = 64;
const membersPerDocument = 16;

const weightOfValue = (value: JsonValue | undefined, depth: number): number => {
  if (value === null || typeof value !== 'object') return 0;
  if (Array.isArray(value)) return value.length / elementsPerDocument;
  const members = Object.values(value as Readonly<Record<string, JsonValue>>);
  let weight = members.length / membersPerDocument;
  if (depth > 0) for (const member of members) weight += weightOfValue(member, depth - 1);
  return weight;
};

/** About 1 for a placement. */
const weightOf = ({ data }: ReadDocument): number => 0.2 + weightOfValue(data, 2);

/** Empty: everything has still to be folded. */
export const documentVersions = (declared: DeclaredFields): DocumentVersions => {
  const kinds = new Map<string, Kept>();
  let weight = 0;

  const keptOf = (kind: string): Kept => {
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const lookups = new Map(lookupsFor(declared, kind).map((field) => [field, new Map<MemberValue, Set<string>>()]));
    const kept: Kept = { versions: new Map(), lookups };
    kinds.set(kind, kept);
    return kept;
  };

  const add = (doc: ReadDocument): void => {
    const { versions, lookups } = keptOf(doc.kind);
    const earlier = versions.get(doc.id);
    if (earlier === undefined) versions.set(doc.id, [doc]);
    else earlier.push(doc);
    weight += weightOf(doc);
    if (doc.data === null) return;
    for (const [field, byValue] of lookups) {
      const value = memberAt(doc.data, field);
      const ids = byValue.get(value);
      if (ids === undefined) byValue.set(value, new Set([doc.id]));
      else ids.add(doc.id);
    }
  };

  return {
    add(docs) {
      for (const doc of docs) add(doc);
    },

    get(kind, id, at) {
      const versions = kinds.get(kind)?.versions.get(id);
      if (versions === undefined) return undefined;
      const [first] = versions;
      if (versions.length === 1) return first !== undefined && first.position <= at ? first : undefined;
      let [low, high] = [0, versions.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((versions[middle] as ReadDocument).position <= at) low = middle + 1;
        else high = middle;
      }
      return versions[low - 1];
    },

    ids(kind, lookup) {
      const kept = kinds.get(kind);
      if (kept === undefined) return [];
      if (lookup === undefined) return kept.versions.keys();
      return kept.lookups.get(lookup.field)?.get(lookup.value) ?? [];
    },

    lookupFields: (kind) => lookupsFor(declared, kind),

    weight: () => weight,

    async only(positions, yieldIfDue) {
      const others = documentVersions(declared);
      for (const { versions } of kinds.values()) {
        for (const ofOne of versions.values()) {
          let next = 0;
          const left: ReadDocument[] = [];
          for (const [index, doc] of ofOne.entries()) {
            while (next < positions.length && (positions[next] as Position) < doc.position) next += 1;
            const position = positions[next];
            const following = ofOne[index + 1];
            if (position !== undefined && (following === undefined || following.position > position)) left.push(doc);
          }
          others.add(left);
          await yieldIfDue();
        }
      }
      return others;
    },
  };
};
