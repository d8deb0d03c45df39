import type { DocKind } from '@zakup/contracts/wire-entities';
import { rememberChange } from '../lists/changed-places.ts';

/** The visible documents of a kind, in one scope or anywhere. */
interface DocList {
  readonly kind: DocKind;
  readonly scope: string | undefined;
  /** Not touched any more once it was given out. */
  docs: unknown[];
  isGivenOut: boolean;
  /** As it was given out last, and in which places it is different; null = it was not, or something came or went since. */
  since: { readonly docs: readonly unknown[]; readonly places: number[] } | null;
  /** Keys of `docs`, in their order. */
  readonly keys: string[];
  /** Place in `docs` by key. */
  readonly places: Map<string, number>;
}

export interface DocListsDeps {
  /** Keys of everything that a scope may hold, or that there is. */
  readonly keysIn: (scope: string | undefined) => Iterable<string>;
  readonly kindOf: (key: string) => DocKind | undefined;
  /** What a scope shows of a document, or any of them; null = it is not there. */
  readonly shown: (key: string, scope: string | undefined) => unknown;
}

/**
 * Lists of documents, each made when it is first asked for and then kept as documents change: a change costs one copy of an array, however
 * long it is. Of a document that changed the place stays, one that comes is the last, one that goes leaves its place to the last.
 */
export const docLists = ({ keysIn, kindOf, shown }: DocListsDeps) => {
  const lists = new Map<string, DocList>();
  /** Of scopes that are on their way for the first time, by the same names. */
  const staged = new Map<string, DocList>();

  const nameOf = (kind: DocKind, scope: string | undefined): string => `${kind}\u0000${scope ?? ''}`;
  const listOf = (among: Map<string, DocList>, kind: DocKind, scope: string | undefined): DocList => {
    const name = nameOf(kind, scope);
    const known = among.get(name);
    if (known) return known;
    const fresh: DocList = { kind, scope, docs: [], isGivenOut: false, since: null, keys: [], places: new Map() };
    among.set(name, fresh);
    return fresh;
  };
  const touch = (list: DocList): void => {
    if (!list.isGivenOut) return;
    list.since = { docs: list.docs, places: [] };
    list.docs = list.docs.slice();
    list.isGivenOut = false;
  };
  const drop = (list: DocList, key: string, place: number): void => {
    touch(list);
    list.since = null;
    const last = list.docs.pop();
    const lastKey = list.keys.pop();
    list.places.delete(key);
    if (lastKey === undefined || lastKey === key) return;
    list.docs[place] = last;
    list.keys[place] = lastKey;
    list.places.set(lastKey, place);
  };
  const put = (list: DocList, key: string, doc = shown(key, list.scope)): void => {
    const place = list.places.get(key);
    if (place !== undefined && doc === null) drop(list, key, place);
    else if (place !== undefined && list.docs[place] !== doc) {
      touch(list);
      list.docs[place] = doc;
      list.since?.places.push(place);
    } else if (place === undefined && doc !== null) {
      touch(list);
      list.since = null;
      list.places.set(key, list.docs.push(doc) - 1);
      list.keys.push(key);
    }
  };

  return {
    /** The same array while none of its documents changed. */
    all(kind: DocKind, scope: string | undefined): readonly unknown[] {
      const isNew = !lists.has(nameOf(kind, scope));
      const list = listOf(lists, kind, scope);
      if (isNew) for (const key of keysIn(scope)) if (kindOf(key) === kind) put(list, key);
      list.isGivenOut = true;
      if (list.since !== null) rememberChange(list.since.docs, list.docs, list.since.places);
      list.since = null;
      return list.docs;
    },

    /** Takes over what became of these documents; keys with their kinds. */
    update(touched: ReadonlyMap<string, DocKind>): void {
      for (const [key, kind] of touched) for (const list of lists.values()) if (list.kind === kind) put(list, key);
    },

    /** Puts into a scope's lists what is to be there at `open`. */
    stage(scope: string, kind: DocKind, key: string, doc: unknown): void {
      put(listOf(staged, kind, scope), key, doc);
    },

    unstage(scope: string, kind: DocKind, key: string): void {
      put(listOf(staged, kind, scope), key, null);
    },

    /** What was staged of a scope that had nothing before is there. */
    open(scope: string): void {
      for (const [name, list] of staged) {
        if (list.scope !== scope) continue;
        staged.delete(name);
        lists.set(name, list);
        const everywhere = lists.get(nameOf(list.kind, undefined));
        if (everywhere) for (const key of list.keys) put(everywhere, key);
      }
    },

    /** What was staged of a scope does not come. */
    discard(scope: string): void {
      for (const [name, list] of staged) if (list.scope === scope) staged.delete(name);
    },

    /** Nobody looks at the scope any more. */
    forget(scope: string): void {
      for (const [name, list] of lists) if (list.scope === scope) lists.delete(name);
    },
  };
};
