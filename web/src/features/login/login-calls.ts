import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { signInMessages } from '@zakup/domain/sign-in-messages';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import type { SignIn } from '../../shared/session/session-context.tsx';

interface Asking {
  /** The token opens no session yet, only the question for the second secret. */
  readonly secondFactorRequired?: boolean;
  /** The same where everybody in the team must have one and this person has none: only setting it up. */
  readonly secondFactorSetUpRequired?: boolean;
}

interface EmployeeLogin extends Asking {
  readonly token: string;
  readonly refreshToken?: string | null;
  readonly passwordChangeRequired?: boolean;
}

interface OwnerLogin extends Asking {
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

/** The first secret was right; a second one is asked for, or has to be set up first. */
export interface AskedStep {
  readonly kind: 'asked';
  readonly realm: Realm;
  readonly token: string;
  readonly setUp: boolean;
}

const askedOf = (realm: Realm, data: Asking & { readonly token: string }): AskedStep | null =>
  data.secondFactorRequired === true || data.secondFactorSetUpRequired === true
    ? { kind: 'asked', realm, token: data.token, setUp: data.secondFactorSetUpRequired === true }
    : null;

const employeeOf = (data: EmployeeLogin): SignIn => ({
  kind: 'employee',
  pair: { token: data.token, refreshToken: data.refreshToken ?? null },
  passwordChangeRequired: data.passwordChangeRequired === true,
});

const ownerOf = (data: OwnerLogin): SignIn => {
  if (!data.license)
    throw new ApiProblem({ code: 'INTERNAL', status: 200, message: signInMessages.licenceDataMissing });
  return { kind: 'owner', pair: { token: data.token, refreshToken: data.refreshToken } };
};

/** Signs in by the tab's own call. Rejects with `ApiProblem`. */
export const signInWith = async (
  api: ApiClient,
  { realm, code, password, endOldest }: Credentials,
): Promise<SignIn | AskedStep> => {
  const rest = { ...(password !== null && { password }), ...(endOldest && { endOldest }) };
  switch (realm) {
    case 'employee': {
      const path = password === null ? '/api/auth/login-code' : '/api/auth/employee-login';
      const { data } = await api.open<EmployeeLogin>(path, { authCode: code, ...rest });
      return askedOf(realm, data) ?? employeeOf(data);
    }
    case 'owner': {
      const { data } = await api.open<OwnerLogin>('/api/auth/ceo-login', { loginCode: code, ...rest });
      return askedOf(realm, data) ?? ownerOf(data);
    }
  }
};

/** Shows the second secret. Rejects with `ApiProblem`; `UNAUTHENTICATED` = the first one has to be shown again. */
export const finishSignIn = async (
  api: ApiClient,
  { realm, token }: AskedStep,
  { code, endOldest }: { readonly code: string; readonly endOldest: boolean },
): Promise<SignIn> => {
  const body = { code, ...(endOldest && { endOldest }) };
  const { data } = await api.open<EmployeeLogin & OwnerLogin>('/api/auth/second-factor', body, token);
  return realm === 'employee' ? employeeOf(data) : ownerOf(data);
};

/** The server's own text first, else the words of the way in. */
export const signInFailure = (realm: Realm, byCode: boolean, thrown: unknown): string => {
  if (thrown instanceof ApiProblem) {
    if (thrown.code === 'NETWORK') return signInMessages.connectionFailed;
    if (thrown.message !== '' && !thrown.message.startsWith('HTTP error!')) return thrown.message;
  }
  if (byCode) return signInMessages.loginFailed;
  return realm === 'owner' ? signInMessages.wrongLogin : signInMessages.wrongEmployeeLogin;
};
