import type { DocByKind, DocKind } from '@zakup/contracts/wire-entities';
import { createContext, use, useCallback, useRef, useSyncExternalStore } from 'react';
import { rememberedChange } from '../lists/changed-places.ts';
import type { Replica } from './replica.ts';

const ReplicaContext = createContext<Replica | null>(null);

export const ReplicaProvider = ReplicaContext.Provider;

/** The replica of the signed-in person. Throws outside `ReplicaProvider`. */
export const useReplica = (): Replica => {
  const replica = use(ReplicaContext);
  if (!replica) throw new Error('useReplica outside of ReplicaProvider');
  return replica;
};

/** One document, `null` while it is unknown or gone; repaints only when this document changes. */
export const useDoc = <Kind extends DocKind>(kind: Kind, id: string | null): DocByKind[Kind] | null => {
  const replica = useReplica();
  const subscribe = useCallback(
    (listener: () => void) => (id === null ? () => undefined : replica.subscribeDoc(kind, id, listener)),
    [replica, kind, id],
  );
  return useSyncExternalStore(subscribe, () => (id === null ? null : replica.get(kind, id)));
};

export interface DocsFilter<Doc> {
  /** Only what this scope holds. */
  readonly scope?: string;
  /** Must be a stable function (module scope or `useCallback`), or it is asked again at every paint. */
  readonly where?: (doc: Doc) => boolean;
  /**
   * What counts as no change, where not every member matters: the documents may then be older in the others. A stable
   * function, asked of documents that changed.
   */
  readonly same?: (before: Doc, after: Doc) => boolean;
}

const sameItems = <Item,>(
  before: readonly Item[],
  after: readonly Item[],
  same: ((before: Item, after: Item) => boolean) | undefined,
): boolean => {
  if (before.length !== after.length) return false;
  const isSame = (place: number): boolean => {
    const [item, next] = [before[place], after[place]];
    return item === next || (item !== undefined && next !== undefined && same?.(item, next) === true);
  };
  return rememberedChange(before, after)?.every(isSame) ?? before.every((_, place) => isSame(place));
};

/** Documents of a kind in no particular order; the same array as long as none of the chosen ones changed. */
export const useDocs = <Kind extends DocKind>(
  kind: Kind,
  filter: DocsFilter<DocByKind[Kind]> = {},
): readonly DocByKind[Kind][] => {
  const replica = useReplica();
  const { scope, where, same } = filter;
  const memo = useRef<{ source: unknown; where: unknown; chosen: readonly DocByKind[Kind][] }>(null);
  const subscribe = useCallback((listener: () => void) => replica.subscribeKind(kind, listener), [replica, kind]);
  return useSyncExternalStore(subscribe, () => {
    const source = replica.all(kind, scope);
    const known = memo.current;
    if (known && known.source === source && known.where === where) return known.chosen;
    const next = where ? source.filter(where) : source;
    const chosen = known && sameItems(known.chosen, next, same) ? known.chosen : next;
    memo.current = { source, where, chosen };
    return chosen;
  });
};

/** True once the server has brought the scope completely: what this browser had kept of it may tell of what is gone. */
export const useBrought = (scope: string): boolean => {
  const replica = useReplica();
  const subscribe = useCallback((listener: () => void) => replica.subscribe(listener), [replica]);
  return useSyncExternalStore(subscribe, () => replica.position(scope) !== null);
};

/** True once the scope has been drawn completely; its documents may be older than now while the line is down. */
export const useDrawn = (scope: string | null): boolean => {
  const replica = useReplica();
  const subscribe = useCallback((listener: () => void) => replica.subscribe(listener), [replica]);
  return useSyncExternalStore(subscribe, () => scope !== null && replica.drawn(scope));
};
