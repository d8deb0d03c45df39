import type { LicenseWire } from '@zakup/contracts/entities';
import { messages } from '@zakup/domain/messages';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import type { SignIn } from '../../shared/session/session-context.tsx';

interface EmployeeLogin {
  readonly token: string;
  readonly refreshToken?: string | null;
  readonly passwordChangeRequired?: boolean;
}

interface OwnerLogin {
  readonly token: string;
  readonly refreshToken: string;
  readonly license?: LicenseWire | null;
}

export type Realm = 'employee' | 'owner';

export interface Credentials {
  readonly realm: Realm;
  readonly code: string;
  /** Null = an employee signs in by the code alone, which their licence may allow. */
  readonly password: string | null;
  /** Ends one's own oldest session where all seats are taken. */
  readonly endOldest?: boolean;
}

/** Signs in by the tab's own call. Rejects with `ApiProblem`. */
export const signInWith = async (
  api: ApiClient,
  { realm, code, password, endOldest }: Credentials,
): Promise<SignIn> => {
  const rest = { ...(password !== null && { password }), ...(endOldest && { endOldest }) };
  switch (realm) {
    case 'employee': {
      const path = password === null ? '/api/auth/login-code' : '/api/auth/employee-login';
      const { data } = await api.open<EmployeeLogin>(path, { authCode: code, ...rest });
      return {
        kind: 'employee',
        pair: { token: data.token, refreshToken: data.refreshToken ?? null },
        passwordChangeRequired: data.passwordChangeRequired === true,
      };
    }
    case 'owner': {
      const { data } = await api.open<OwnerLogin>('/api/auth/ceo-login', { loginCode: code, ...rest });
      if (!data.license) throw new ApiProblem({ code: 'INTERNAL', status: 200, message: messages.licenceDataMissing });
      return { kind: 'owner', pair: { token: data.token, refreshToken: data.refreshToken } };
    }
  }
};

/** The server's own text first, else the words of the way in. */
export const signInFailure = (realm: Realm, byCode: boolean, thrown: unknown): string => {
  if (thrown instanceof ApiProblem) {
    if (thrown.code === 'NETWORK') return messages.connectionFailed;
    if (thrown.message !== '' && !thrown.message.startsWith('HTTP error!')) return thrown.message;
  }
  if (byCode) return messages.loginFailed;
  return realm === 'owner' ? messages.wrongLogin : messages.wrongEmployeeLogin;
};
