import { useCallback, useRef } from 'react';
import type { Method, Query, Reply } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { newCommandId } from '../api/new-command-id.ts';
import { ApiProblem } from '../api/api-problem.ts';

export type Send = <Data>(method: Method, path: string, body?: unknown, query?: Query) => Promise<Reply<Data>>;

const unanswered = (thrown: unknown): boolean =>
  thrown instanceof ApiProblem && ['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED'].includes(thrown.code);

/** Sends changes; the same call after a lost answer goes under the same command id, so that it happens once. */
export const useSend = (): Send => {
  const api = useApi();
  const open = useRef<{ readonly call: string; readonly commandId: string } | null>(null);
  return useCallback(
    async (method, path, body, query) => {
      const call = JSON.stringify([method, path, body, query]);
      if (open.current?.call !== call) open.current = { call, commandId: newCommandId() };
      try {
        const reply = await api.send<never>(method, path, body, {
          commandId: open.current.commandId,
          ...(query && { query }),
        });
        open.current = null;
        return reply;
      } catch (thrown) {
        if (!unanswered(thrown)) open.current = null;
        throw thrown;
      }
    },
    [api],
  );
};
