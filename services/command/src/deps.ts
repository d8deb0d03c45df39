import type { AccessTokens } from '@zakup/credentials/access-token';
import type { Credentials } from '@zakup/credentials/credentials';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { Log } from '@zakup/service-kit/log';
import type { Metrics } from '@zakup/service-kit/metrics';
import type { RateLimit } from '@zakup/service-kit/rate-limit';
import type { AccessJournal } from './auth/access-journal.ts';
import type { CodeSender } from './auth/code-sender.ts';
import type { CommandLog } from './pipeline/hidden-codes.ts';
import type { StreamCache } from './pipeline/stream-cache.ts';

/** Everything the command service is given; nothing in it reads the environment, the clock or chance by itself. */
export interface CommandDeps {
  readonly eventStore: CommandLog;
  readonly cache: StreamCache;
  /** Says where to look; what it says is confirmed on streams. */
  readonly readStore: ReadStore;
  readonly credentials: Credentials;
  readonly tokens: AccessTokens;
  readonly access: AccessJournal;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Cryptographically strong bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Browsers come by https: cookies have names that a browser guards. Absent = they may come by plain http. */
  readonly publicHttps?: boolean;
  /** Changes per session. */
  readonly changes: RateLimit;
  /** Why nothing may be changed now, e.g. a full disk; null = all is well. */
  readonly readOnly: () => string | null;
  /** Brings activation codes to owners who ask for one; absent = the admin reads them out. */
  readonly codeSender?: CodeSender | undefined;
  /** In a demo only: a wrong code is answered with these (AUTH-23). */
  readonly demoCodes?: readonly [string, string];
  /** Whether the admin has to have a second factor; absent = as they wish. */
  readonly adminSecondFactor?: 'optional' | 'asked' | 'required';
  readonly log: Log;
  readonly metrics: Metrics;
}
