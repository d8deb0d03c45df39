import { useCallback, useSyncExternalStore } from 'react';
import type { Replica } from '../../shared/replica/replica.ts';
import { useReplica } from '../../shared/replica/replica-context.tsx';

/** What opens the door to a person, right after it was made. */
export interface IssuedSecret {
  readonly userId: string;
  readonly name: string;
  readonly authCode: string | null;
  readonly temporaryPassword: string | null;
  /** UTC instant. */
  readonly validUntil: string;
}

interface SecretStore {
  secrets: readonly IssuedSecret[];
  readonly listeners: Set<() => void>;
}

/**
 * In memory alone, and for as long as the data of one person's session is there: the next one to sign in, and every other tab, sees
 * nothing of it.
 */
const stores = new WeakMap<Replica, SecretStore>();

const storeOf = (replica: Replica): SecretStore => {
  const known = stores.get(replica);
  if (known !== undefined) return known;
  const made: SecretStore = { secrets: [], listeners: new Set() };
  stores.set(replica, made);
  return made;
};

/** Those not put away yet, the newest first: a person has one, and nobody's goes by what another one gets. */
export const useIssuedSecrets = () => {
  const store = storeOf(useReplica());
  const subscribe = useCallback(
    (listener: () => void) => {
      store.listeners.add(listener);
      return () => store.listeners.delete(listener);
    },
    [store],
  );
  const change = (next: readonly IssuedSecret[]): void => {
    store.secrets = next;
    for (const listener of store.listeners) listener();
  };
  const without = (userId: string): readonly IssuedSecret[] => store.secrets.filter((one) => one.userId !== userId);
  return {
    secrets: useSyncExternalStore(subscribe, () => store.secrets),
    add: (secret: IssuedSecret): void => change([secret, ...without(secret.userId)]),
    putAway: (userId: string): void => change(without(userId)),
  };
};
