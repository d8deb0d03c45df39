import type { DocByKind, DocKind } from '@zakup/contracts/entities';
import type { Change, Changes } from '@zakup/contracts/socket';

/** The browser's copy of what it may see: documents by kind and id, filled by scope and by position. */
export interface Replica {
  /** Takes one message of a scope. Chunks with `last: false` wait and are drawn together with the last one. */
  readonly apply: (changes: Changes) => void;
  /**
   * The scope is to be loaded anew: its position is forgotten at once; what it alone held stays on the screen until
   * the new load is complete and is then replaced in one step.
   */
  readonly reset: (scope: string) => void;
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

interface Entry {
  readonly kind: DocKind;
  readonly id: string;
  /** Of `doc`; −1 while a reset scope may bring other content at any position. */
  position: number;
  doc: unknown;
  /** What each scope last said: where it stands and whether it still holds the document. */
  readonly held: Map<string, { position: number; present: boolean }>;
}

interface Scope {
  position: number | null;
  drawn: boolean;
  /** After a reset: what is not in the next complete load goes. */
  replacing: boolean;
  buffer: Change[];
  readonly keys: Set<string>;
}

const keyOf = (kind: DocKind, id: string): string => `${kind}\u0000${id}`;

/**
 * One's own full record comes as a `user` of `me`: kept as what it is, a `person`, so that it never takes the place of
 * the four public members that `workspace` has under the same id at the same position.
 */
const asKept = (scope: string, change: Change): Change =>
  scope === 'me' && change.kind === 'user' ? { ...change, kind: 'person' } : change;

const visible = (entry: Entry): boolean => {
  if (entry.doc === null) return false;
  for (const membership of entry.held.values()) if (membership.present) return true;
  return false;
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
  const lists = new Map<string, readonly unknown[]>();
  const listeners = new Set<() => void>();
  const kindListeners = new Map<DocKind, Set<() => void>>();
  const docListeners = new Map<string, Set<() => void>>();

  const scopeOf = (name: string): Scope => {
    const known = scopes.get(name);
    if (known) return known;
    const fresh: Scope = { position: null, drawn: false, replacing: false, buffer: [], keys: new Set() };
    scopes.set(name, fresh);
    return fresh;
  };

  const publish = (touched: ReadonlyMap<string, DocKind>): void => {
    const kinds = new Set(touched.values());
    for (const list of lists.keys()) {
      const kind = list.slice(0, list.indexOf('\u0000'));
      if (kinds.has(kind as DocKind)) lists.delete(list);
    }
    for (const key of touched.keys()) notify(docListeners.get(key));
    for (const kind of kinds) notify(kindListeners.get(kind));
    notify(listeners);
  };

  const applyOne = (scope: string, change: Change, touched: Map<string, DocKind>): void => {
    const key = keyOf(change.kind, change.id);
    let entry = entries.get(key);
    if (!entry) {
      entry = { kind: change.kind, id: change.id, position: -1, doc: null, held: new Map() };
      entries.set(key, entry);
    }
    const before = entry.held.get(scope);
    if (!before || change.position > before.position) {
      entry.held.set(scope, { position: change.position, present: change.doc !== null });
      scopeOf(scope).keys.add(key);
      touched.set(key, change.kind);
    }
    if (change.doc !== null && change.position > entry.position) {
      entry.position = change.position;
      entry.doc = change.doc;
      touched.set(key, change.kind);
    }
  };

  const release = (scope: string, key: string, touched: Map<string, DocKind>): void => {
    const entry = entries.get(key);
    scopes.get(scope)?.keys.delete(key);
    if (!entry?.held.delete(scope)) return;
    touched.set(key, entry.kind);
    if (entry.held.size === 0) entries.delete(key);
  };

  return {
    apply(changes) {
      const scope = scopeOf(changes.scope);
      scope.buffer.push(...changes.docs.map((change) => asKept(changes.scope, change)));
      if (!changes.last) return;
      const touched = new Map<string, DocKind>();
      const { buffer } = scope;
      scope.buffer = [];
      if (scope.replacing) {
        const arriving = new Set(buffer.map((change) => keyOf(change.kind, change.id)));
        for (const key of scope.keys) if (!arriving.has(key)) release(changes.scope, key, touched);
        scope.replacing = false;
      }
      for (const change of buffer) applyOne(changes.scope, change, touched);
      scope.position = Math.max(scope.position ?? -1, changes.position);
      scope.drawn = true;
      publish(touched);
    },

    reset(name) {
      const scope = scopeOf(name);
      scope.position = null;
      scope.buffer = [];
      scope.replacing = true;
      for (const key of scope.keys) {
        const entry = entries.get(key);
        if (!entry) continue;
        // After a rebuild the content may differ at the same position, or stand at a lower one.
        entry.position = -1;
        const membership = entry.held.get(name);
        if (membership) entry.held.set(name, { position: -1, present: membership.present });
      }
    },

    abandonPartial(name) {
      const scope = scopes.get(name);
      if (scope) scope.buffer = [];
    },

    forget(name) {
      const scope = scopes.get(name);
      if (!scope) return;
      const touched = new Map<string, DocKind>();
      for (const key of scope.keys) release(name, key, touched);
      scopes.delete(name);
      publish(touched);
    },

    position: (scope) => scopes.get(scope)?.position ?? null,
    drawn: (scope) => scopes.get(scope)?.drawn ?? false,

    get: <Kind extends DocKind>(kind: Kind, id: string) => {
      const entry = entries.get(keyOf(kind, id));
      return entry && visible(entry) ? (entry.doc as DocByKind[Kind]) : null;
    },

    all: <Kind extends DocKind>(kind: Kind, scope?: string) => {
      const list = `${kind}\u0000${scope ?? ''}`;
      const known = lists.get(list);
      if (known) return known as readonly DocByKind[Kind][];
      const docs: DocByKind[Kind][] = [];
      const keys = scope === undefined ? entries.keys() : (scopes.get(scope)?.keys ?? []);
      for (const key of keys) {
        const entry = entries.get(key);
        if (!entry || entry.kind !== kind) continue;
        if (scope === undefined ? visible(entry) : entry.held.get(scope)?.present && entry.doc !== null)
          docs.push(entry.doc as DocByKind[Kind]);
      }
      lists.set(list, docs);
      return docs;
    },

    seen: (kind, id) => {
      const entry = entries.get(keyOf(kind, id));
      if (!entry) return -1;
      return Math.max(entry.position, ...[...entry.held.values()].map((membership) => membership.position));
    },

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscribeKind: (kind, listener) => subscribeTo(kindListeners, kind, listener),
    subscribeDoc: (kind, id, listener) => subscribeTo(docListeners, keyOf(kind, id), listener),
  };
};
