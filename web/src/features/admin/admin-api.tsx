import { type ReactNode, useEffect, useState } from 'react';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { apiClient } from '../../shared/api/api-client.ts';
import { ApiProvider } from '../../shared/api/api-context.tsx';
import type { TokenStore } from '../../shared/api/tokens.ts';
import { useGo } from '../../shared/ui/use-go.ts';

const key = 'adminToken';

/** The administration's own token: gone with the tab, never renewed. */
export const adminTokens: TokenStore = {
  read: () => {
    const token = sessionStorage.getItem(key);
    return token === null ? null : { token, refreshToken: null };
  },
  write: ({ token }) => sessionStorage.setItem(key, token),
  clear: () => sessionStorage.removeItem(key),
};

/** Here at once, on the server as soon as it hears of it: half an hour later it ends there by itself. */
export const signOutAdmin = (): void => {
  const pair = adminTokens.read();
  adminTokens.clear();
  if (pair === null) return;
  const headers = { authorization: `Bearer ${pair.token}` };
  // Also from a tab that is closed right after.
  fetch('/api/admin/logout', { method: 'POST', headers, keepalive: true }).catch(() => undefined);
};

/** Since when nobody touched the page: what it asks by itself is no sign that somebody is there. */
const unattendedAfter = 60_000;

const attending = () => {
  let lastAct = Date.now();
  const act = (): void => {
    lastAct = Date.now();
  };
  return {
    isThere: (): boolean => Date.now() - lastAct < unattendedAfter,
    /** Returns how to stop. */
    listen: (): (() => void) => {
      const stopping = new AbortController();
      const options = { capture: true, passive: true, signal: stopping.signal };
      for (const name of ['pointerdown', 'keydown', 'wheel']) document.addEventListener(name, act, options);
      return () => stopping.abort();
    },
  };
};

export interface PendingCode {
  readonly code: string;
  readonly expiresAt: string;
}

/** A licence as the administration sees it. */
export type AdminLicence = LicenseWire & {
  readonly pendingCode?: PendingCode | null;
  readonly openSessions?: number;
  readonly ownerSecondFactor?: boolean;
  /** When somebody of the team was last there; null = nobody was. */
  readonly lastActiveAt?: string | null;
};

/** The client of the administration's realm for everything below; a lost session leads to the sign-in. */
export const AdminApi = ({ children }: { readonly children: ReactNode }) => {
  const go = useGo();
  const [attended] = useState(attending);
  useEffect(() => attended.listen(), [attended]);
  const [api] = useState(() =>
    apiClient({
      tokens: adminTokens,
      fetch: (input, init) => {
        const headers = init?.headers as Record<string, string>;
        return fetch(input, attended.isThere() ? init : { ...init, headers: { ...headers, 'X-Unattended': '1' } });
      },
      now: () => Date.now(),
    }),
  );
  useEffect(
    () =>
      api.onSessionLost((message) => {
        go('/admin', { replace: true, state: { notice: message } });
      }),
    [api, go],
  );
  return <ApiProvider value={api}>{children}</ApiProvider>;
};
