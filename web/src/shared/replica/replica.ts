import type { DocByKind, DocKind } from '@zakup/contracts/entities';
import { PatchMismatch, patched } from '@zakup/contracts/patch';
import type { Change, Changes, PatchedChange } from '@zakup/contracts/socket';
import { docLists } from './doc-lists.ts';

/** The browser's copy of what it may see: documents by kind and id, filled by scope and by position. */
export interface Replica {
  /**
   * Takes one message of a scope. Chunks with `last: false` wait and are drawn together with the last one: of a first load each is made ready
   * when it comes, so that the last one costs no more than they did. What a patch leaves as it is keeps its identity. False, and nothing of the message is taken, when a patch was made for something else than what the scope last brought.
   */
  readonly apply: (changes: Changes<Change | PatchedChange>) => boolean;
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

/** What a scope last said of a document: where it stands, and what it is there, `null` when it is gone. */
interface Said {
  readonly scope: string;
  readonly position: number;
  readonly doc: unknown;
}

/** What a first load has brought and nothing else knows: in its place already, and out of sight until the load is complete. */
interface Load {
  complete: boolean;
  readonly keys: Set<string>;
  readonly kinds: Set<DocKind>;
}

interface Entry {
  readonly key: string;
  readonly kind: DocKind;
  /** Of `doc`; −1 while a reset scope may bring other content at any position. */
  position: number;
  doc: unknown;
  /** One for each scope that said something, few at most; none while the document is on its way. Scopes do not move together. */
  readonly said: Said[];
  /** Of which it came, while nothing else had brought it. */
  load: Load | null;
}

interface Scope {
  position: number | null;
  drawn: boolean;
  /** After a reset: what is not in the next complete load goes. */
  replacing: boolean;
  /** On their way with their entries: what can be done before the last chunk is done then. */
  buffer: { readonly entry: Entry; readonly change: Pick<Change, 'position' | 'doc'> }[];
  /** Under way beside the buffer. */
  load: Load | null;
  keys: Set<string>;
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

const isArriving = ({ load }: Entry): boolean => load !== null && !load.complete;

const visible = (entry: Entry): boolean => {
  if (entry.doc === null || isArriving(entry)) return false;
  return entry.said.some(({ doc }) => doc !== null);
};

const saidIn = ({ said }: Entry, scope: string): Said | undefined => said.find((one) => one.scope === scope);

const holds = (entry: Entry, scope: string): boolean =>
  !isArriving(entry) && (saidIn(entry, scope)?.doc ?? null) !== null;

/** As if nothing had been said of it. */
const clear = (entry: Entry): void => {
  entry.said.length = 0;
  entry.load = null;
  entry.doc = null;
  entry.position = -1;
};

const say = ({ said }: Entry, next: Said): void => {
  const place = said.findIndex(({ scope }) => scope === next.scope);
  if (place < 0) said.push(next);
  else said[place] = next;
};

const notify = (listeners: ReadonlySet<() => void> | undefined): void => {
  if (listeners) for (const listener of listeners) listener();
};

const subscribeTo = <Key>(map: Map<Key, Set<() => void>>, key: Key, listener: () => void): (() => void) => {
  const listeners = map.get(key) ?? new Set();
  map.set(key, listeners);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) map.delete(key);
  };
};

