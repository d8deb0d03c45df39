import type { DocByKind, DocKind } from '@zakup/contracts/wire-entities';
import type { Change, Changes, PatchedChange } from '@zakup/contracts/socket';
import { arrivingLoads } from './arriving-loads.ts';
import { docLists } from './doc-lists.ts';
import { isVisible } from './known-doc.ts';
import { replicaListeners } from './replica-listeners.ts';
import { ReplicaState } from './replica-state.ts';
import { ReplicaWriter } from './replica-writer.ts';

/** The browser's copy of what it may see: documents by kind and id, filled by scope and by position. */
export interface Replica {
  /**
   * Takes one message of a scope. Chunks with `last: false` wait and are drawn together with the last one: of a first load each is made ready
   * when it comes, so that the last one costs no more than they did. What a patch leaves as it is keeps its identity. False, and nothing of the message is taken, when a patch was made for something else than what the scope last brought.
   */
  readonly apply: (changes: Changes<Change | PatchedChange>) => boolean;
  /** Whoever listens hears of all that is applied meanwhile once, at its end. */
  readonly together: (run: () => void) => void;
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

export const memoryReplica = (): Replica => {
  const state = new ReplicaState();
  const { docs, scopes } = state;
  const lists = docLists({
    keysIn: (scope) => (scope === undefined ? docs.keys() : (scopes.get(scope)?.keys ?? [])),
    kindOf: (key) => docs.get(key)?.kind,
    shown: (key, scope) => state.shown(key, scope),
  });
  const loads = arrivingLoads({ docs, docOf: (kind, id) => state.docOf(kind, id), lists });
  const listeners = replicaListeners();
  const writer = new ReplicaWriter({ state, loads, lists, listeners });

  return {
    apply: (changes) => writer.apply(changes),
    together: (run) => writer.together(run),
    ask: (scope) => state.ask(scope),
    reset: (scope) => writer.reset(scope),
    paint: (scope, kept) => writer.paint(scope, kept),
    abandonPartial: (scope) => writer.abandonPartial(scope),
    forget: (scope) => writer.forget(scope),

    position: (scope) => scopes.get(scope)?.position ?? null,
    drawn: (scope) => scopes.get(scope)?.drawn ?? false,
    get: <Kind extends DocKind>(kind: Kind, id: string) => {
      const known = state.findDoc(kind, id);
      return known && isVisible(known) ? (known.doc as DocByKind[Kind]) : null;
    },
    all: <Kind extends DocKind>(kind: Kind, scope?: string) => lists.all(kind, scope) as readonly DocByKind[Kind][],
    seen: (kind, id) => state.seen(kind, id),

    subscribe: listeners.subscribe,
    subscribeKind: listeners.subscribeKind,
    subscribeDoc: listeners.subscribeDoc,
  };
};
