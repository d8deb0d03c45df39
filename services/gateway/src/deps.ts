import type { AccessTokens } from '@zakup/credentials/access-token';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import type { Credentials } from '@zakup/credentials/credentials';
import type { KeyThrottle } from '@zakup/credentials/key-throttle';
import type { SealStore } from '@zakup/seals/seal-store';
import type { Backups } from '@zakup/service-kit/backups';
import type { ClockAlarm } from '@zakup/service-kit/clock-alarm';
import type { Log } from '@zakup/service-kit/log';
import type { Metrics } from '@zakup/service-kit/metrics';
import type { Steps } from '@zakup/service-kit/steps';
import type { ServiceState } from '@zakup/service-kit/stores/process-registry';
import type { ReadGuard } from './http/limits/read-guard.ts';
import type { ReadModelDeps } from './read-models/read-model-deps.ts';
import type { RegisteredRoute, ReadingThread } from './reading-thread/reading-thread.ts';
import type { SnapshotCache } from './time-travel/snapshot-cache.ts';

/** Everything the gateway is given; nothing in it reads the environment or the clock by itself. */
export interface GatewayDeps extends ReadModelDeps {
  /** Of the signed history. */
  readonly seals: SealStore;
  /** The clock that dates what is recorded, in UTC milliseconds: a moment is over once it has passed it. Absent = `now`. */
  readonly logClock?: (() => number) | undefined;
  /** Licences as they were at a moment. */
  readonly past: Pick<SnapshotCache, 'at' | 'isNear'>;
  /** Makes what is costly, and folds the past; absent = all is done in this thread. */
  readonly thread?: ReadingThread | undefined;
  /** All reads in the order in which they are made, by which threads name them to each other. */
  readonly routes?: RegisteredRoute<never>[];
  /** Bounds what reads take, of sockets too. */
  readonly guard: ReadGuard;
  readonly credentials: Credentials;
  /** Access codes and licence keys stand hidden in log and read models. */
  readonly codes: CodeCipher;
  readonly tokens: AccessTokens;
  /** Counts keys that are none. */
  readonly keyThrottle: KeyThrottle;
  /** Why nothing can be changed at present, e.g. a full disk, apart from the licence; null = all is well. */
  readonly readOnly: () => string | null;
  /** Free bytes where the data lies, as last looked at; absent or null where nobody can say. */
  readonly freeDiskBytes?: () => number | null;
  /** Whether the clock that dates what is recorded is ahead; absent or null = it is not, or nobody here can tell. */
  readonly clockAlarm?: (() => ClockAlarm | null) | undefined;
  /** How backups of the data folder are; absent = there is none. */
  readonly backups?: Pick<Backups, 'status'> | undefined;
  /** Whether positions count events, so that their difference is a number of events; default false. */
  readonly positionsCountEvents?: boolean;
  /** How many positions of a log that may go on behind a gap have an event, up to one of them; absent = it has no gaps. */
  readonly eventsUpTo?: (position: number) => number;
  /** Bytes on disk of those stores whose files are at hand; absent = none is. */
  readonly storeBytes?: (() => Promise<{ readonly events?: number; readonly readModels?: number }>) | undefined;
  /** How every service is; absent where nobody but this process can be asked. */
  readonly services?: () => Promise<readonly ServiceState[]>;
  /** Lower case: who is shown the page of the own licence's administration; absent: nobody. */
  readonly adminEmails?: readonly string[];
  /** Whether the admin is asked for a second factor; absent = as they wish. */
  readonly adminSecondFactor?: 'optional' | 'asked' | 'required';
  /** Version of the product, where it is known. */
  readonly version?: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Told of what is pushed; absent = nobody looks. */
  readonly steps?: Steps | undefined;
  /** Milliseconds that `?after=` waits for the read models; default 5,000. */
  readonly patience?: number;
}
