import type { Faults } from './eventstoredb-standin/faults.ts';
import { startEventStoreDbStandIn } from './eventstoredb-standin/stand-in.ts';

export interface EventStoreDbServer {
  /** Connection string. */
  readonly url: string;
  /** Which of the two answers: what only met a stand-in is to be called so. */
  readonly kind: 'server' | 'stand-in';
  /** Orders to misbehave; null for a real server. */
  readonly faults: Faults | null;
  /** Ends a stand-in; a real server is left alone. */
  stop(): Promise<void>;
}

/**
 * The server that `EVENTSTOREDB_URL` names, otherwise a stand-in of its own. Rejects when `REQUIRE_SERVERS` (a list with commas) names
 * `eventstoredb` and there is no such setting.
 */
export const eventStoreDbServer = async (
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<EventStoreDbServer> => {
  // The tests' own client knows the old scheme only.
  const url = (env['EVENTSTOREDB_URL'] ?? '').replace(/^(?:kurrentdb|kurrent|kdb)(?=(?:\+discover)?:)/, 'esdb');
  if (url !== '') return { url, kind: 'server', faults: null, stop: () => Promise.resolve() };
  const required = (env['REQUIRE_SERVERS'] ?? '').split(',').map((name) => name.trim());
  if (required.includes('eventstoredb')) {
    throw new Error('REQUIRE_SERVERS names eventstoredb, but EVENTSTOREDB_URL is not set: no stand-in will do here');
  }
  const standIn = await startEventStoreDbStandIn();
  return { url: standIn.url, kind: 'stand-in', faults: standIn.faults, stop: () => standIn.stop() };
};
