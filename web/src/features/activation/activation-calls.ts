import { fromPromise } from 'xstate';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { messages } from '@zakup/domain/messages';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import type { TokenPair } from '../../shared/api/tokens.ts';

/** What the machine asks of the server. */
export const activationCalls = (api: ApiClient) => ({
  requestCode: fromPromise<undefined, { readonly key: string }>(async ({ input }) => {
    await api.open('/api/licenses/request-code', { licenseKey: input.key });
    return undefined;
  }),
  proveCode: fromPromise<{ ownerName: string }, { readonly key: string; readonly code: string }>(async ({ input }) => {
    const { data } = await api.open<{ ownerName?: string }>('/api/licenses/activate-step1', {
      licenseKey: input.key,
      twoFactorCode: input.code,
    });
    return { ownerName: data.ownerName ?? '' };
  }),
  setPassword: fromPromise<
    { loginCode: string },
    { readonly key: string; readonly password: string; readonly confirmation: string }
  >(async ({ input }) => {
    const { data } = await api.open<{ ceoLoginCode: string }>('/api/licenses/activate-step2', {
      licenseKey: input.key,
      password: input.password,
      passwordConfirm: input.confirmation,
    });
    return { loginCode: data.ceoLoginCode };
  }),
  signIn: fromPromise<TokenPair, { readonly key: string; readonly password: string; readonly endOldest: boolean }>(
    async ({ input: { key, password, endOldest } }) => {
      try {
        const { data } = await api.open<{
          token: string;
          refreshToken: string;
          license?: LicenseWire;
          secondFactorRequired?: boolean;
          secondFactorSetUpRequired?: boolean;
        }>('/api/licenses/activate', { licenseKey: key, password, ...(endOldest && { endOldest }) });
        // The dialog's other button asks for it.
        if (data.secondFactorRequired === true || data.secondFactorSetUpRequired === true)
          throw new ApiProblem({ code: 'ACCESS_DENIED', status: 200, message: messages.secondFactorActivated });
        if (!data.license)
          throw new ApiProblem({ code: 'INTERNAL', status: 200, message: messages.licenceDataMissing });
        return { token: data.token, refreshToken: data.refreshToken };
      } catch (thrown) {
        throw thrown instanceof ApiProblem ? thrown : new Error(messages.activationFailed);
      }
    },
  ),
});
