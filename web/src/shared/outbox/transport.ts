import type { ProblemBody } from '@zakup/contracts/problems';
import type { ApiClient } from '../api/api-client.ts';
import { ApiProblem, problemIn } from '../api/api-problem.ts';
import { batchBody, type PartResult, type Refused } from './batch.ts';
import { type Entry, undoPath } from './entry.ts';

export type SendResult =
  /** `parts`: of a batch, one for each. */
  | {
      readonly kind: 'accepted';
      readonly position: number;
      readonly revision: number | null;
      readonly parts?: readonly PartResult[];
    }
  /** Nobody answered, or not now: the same command is sent again later. */
  | { readonly kind: 'later'; readonly retryAfterSeconds: number | null }
  | Refused;

/** Carries one command to the server under its id. Never rejects. */
export interface Transport {
  readonly send: (entry: Entry) => Promise<SendResult>;
}

const postponing: ReadonlySet<string> = new Set(['NETWORK', 'UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE']);

const refusedAs = (problem: ApiProblem): Refused =>
  problem.code === 'CONFLICT' && problem.revision !== null
    ? { kind: 'conflict', conflicts: problem.conflicts, revision: problem.revision }
    : { kind: 'rejected', code: problem.code, reason: problem.message };

interface BatchReply {
  readonly results: readonly (
    | { readonly ok: true; readonly placement: { readonly revision: number } | null }
    | { readonly ok: false; readonly problem: ProblemBody }
  )[];
}

const partResult = (result: BatchReply['results'][number]): PartResult =>
  result.ok
    ? { kind: 'accepted', revision: result.placement?.revision ?? null }
    : refusedAs(problemIn(result.problem, result.problem.status));

/** Undoing is based on no revision, so that there is nothing to insist on: whoever asked for it looks at the conflicts. */
const undoRefusedAs = (problem: ApiProblem): Refused =>
  problem.code === 'CONFLICT'
    ? {
        kind: 'rejected',
        code: problem.code,
        reason: problem.message,
        conflicts: problem.conflicts,
        ...(problem.undo !== null && { undo: problem.undo }),
      }
    : refusedAs(problem);

interface UndoReply {
  /** What went back, each with its revision since. */
  readonly changed: readonly { readonly id: string; readonly revision: number }[];
}

/** Sends as this person alone: what one left unsent is never made by whoever signs in after them. */
export const httpTransport = (api: Pick<ApiClient, 'send'>, personId: string): Transport => ({
  async send(entry) {
    const { method, path, body, baseRevision, parts, target } = entry;
    const based = baseRevision === null ? {} : { baseRevision };
    try {
      if (parts !== undefined) {
        const reply = await api.send<BatchReply>(method, path, batchBody(parts), { commandId: entry.id, personId });
        return {
          kind: 'accepted',
          position: reply.position ?? 0,
          revision: null,
          parts: reply.data.results.map(partResult),
        };
      }
      if (path === undoPath) {
        const { data, position } = await api.send<UndoReply>(method, path, body, { commandId: entry.id, personId });
        const own = data.changed.find(({ id }) => id === target.id);
        return { kind: 'accepted', position: position ?? 0, revision: own?.revision ?? null };
      }
      const reply =
        method === 'DELETE'
          ? await api.send(method, path, undefined, { commandId: entry.id, personId, query: based })
          : await api.send(method, path, { ...body, ...based }, { commandId: entry.id, personId });
      return { kind: 'accepted', position: reply.position ?? 0, revision: reply.revision };
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem)) return { kind: 'later', retryAfterSeconds: null };
      if (postponing.has(thrown.code)) return { kind: 'later', retryAfterSeconds: thrown.retryAfterSeconds };
      return path === undoPath ? undoRefusedAs(thrown) : refusedAs(thrown);
    }
  },
});
