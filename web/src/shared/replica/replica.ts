import type { DocByKind, DocKind } from '@zakup/contracts/wire-entities';
import { PatchMismatch, patched } from '@zakup/contracts/patch';
import type { Change, Changes, PatchedChange } from '@zakup/contracts/socket';
import { arrivingLoads, clear, type Waiting } from './arriving-loads.ts';
import { docLists } from './doc-lists.ts';
import { isArriving, type KnownDoc, type Load, newestOf, saidIn, type ScopeState } from './known-doc.ts';
import { subscriptions } from './subscriptions.ts';

/** The browser's copy of what it may see: documents by kind and id, filled by scope and by position. */
export interface Replica {
  /**
   * Takes one message of a scope. Chunks with `last: false` wait and are drawn together with the last one: of a first load each is made ready
   * when it comes, so that the last one costs no more than they did. What a patch leaves as it is keeps its identity. False, and nothing of the message is taken, when a patch was made for something else than what the scope last brought.
   */
  readonly apply: (changes: Changes<Change | PatchedChange>) => boolean;
  /** The scope is asked for: a load that brings all of it is newer than everything heard until now. */
  readonly ask: (scope: string) => void;
  /**
   * The scope is to be loaded anew: its position is forgotten at once; what it alone held stays on the screen until
   * the new load is complete and is then replaced in one step.
   */
  readonly reset: (scope: string) => void;
  /**
   * Shows what this browser kept of a scope that was never drawn, until its first complete load takes the place in one
   * step. Nothing when the load has begun to come.
   */
  readonly paint: (scope: string, docs: readonly Pick<Change, 'kind' | 'id' | 'doc'>[]) => void;
  /** Chunks that never got their last one (the line broke) are dropped. */
  readonly abandonPartial: (scope: string) => void;
  /** Nobody looks at the scope any more: what it alone held goes. */
  readonly forget: (scope: string) => void;
  /** The scope's last complete position, usable as `since`; `null` before the first load and after a reset. */
  readonly position: (scope: string) => number | null;
  /** True once the scope was drawn completely at least once (also while it is being reloaded). */
  readonly drawn: (scope: string) => boolean;
  readonly get: <Kind extends DocKind>(kind: Kind, id: string) => DocByKind[Kind] | null;
  /** Documents of a kind that are visible, optionally in one scope only; the same array while none of them changed. */
  readonly all: <Kind extends DocKind>(kind: Kind, scope?: string) => readonly DocByKind[Kind][];
  /** Greatest position known of a document, its disappearance included; −1 when unknown. */
  readonly seen: (kind: DocKind, id: string) => number;
  /** Called after every drawn change of anything. Returns the end of the subscription. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Called after a document of the kind, or the state of a scope, changed. */
  readonly subscribeKind: (kind: DocKind, listener: () => void) => () => void;
  /** Called after this one document changed. */
  readonly subscribeDoc: (kind: DocKind, id: string, listener: () => void) => () => void;
}

/** Keys of what changed, with their kinds. */
type Touched = Map<string, DocKind>;

const keyOf = (kind: DocKind, id: string): string => `${kind}\u0000${id}`;

/**
 * One's own full record comes as a `user` of `me`: kept as what it is, a `person`, so that it never takes the place of
 * the four public members that `workspace` has under the same id at the same position.
 */
const asKept = <Any extends Change | PatchedChange>(scope: string, change: Any): Any =>
  scope === 'me' && change.kind === 'user' ? { ...change, kind: 'person' } : change;

const isVisible = (known: KnownDoc): boolean => known.doc !== null && !isArriving(known);

const isIn = (known: KnownDoc, scope: ScopeState): boolean =>
  !isArriving(known) && (saidIn(known, scope)?.doc ?? null) !== null;

/** Of what came in one load the newest of each. */
const newestOfEach = (waiting: readonly Waiting[]): ReadonlyMap<string, Waiting> => {
  const newest = new Map<string, Waiting>();
  for (const one of waiting) {
    const before = newest.get(one.known.key);
    if (!before || one.position > before.position) newest.set(one.known.key, one);
  }
  return newest;
};

