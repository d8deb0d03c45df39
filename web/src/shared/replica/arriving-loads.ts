import type { DocKind } from '@zakup/contracts/wire-entities';
import type { Change } from '@zakup/contracts/socket';
import type { docLists } from './doc-lists.ts';
import { isArriving, type KnownDoc, type Load, type ScopeState } from './known-doc.ts';
import { sameJson } from './same-json.ts';

/** What is done with the last part only. */
export interface Waiting {
  readonly known: KnownDoc;
  readonly position: number;
  readonly doc: unknown;
}

interface Arriving {
  waiting: Waiting[];
  load: Load | null;
}

export interface ArrivingLoadsDeps {
  /** By key. */
  readonly docs: Map<string, KnownDoc>;
  /** Of the kind and id, made when there is none. */
  readonly docOf: (kind: DocKind, id: string) => KnownDoc;
  readonly lists: Pick<ReturnType<typeof docLists>, 'stage' | 'unstage' | 'open' | 'discard'>;
}

/** As if nothing had been said of it. */
export const clear = (known: KnownDoc): void => {
  known.said.length = 0;
  known.load = null;
  known.doc = null;
};

/** What any scope said in the same words stays the object it is. Looked at when a part comes, so that the last one has none of this work. */
const asSaid = ({ said }: KnownDoc, position: number, doc: unknown): unknown => {
  const same = said.find((one) => one.position === position && sameJson(one.doc, doc));
  return same ? same.doc : doc;
};

/**
 * Loads on their way, in parts. What a first load brings and nothing else knows is put in its place when it comes, so that the last part costs
 * no more than the others; what touches something that is there waits for it.
 */
export const arrivingLoads = ({ docs, docOf, lists }: ArrivingLoadsDeps) => {
  const scopes = new Map<ScopeState, Arriving>();
  const arrivingOf = (scope: ScopeState): Arriving => {
    const begun = scopes.get(scope);
    if (begun) return begun;
    const fresh: Arriving = { waiting: [], load: null };
    scopes.set(scope, fresh);
    return fresh;
  };

  /** Whatever else left meanwhile: where nothing was said of it any more it went, and comes again. */
  const there = (one: Waiting): Waiting => {
    const known = docs.get(one.known.key);
    if (known === undefined) docs.set(one.known.key, one.known);
    return known === undefined ? one : { ...one, known };
  };

  return {
    isUnderWay: (scope: ScopeState): boolean => scopes.has(scope),

    take(scope: ScopeState, { kind, id, position, doc }: Change, heard: number): void {
      const known = docOf(kind, id);
      const arriving = arrivingOf(scope);
      const isNew = known.said.length === 0 || (known.load !== null && known.load === arriving.load);
      if (scope.drawn || doc === null || !isNew) {
        arriving.waiting.push({ known, position, doc: asSaid(known, position, doc) });
        return;
      }
      if (known.said.some((said) => said.position >= position)) return;
      arriving.load ??= { complete: false, keys: new Set(), kinds: new Set() };
      arriving.load.keys.add(known.key);
      arriving.load.kinds.add(kind);
      known.load = arriving.load;
      known.doc = doc;
      known.said[0] = { scope, position, doc, heard };
      lists.stage(scope.name, kind, known.key, doc);
    },

    /** Something else brings it too: what its load said of it waits as what was known before does. */
    unstage(known: KnownDoc): void {
      const [said] = known.said;
      if (!isArriving(known) || !said) return;
      const arriving = arrivingOf(said.scope);
      arriving.load?.keys.delete(known.key);
      lists.unstage(said.scope.name, known.kind, known.key);
      arriving.waiting.push({ known, position: said.position, doc: said.doc });
      clear(known);
    },

    /** What was put in its place is there, all at once; what waited is to be said now, in this order. */
    complete(scope: ScopeState): { readonly load: Load | null; readonly waiting: readonly Waiting[] } {
      const { load, waiting } = arrivingOf(scope);
      scopes.delete(scope);
      if (load !== null) {
        load.complete = true;
        // A scope that was never drawn has nothing else.
        scope.keys = load.keys;
        lists.open(scope.name);
      }
      return { load, waiting: waiting.map(there) };
    },

    /** What came of a load goes; it never gets its last part. */
    drop(scope: ScopeState): void {
      const arriving = scopes.get(scope);
      if (!arriving) return;
      scopes.delete(scope);
      for (const { known } of arriving.waiting)
        if (known.said.length === 0 && docs.get(known.key) === known) docs.delete(known.key);
      for (const key of arriving.load?.keys ?? []) {
        const known = docs.get(key);
        if (known) clear(known);
        docs.delete(key);
      }
      lists.discard(scope.name);
    },
  };
};