export const memoryReplica = (): Replica => {
  const entries = new Map<string, Entry>();
  const scopes = new Map<string, Scope>();
  const lists = docLists({
    keysIn: (scope) => (scope === undefined ? entries.keys() : (scopes.get(scope)?.keys ?? [])),
    kindOf: (key) => entries.get(key)?.kind,
    shown: (key, scope) => {
      const entry = entries.get(key);
      return entry && (scope === undefined ? visible(entry) : holds(entry, scope)) ? entry.doc : null;
    },
  });
  const listeners = new Set<() => void>();
  const kindListeners = new Map<DocKind, Set<() => void>>();
  const docListeners = new Map<string, Set<() => void>>();

  const scopeOf = (name: string): Scope => {
    const known = scopes.get(name);
    if (known) return known;
    const fresh: Scope = {
      position: null,
      drawn: false,
      replacing: false,
      buffer: [],
      load: null,
      keys: new Set(),
    };
    scopes.set(name, fresh);
    return fresh;
  };

  const publish = (touched: Touched, load: Load | null = null): void => {
    const kinds = new Set([...touched.values(), ...(load?.kinds ?? [])]);
    lists.update(touched);
    const heard = [...docListeners.keys()].filter((key) => touched.has(key) || load?.keys.has(key));
    for (const key of heard) notify(docListeners.get(key));
    for (const kind of kinds) notify(kindListeners.get(kind));
    notify(listeners);
  };

  const entryOf = (kind: DocKind, id: string): Entry => {
    const key = keyOf(kind, id);
    const known = entries.get(key);
    if (known) return known;
    const fresh: Entry = { key, kind, position: -1, doc: null, said: [], load: null };
    entries.set(key, fresh);
    return fresh;
  };

  /** Something else brings it too: what its load said of it waits as what was known before does. */
  const unstage = (entry: Entry): void => {
    const [said] = entry.said;
    const scope = said && scopes.get(said.scope);
    if (!scope) return;
    scope.load?.keys.delete(entry.key);
    lists.unstage(said.scope, entry.kind, entry.key);
    scope.buffer.push({ entry, change: said });
    clear(entry);
  };

  const applyOne = (scope: string, entry: Entry, change: Pick<Change, 'position' | 'doc'>, touched: Touched): void => {
    if (isArriving(entry)) unstage(entry);
    const before = saidIn(entry, scope);
    if (!before || change.position > before.position) {
      say(entry, { scope, position: change.position, doc: change.doc });
      scopeOf(scope).keys.add(entry.key);
      touched.set(entry.key, entry.kind);
    }
    if (change.doc !== null && change.position > entry.position) {
      entry.position = change.position;
      entry.doc = change.doc;
      touched.set(entry.key, entry.kind);
    }
  };

  /** Whatever else left meanwhile: where nothing was said of it any more it went, and comes again. */
  const arrived = (entry: Entry): Entry => {
    const known = entries.get(entry.key);
    if (known === undefined) entries.set(entry.key, entry);
    return known ?? entry;
  };

  /** Makes ready what only this first load brings, and lets anything else wait for its end. */
  const take = (name: string, scope: Scope, { kind, id, position, doc }: Change): void => {
    const entry = entryOf(kind, id);
    const isNew = entry.said.length === 0 || (entry.load !== null && entry.load === scope.load);
    if (scope.drawn || doc === null || !isNew) {
      scope.buffer.push({ entry, change: { position, doc } });
      return;
    }
    if (entry.said.length > 0 && position <= entry.position) return;
    scope.load ??= { complete: false, keys: new Set(), kinds: new Set() };
    scope.load.keys.add(entry.key);
    scope.load.kinds.add(kind);
    entry.load = scope.load;
    entry.position = position;
    entry.doc = doc;
    say(entry, { scope: name, position, doc });
    lists.stage(name, kind, entry.key, doc);
  };

  /** What a first load made ready is there, all at once. */
  const complete = (name: string, scope: Scope): Load | null => {
    const { load } = scope;
    if (load === null) return null;
    load.complete = true;
    scope.load = null;
    // A scope that was never drawn has nothing else.
    scope.keys = load.keys;
    lists.open(name);
    return load;
  };

  const dropPartial = (name: string, scope: Scope): void => {
    for (const { entry } of scope.buffer)
      if (entry.said.length === 0 && entries.get(entry.key) === entry) entries.delete(entry.key);
    scope.buffer = [];
    for (const key of scope.load?.keys ?? []) {
      const entry = entries.get(key);
      if (entry) clear(entry);
      entries.delete(key);
    }
    scope.load = null;
    lists.discard(name);
  };

  const release = (scope: string, key: string, touched: Touched): void => {
    const entry = entries.get(key);
    scopes.get(scope)?.keys.delete(key);
    const place = entry?.said.findIndex((one) => one.scope === scope) ?? -1;
    if (!entry || place < 0) return;
    entry.said.splice(place, 1);
    touched.set(key, entry.kind);
    if (entry.said.length > 0) return;
    entries.delete(key);
    // A load that is on its way may hold it, and bring it back.
    clear(entry);
  };

  const reset = (name: string): void => {
    const scope = scopeOf(name);
    scope.position = null;
    dropPartial(name, scope);
    scope.replacing = true;
    for (const key of scope.keys) {
      const entry = entries.get(key);
      if (!entry) continue;
      // After a rebuild the content may differ at the same position, or stand at a lower one.
      entry.position = -1;
      const said = saidIn(entry, name);
      if (said) say(entry, { ...said, position: -1 });
    }
  };

  /** The message with whole documents; throws `PatchMismatch`. */
  const wholeOf = ({ scope, docs }: Changes<Change | PatchedChange>): readonly Change[] =>
    docs.flatMap((one) => {
      const change = asKept(scope, one);
      if (!('patch' in change)) return [change];
      const { kind, id, position, base, patch } = change;
      const known = entries.get(keyOf(kind, id));
      const held = known && saidIn(known, scope);
      if (held !== undefined && held.position >= position) return [];
      if (held?.position !== base || held.doc === null) throw new PatchMismatch(`${kind} ${id}`);
      return [{ kind, id, position, doc: patched(held.doc, patch) }];
    });

  return {
    apply(changes) {
      const scope = scopeOf(changes.scope);
      try {
        for (const change of wholeOf(changes)) take(changes.scope, scope, change);
      } catch (error) {
        if (!(error instanceof PatchMismatch)) throw error;
        return false;
      }
      if (!changes.last) return true;
      const touched: Touched = new Map();
      const { buffer } = scope;
      scope.buffer = [];
      if (scope.replacing) {
        const arriving = new Set(buffer.map(({ entry }) => entry.key));
        for (const key of scope.keys) if (!arriving.has(key)) release(changes.scope, key, touched);
        scope.replacing = false;
      }
      const load = complete(changes.scope, scope);
      for (const { entry, change } of buffer) applyOne(changes.scope, arrived(entry), change, touched);
      scope.position = Math.max(scope.position ?? -1, changes.position);
      scope.drawn = true;
      publish(touched, load);
      return true;
    },

    reset,

    paint(name, docs) {
      const scope = scopeOf(name);
      if (scope.drawn || scope.buffer.length > 0 || scope.load !== null) return;
      const touched: Touched = new Map();
      for (const { kind, id, doc } of docs) applyOne(name, entryOf(kind, id), { position: 0, doc }, touched);
      scope.drawn = true;
      // Of no known position: whatever the server says is newer.
      reset(name);
      publish(touched);
    },

    abandonPartial(name) {
      const scope = scopes.get(name);
      if (scope) dropPartial(name, scope);
    },

    forget(name) {
      const scope = scopes.get(name);
      if (!scope) return;
      const touched: Touched = new Map();
      for (const key of scope.keys) release(name, key, touched);
      dropPartial(name, scope);
      scopes.delete(name);
      lists.forget(name);
      publish(touched);
    },

    position: (scope) => scopes.get(scope)?.position ?? null,
    drawn: (scope) => scopes.get(scope)?.drawn ?? false,

    get: <Kind extends DocKind>(kind: Kind, id: string) => {
      const entry = entries.get(keyOf(kind, id));
      return entry && visible(entry) ? (entry.doc as DocByKind[Kind]) : null;
    },

    all: <Kind extends DocKind>(kind: Kind, scope?: string) => lists.all(kind, scope) as readonly DocByKind[Kind][],

    seen: (kind, id) => {
      const entry = entries.get(keyOf(kind, id));
      if (!entry || isArriving(entry)) return -1;
      return Math.max(entry.position, ...entry.said.map((one) => one.position));
    },

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeKind: (kind, listener) => subscribeTo(kindListeners, kind, listener),
    subscribeDoc: (kind, id, listener) => subscribeTo(docListeners, keyOf(kind, id), listener),
  };
};
