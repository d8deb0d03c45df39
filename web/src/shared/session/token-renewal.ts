import type { ApiClient } from '../api/api-client.ts';
import { renewalAt, type TokenStore } from '../api/tokens.ts';

/** Not more often than this, in milliseconds, however short a token lives. */
const leastPause = 1_000;

/**
 * Renews the token of this browser when 80 % of its life are over, the token of each sign-in and renewal anew. A
 * renewal that nobody answers is left to the next call. Returns the end of it.
 */
export const keepTokenFresh = ({
  api,
  tokens,
  clock,
}: {
  readonly api: Pick<ApiClient, 'renew' | 'onToken'>;
  readonly tokens: Pick<TokenStore, 'read'>;
  readonly clock: {
    /** Milliseconds since 1970. */
    readonly now: () => number;
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
  };
}): (() => void) => {
  let timer: unknown = null;
  const forget = (): void => {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  };
  const plan = (token: string): void => {
    forget();
    timer = clock.setTimeout(
      () => {
        api.renew().catch(() => undefined);
      },
      Math.max(renewalAt(token) - clock.now(), leastPause),
    );
  };
  const token = tokens.read()?.token;
  if (token !== undefined) plan(token);
  const stop = api.onToken(plan);
  return () => {
    forget();
    stop();
  };
};
