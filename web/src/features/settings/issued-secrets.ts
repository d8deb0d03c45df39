import { useSyncExternalStore } from 'react';
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

/** Those not put away yet, the newest first: a person has one, and nobody's goes by what another one gets. */
const secretStore = () => {
  let secrets: readonly IssuedSecret[] = [];
  const listeners = new Set<() => void>();
  const change = (added: readonly IssuedSecret[], userId: string): void => {
    secrets = [...added, ...secrets.filter((secret) => secret.userId !== userId)];
    for (const listener of listeners) listener();
  };
  return {
    read: (): readonly IssuedSecret[] => secrets,
    add: (secret: IssuedSecret): void => change([secret], secret.userId),
    putAway: (userId: string): void => change([], userId),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
type SecretStore = ReturnType<typeof secretStore>;

/**
 * In memory alone, and for as long as the data of one person's session is there: the next one to sign in, and every other tab, sees
 * nothing of it.
 */
const stores = new WeakMap<Replica, SecretStore>();

const storeOf = (replica: Replica): SecretStore => {
  const known = stores.get(replica);
  if (known !== undefined) return known;
  const made = secretStore();
  stores.set(replica, made);
  return made;
};

export const useIssuedSecrets = () => {
  const { read, add, putAway, subscribe } = storeOf(useReplica());
  return { secrets: useSyncExternalStore(subscribe, read), add, putAway };
};