export const memoryReplica = (): Replica => {
  const known = new Map<string, KnownDoc>();
  const scopes = new Map<string, ScopeState>();
  /** How often any scope was asked for. */
  let asks = 0;
  const lists = docLists({
    keysIn: (scope) => (scope === undefined ? known.keys() : (scopes.get(scope)?.keys ?? [])),
    kindOf: (key) => known.get(key)?.kind,
    shown: (key, scope) => {
      const doc = known.get(key);
      if (!doc || !isVisible(doc)) return null;
      const state = scope === undefined ? null : scopes.get(scope);
      return state === null || (state && isIn(doc, state)) ? doc.doc : null;
    },
  });
  const everything = subscriptions<'all'>();
  const ofKind = subscriptions<DocKind>();
  const ofDoc = subscriptions<string>();

  const docOf = (kind: DocKind, id: string): KnownDoc => {
    const key = keyOf(kind, id);
    const there = known.get(key);
    if (there) return there;
    const fresh: KnownDoc = { key, kind, doc: null, said: [], load: null };
    known.set(key, fresh);
    return fresh;
  };
  const loads = arrivingLoads({ docs: known, docOf, lists });

  const scopeOf = (name: string): ScopeState => {
    const there = scopes.get(name);
    if (there) return there;
    const fresh: ScopeState = {
      name,
      position: null,
      drawn: false,
      replacing: false,
      asked: 0,
      loaded: 0,
      keys: new Set(),
    };
    scopes.set(name, fresh);
    return fresh;
  };

  const publish = (touched: Touched, load: Load | null = null): void => {
    const kinds = new Set([...touched.values(), ...(load?.kinds ?? [])]);
    lists.update(touched);
    for (const key of ofDoc.keys()) if (touched.has(key) || load?.keys.has(key)) ofDoc.notify(key);
    for (const kind of kinds) ofKind.notify(kind);
    everything.notify('all');
  };

  const show = (doc: KnownDoc, touched: Touched): void => {
    const newest = newestOf(doc.said);
    if (newest !== doc.doc) touched.set(doc.key, doc.kind);
    doc.doc = newest;
  };

  /** Takes over what a scope says, whatever it said before. */
  const say = (scope: ScopeState, { known: doc, ...next }: Waiting, touched: Touched): void => {
    loads.unstage(doc);
    const said = { scope, ...next, heard: asks };
    const place = doc.said.findIndex((one) => one.scope === scope);
    const before = doc.said[place];
    if (before) doc.said[place] = said;
    else doc.said.push(said);
    scope.keys.add(doc.key);
    if (before?.doc !== said.doc) touched.set(doc.key, doc.kind);
    show(doc, touched);
  };

  const release = (scope: ScopeState, key: string, touched: Touched): void => {
    const doc = known.get(key);
    scope.keys.delete(key);
    const place = doc?.said.findIndex((one) => one.scope === scope) ?? -1;
    if (!doc || place < 0) return;
    doc.said.splice(place, 1);
    touched.set(key, doc.kind);
    if (doc.said.length > 0) return show(doc, touched);
    known.delete(key);
    // A load that is on its way may hold it, and bring it back.
    clear(doc);
  };

  const reset = (name: string): void => {
    const scope = scopeOf(name);
    scope.position = null;
    scope.replacing = scope.drawn;
    loads.drop(scope);
  };

  /** The message with whole documents; throws `PatchMismatch`. */
  const wholeOf = (scope: ScopeState, { docs }: Changes<Change | PatchedChange>): readonly Change[] =>
    docs.flatMap((one) => {
      const change = asKept(scope.name, one);
      if (!('patch' in change)) return [change];
      const { kind, id, position, base, patch } = change;
      const there = known.get(keyOf(kind, id));
      const held = there && !scope.replacing ? saidIn(there, scope) : undefined;
      if (held !== undefined && held.position >= position) return [];
      if (held?.position !== base || held.doc === null) throw new PatchMismatch(`${kind} ${id}`);
      return [{ kind, id, position, doc: patched(held.doc, patch) }];
    });

  /** What waited for the last part is said: all of a load that takes the place of what was there, else what is newer. */
  const settle = (scope: ScopeState, waiting: readonly Waiting[], touched: Touched): void => {
    if (!scope.replacing) {
      for (const one of waiting)
        if (one.position > (saidIn(one.known, scope)?.position ?? -1)) say(scope, one, touched);
      return;
    }
    const whole = newestOfEach(waiting);
    for (const key of scope.keys) if (!whole.has(key)) release(scope, key, touched);
    for (const one of whole.values()) say(scope, one, touched);
  };

  return {
    apply(changes) {
      const scope = scopeOf(changes.scope);
      try {
        for (const change of wholeOf(scope, changes)) loads.take(scope, change, asks);
      } catch (error) {
        if (!(error instanceof PatchMismatch)) throw error;
        return false;
      }
      if (!changes.last) return true;
      const touched: Touched = new Map();
      const { load, waiting } = loads.complete(scope);
      if (scope.replacing || !scope.drawn) scope.loaded = scope.asked;
      settle(scope, waiting, touched);
      scope.replacing = false;
      scope.drawn = true;
      scope.position = Math.max(scope.position ?? -1, changes.position);
      publish(touched, load);
      return true;
    },

    ask(name) {
      asks += 1;
      scopeOf(name).asked = asks;
    },

    reset,

    paint(name, docs) {
      const scope = scopeOf(name);
      if (scope.drawn || loads.isUnderWay(scope)) return;
      const touched: Touched = new Map();
      for (const { kind, id, doc } of docs) say(scope, { known: docOf(kind, id), position: 0, doc }, touched);
      scope.drawn = true;
      // Of no known position: whatever the server says is newer.
      reset(name);
      publish(touched);
    },

    abandonPartial(name) {
      const scope = scopes.get(name);
      if (scope) loads.drop(scope);
    },

    forget(name) {
      const scope = scopes.get(name);
      if (!scope) return;
      const touched: Touched = new Map();
      for (const key of scope.keys) release(scope, key, touched);
      loads.drop(scope);
      scopes.delete(name);
      lists.forget(name);
      publish(touched);
    },

    position: (scope) => scopes.get(scope)?.position ?? null,
    drawn: (scope) => scopes.get(scope)?.drawn ?? false,

    get: <Kind extends DocKind>(kind: Kind, id: string) => {
      const doc = known.get(keyOf(kind, id));
      return doc && isVisible(doc) ? (doc.doc as DocByKind[Kind]) : null;
    },

    all: <Kind extends DocKind>(kind: Kind, scope?: string) => lists.all(kind, scope) as readonly DocByKind[Kind][],

    seen: (kind, id) => {
      const doc = known.get(keyOf(kind, id));
      if (!doc || isArriving(doc)) return -1;
      return Math.max(-1, ...doc.said.map(({ scope, position }) => (scope.replacing ? -1 : position)));
    },

    subscribe: (listener) => everything.add('all', listener),
    subscribeKind: (kind, listener) => ofKind.add(kind, listener),
    subscribeDoc: (kind, id, listener) => ofDoc.add(keyOf(kind, id), listener),
  };
};
