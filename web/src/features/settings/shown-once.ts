import { useSyncExternalStore } from 'react';
import type { Replica } from '../../shared/replica/replica.ts';
import { useReplica } from '../../shared/replica/replica-context.tsx';

/** Those not put away yet, the newest first: each id has one, and nobody's goes by what another one gets. */
const shownStore = <Shown>(idOf: (shown: Shown) => string) => {
  let all: readonly Shown[] = [];
  const listeners = new Set<() => void>();
  const change = (added: readonly Shown[], id: string): void => {
    all = [...added, ...all.filter((one) => idOf(one) !== id)];
    for (const listener of listeners) listener();
  };
  return {
    read: (): readonly Shown[] => all,
    add: (one: Shown): void => change([one], idOf(one)),
    putAway: (id: string): void => change([], id),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/**
 * A hook for secrets that are told once: they stay on the screen until they are put away, also when their tab is left. In memory alone,
 * and for as long as the data of one person's session is there: the next one to sign in, and every other tab, sees nothing of it.
 */
export const shownOnce = <Shown>(idOf: (shown: Shown) => string) => {
  const stores = new WeakMap<Replica, ReturnType<typeof shownStore<Shown>>>();
  return function useShownOnce() {
    const replica = useReplica();
    const store = stores.get(replica) ?? shownStore(idOf);
    stores.set(replica, store);
    const { read, add, putAway, subscribe } = store;
    return { shown: useSyncExternalStore(subscribe, read), add, putAway };
  };
};
