import type { ProblemBody } from '@zakup/contracts/problems';
import type { ApiClient } from '../api/api-client.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { ScopeStatus } from '../live/live.ts';
import type { Replica } from '../replica/replica.ts';
import { type PastScope, readScope } from './past-scopes.ts';

/** A moment that is being read, or was. */
export interface PastReading {
  /** A position, or a time with its zone. */
  readonly at: string;
  readonly signal: AbortSignal;
  readonly replica: Replica;
  /** Of the scopes that were read. */
  readonly statuses: Map<string, ScopeStatus>;
}

export interface PastSource {
  readonly api: Pick<ApiClient, 'get'>;
  /** What has no past is taken from there. */
  readonly now: Replica;
}

const ready: ScopeStatus = { kind: 'ready' };

const bodyOf = ({ code, status, message, requestId }: ApiProblem): ProblemBody => ({
  type: 'about:blank',
  title: code,
  status,
  detail: message,
  instance: requestId ?? '',
  success: false,
  error: message,
  code: code === 'NETWORK' ? 'UNAVAILABLE' : code,
});

/** What was not there yet, or is not for this person, is an answer too. */
const isAnswer = (thrown: unknown): thrown is ApiProblem =>
  thrown instanceof ApiProblem && (thrown.code === 'NOT_FOUND' || thrown.code === 'ACCESS_DENIED');

/** Reads one scope into the replica of the moment. Answers the event that the answers are of. */
export const fillScope = async (
  scope: string,
  { at, signal, replica, statuses }: PastReading,
  { api, now }: PastSource,
): Promise<Pick<PastScope, 'position' | 'instant'>> => {
  let read: PastScope = { docs: [], position: null, instant: null };
  let status: ScopeStatus = ready;
  try {
    read = await readScope(scope, { api, at, signal, now });
  } catch (thrown) {
    if (scope === 'workspace' || !isAnswer(thrown)) throw thrown;
    status = { kind: 'refused', problem: bodyOf(thrown) };
  }
  const changes = read.docs.map(([kind, doc]) => ({ kind, id: doc.id, position: 1, doc }));
  replica.apply({ scope, position: 1, last: true, docs: changes });
  statuses.set(scope, status);
  return read;
};
