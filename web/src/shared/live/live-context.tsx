import { createContext, use, useCallback, useEffect, useSyncExternalStore } from 'react';
import type { ConnectionStatus, Live, ScopeStatus } from './live.ts';

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

const loading: ScopeStatus = { kind: 'loading' };

/** Holds a scope (`workspace`, `campaign:<id>`, `contractor:<id>`, `me`) while mounted; `null` holds none. */
export const useScope = (scope: string | null): ScopeStatus => {
  const live = useLive();
  useEffect(() => (scope === null ? undefined : live.hold(scope)), [live, scope]);
  const snapshot = useCallback(() => (scope === null ? loading : live.scopeStatus(scope)), [live, scope]);
  return useSyncExternalStore(live.subscribe, snapshot);
};
