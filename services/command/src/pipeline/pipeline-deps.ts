import type { AccessTokens } from '@zakup/credentials/access-token';
import type { Credentials } from '@zakup/credentials/credentials';
import type { KeyThrottle } from '@zakup/credentials/key-throttle';
import type { Metrics } from '@zakup/service-kit/metrics';
import type { RateLimit } from '@zakup/service-kit/rate-limit';
import type { Steps } from '@zakup/service-kit/steps';
import type { CommandHandlerDeps } from './handle-command.ts';

/** What admits, decides and appends the commands of people who are signed in. */
export interface PipelineDeps extends Omit<CommandHandlerDeps, 'onAppend'> {
  readonly credentials: Credentials;
  readonly tokens: AccessTokens;
  /** Counts keys that are none. */
  readonly keyThrottle: KeyThrottle;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Changes per session. */
  readonly changes: RateLimit;
  /** Why nothing may be changed now, e.g. a full disk; null = all is well. */
  readonly readOnly: () => string | null;
  readonly metrics: Metrics;
  /** Told of the steps of commands; absent = nobody looks. */
  readonly steps?: Steps | undefined;
}
