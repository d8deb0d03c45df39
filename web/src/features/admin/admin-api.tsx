import { type ReactNode, useEffect, useState } from 'react';
import type { LicenseWire } from '@zakup/contracts/entities';
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

export interface PendingCode {
  readonly code: string;
  readonly expiresAt: string;
}

/** A licence as the administration sees it. */
export type AdminLicence = LicenseWire & {
  readonly pendingCode?: PendingCode | null;
  readonly openSessions?: number;
};

/** The client of the administration's realm for everything below; a lost session leads to the sign-in. */
export const AdminApi = ({ children }: { readonly children: ReactNode }) => {
  const go = useGo();
  const [api] = useState(() =>
    apiClient({ tokens: adminTokens, fetch: (input, init) => fetch(input, init), now: () => Date.now() }),
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
