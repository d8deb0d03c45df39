import { useCallback } from 'react';
import type { Reply } from '../api/api-client.ts';
import { useApi } from '../api/api-context.tsx';
import { ApiProblem } from '../api/api-problem.ts';
import { useSend } from '../form/use-send.ts';
import { type CommandMethod, type Entry, unmadeIn, waitsForMaking } from '../outbox/entry.ts';
import { useOwnOutbox } from '../outbox/outbox-context.tsx';
import { blankOf, type KeptByKind, type KeptKind, withBody } from './kept-kinds.ts';

export interface KeptCall<Kind extends KeptKind> {
  readonly kind: Kind;
  /** What it is about as the person sees it; null = it makes a new one. */
  readonly doc: KeptByKind[Kind] | null;
  readonly method: CommandMethod;
  readonly path: string;
  /** `baseRevision` is what the person saw. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Names the change to a person. */
  readonly label: string;
}

/** The answer of the server, or `kept` with the document as it will be. */
export type KeptReply<Kind extends KeptKind> = Reply<{ readonly [Name in Kind]: KeptByKind[Kind] }> & {
  readonly kept: boolean;
};

const unanswered = (thrown: unknown): boolean =>
  thrown instanceof ApiProblem && ['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED'].includes(thrown.code);

/**
 * Sends a change, so that a refusal is said where it was asked for. What nobody answered goes on in the outbox under the same id, and so does
 * what has to wait for another change there.
 */
export const useKeptSend = (): (<Kind extends KeptKind>(call: KeptCall<Kind>) => Promise<KeptReply<Kind>>) => {
  const api = useApi();
  const outbox = useOwnOutbox();
  const send = useSend();
  return useCallback(
    async <Kind extends KeptKind>({
      kind,
      doc,
      method,
      path,
      body: { baseRevision, ...body },
      label,
    }: KeptCall<Kind>) => {
      type Data = { readonly [Name in Kind]: KeptByKind[Kind] };
      const base = typeof baseRevision === 'number' && baseRevision >= 0 ? baseRevision : null;
      const based = base === null ? {} : { baseRevision: base };
      const sent = method === 'DELETE' ? undefined : { ...body, ...based };
      const query = method === 'DELETE' ? based : {};
      if (outbox === null) return { ...(await send<Data>(method, path, sent, query)), kept: false };
      const target = doc === null ? { kind, id: null } : { kind, id: doc.id };
      const draft = { target, method, path, body, baseRevision: base, label, scope: 'workspace' };
      const kept = (entry: Entry): KeptReply<Kind> => {
        const from = doc ?? blankOf(kind, entry.target.id, entry.issuedAt);
        const data = { [kind]: withBody(from, entry) } as Data;
        return { data, position: null, revision: null, commandId: entry.id, kept: true };
      };
      const entries = outbox.entries();
      const before = entries.some(
        (entry) => entry.target.kind === kind && entry.target.id === doc?.id && entry.state.kind === 'pending',
      );
      if (before || waitsForMaking({ target, body }, unmadeIn(entries))) {
        const entryId = outbox.issue(draft);
        const entry = outbox.entries().find(({ id }) => id === entryId);
        if (entry === undefined) throw new Error('an entry is known from its issue on');
        return kept(entry);
      }
      // Before it is sent: a tab that is killed while nobody has answered leaves it to the next one.
      const reserved = await outbox.reserve(draft);
      try {
        const reply = await api.send<Data>(method, path, sent, { commandId: reserved.id, query });
        reserved.answered();
        return { ...reply, kept: false };
      } catch (thrown) {
        if (unanswered(thrown)) return kept(reserved.goOn());
        reserved.answered();
        throw thrown;
      }
    },
    [api, outbox, send],
  );
};
