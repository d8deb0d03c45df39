import { keyThrottle } from '@zakup/credentials/key-throttle';
import type { Credentials } from '@zakup/credentials/credentials';
import { appMetrics } from '@zakup/service-kit/metrics';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import type { GatewayDeps } from '../deps.ts';
import { readGuard } from '../http/limits/read-guard.ts';
import { snapshotCache } from '../time-travel/snapshot-cache.ts';

/** Whoever is let in and how much is asked for is told elsewhere. */
const refuse = (): never => {
  throw new Error('Nobody signs in where answers are made');
};
const credentials = new Proxy({} as Credentials, { get: refuse });

/** What a thread needs that makes answers and serves nothing. */
export const readingThreadDeps = (
  given: Pick<GatewayDeps, 'readStore' | 'eventStore' | 'seals' | 'codes' | 'log'> & Partial<Pick<GatewayDeps, 'now'>>,
): Omit<GatewayDeps, 'routes' | 'thread'> => ({
  now: Date.now,
  ...given,
  partition: allPartitions,
  past: snapshotCache(given),
  guard: readGuard(),
  keyThrottle: keyThrottle({ now: () => performance.now() }),
  credentials,
  tokens: { issue: refuse, issueAdmin: refuse, verify: refuse },
  readOnly: () => null,
  metrics: appMetrics(),
});
