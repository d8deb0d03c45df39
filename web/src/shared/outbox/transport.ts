import type { Conflict } from '@zakup/contracts/problems';
import type { ApiClient } from '../api/api-client.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Entry } from './entry.ts';

export type SendResult =
  | { readonly kind: 'accepted'; readonly position: number; readonly revision: number | null }
  /** Nobody answered, or not now: the same command is sent again later. */
  | { readonly kind: 'later'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'rejected'; readonly code: string; readonly reason: string }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[]; readonly revision: number };

/** Carries one command to the server under its id. Never rejects. */
export interface Transport {
  readonly send: (entry: Entry) => Promise<SendResult>;
}

const postponing: ReadonlySet<string> = new Set(['NETWORK', 'UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE']);

/** Sends as this person alone: what one left unsent is never made by whoever signs in after them. */
export const httpTransport = (api: Pick<ApiClient, 'send'>, personId: string): Transport => ({
  async send(entry) {
    const { method, path, body, baseRevision } = entry;
    const based = baseRevision === null ? {} : { baseRevision };
    try {
      const reply =
        method === 'DELETE'
          ? await api.send(method, path, undefined, { commandId: entry.id, personId, query: based })
          : await api.send(method, path, { ...body, ...based }, { commandId: entry.id, personId });
      return { kind: 'accepted', position: reply.position ?? 0, revision: reply.revision };
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem)) return { kind: 'later', retryAfterSeconds: null };
      if (postponing.has(thrown.code)) return { kind: 'later', retryAfterSeconds: thrown.retryAfterSeconds };
      if (thrown.code === 'CONFLICT' && thrown.revision !== null)
        return { kind: 'conflict', conflicts: thrown.conflicts, revision: thrown.revision };
      return { kind: 'rejected', code: thrown.code, reason: thrown.message };
    }
  },
});
