import type { Entry } from '../outbox/entry.ts';
import { blankOf, type KeptByKind, type KeptKind, withBody } from './kept-kinds.ts';

/** A document as it will be, and why it is not so yet. */
export interface KeptDoc<Doc> {
  readonly doc: Doc;
  /** What speaks for it in its mark: what the person has to look at first, else what waits; null = all is on the server. */
  readonly entry: Entry | null;
}

const asksPerson = ({ state }: Entry): boolean => state.kind === 'rejected' || state.kind === 'conflict';

const counts = ({ state }: Entry): boolean => state.kind === 'pending' || state.kind === 'acknowledged';

/**
 * The documents of a kind with what waits over them, and those that have yet to be made. What was refused or is contested changes nothing of
 * what is there; a new one that was refused stays with its text. `wasMade`: of the id of an entry that creates.
 */
export const keptDocs = <Kind extends KeptKind>(
  kind: Kind,
  docs: readonly KeptByKind[Kind][],
  entries: readonly Entry[],
  wasMade: (entryId: string) => boolean,
): readonly KeptDoc<KeptByKind[Kind]>[] => {
  const own = entries.filter(({ target }) => target.kind === kind);
  if (own.length === 0) return docs.map((doc) => ({ doc, entry: null }));
  const there = new Set(docs.map(({ id }) => id));
  const made = own
    .filter((entry) => entry.creates === true && !there.has(entry.target.id) && !wasMade(entry.id))
    .map((entry) => withBody(blankOf(kind, entry.target.id, entry.issuedAt), entry));
  return [...docs, ...made].flatMap((known) => {
    const of = own.filter(
      ({ target, creates }) => target.id === known.id && !(creates === true && there.has(known.id)),
    );
    const doc = of.filter((entry) => counts(entry) && entry.creates !== true).reduce<KeptByKind[Kind]>(withBody, known);
    const entry = of.find(asksPerson) ?? of.findLast(({ state }) => state.kind === 'pending') ?? null;
    const gone = of.some(({ method, state }) => method === 'DELETE' && state.kind === 'acknowledged');
    return gone ? [] : [{ doc, entry }];
  });
};
