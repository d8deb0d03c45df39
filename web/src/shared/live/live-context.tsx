import { createContext, use, useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSession } from '../session/session-context.tsx';
import type { ConnectionStatus, Live, ScopeStatus } from './live.ts';
import type { PresentPerson } from './presence.ts';

const LiveContext = createContext<Live | null>(null);

export const LiveProvider = LiveContext.Provider;

/** The live channel of the signed-in person. Throws outside `LiveProvider`. */
export const useLive = (): Live => {
  const live = use(LiveContext);
  if (!live) throw new Error('useLive outside of LiveProvider');
  return live;
};

export const useConnection = (): ConnectionStatus => {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.status);
};

const never = (): (() => void) => () => undefined;

/** When the line was lost, in milliseconds, once the person was told that it is; `null` while there is one. */
export const useLostAt = (): number | null => {
  const live = use(LiveContext);
  return useSyncExternalStore(live?.subscribe ?? never, () => {
    const status = live?.status();
    return status?.state === 'offline' && status.announced ? status.dataAt : null;
  });
};

const loading: ScopeStatus = { kind: 'loading' };

/** Holds a scope (`workspace`, `campaign:<id>`, `contractor:<id>`, `me`) while mounted; `null` holds none. */
export const useScope = (scope: string | null): ScopeStatus => {
  const live = useLive();
  useEffect(() => (scope === null ? undefined : live.hold(scope)), [live, scope]);
  const snapshot = useCallback(() => (scope === null ? loading : live.scopeStatus(scope)), [live, scope]);
  return useSyncExternalStore(live.subscribe, snapshot);
};

/** The others who look at a held scope, one entry for each of their sessions; one's own other windows are left out. */
export const useColleagues = (scope: string): readonly PresentPerson[] => {
  const live = useLive();
  const { person } = useSession();
  const people = useSyncExternalStore(
    live.subscribe,
    useCallback(() => live.people(scope), [live, scope]),
  );
  return useMemo(() => people.filter((one) => one.userId !== person.id), [people, person.id]);
};
