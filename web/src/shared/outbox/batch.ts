import type { Conflict, UndoCounts } from '@zakup/contracts/problems';
import { type CommandDraft, type DraftPart, type Entry, type EntryPart, laneOf, rebased } from './entry.ts';

/** A command that was not carried out. */
export type Refused =
  | {
      readonly kind: 'rejected';
      readonly code: string;
      readonly reason: string;
      readonly conflicts?: readonly Conflict[];
      /** Of an undo: placements that it is about, and those that others changed. */
      readonly undo?: UndoCounts;
    }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[]; readonly revision: number };

/** What became of one part of a batch. */
export type PartResult = { readonly kind: 'accepted'; readonly revision: number | null } | Refused;

/** As many changes as one call takes. */
export const maxBatchSize = 1000;

/** A part of a batch with where it is drawn. */
export type PartDraft = DraftPart & Pick<CommandDraft, 'scope'>;

/** Several changes of placements as one command, which is undone as one. */
export const batchDraft = (drafts: readonly PartDraft[], label: string): CommandDraft => {
  const [first] = drafts;
  if (first === undefined || drafts.length > maxBatchSize) throw new Error(`A batch of ${drafts.length} changes`);
  return {
    target: { kind: 'placement', id: first.target.id },
    method: 'POST',
    path: '/api/placements/batch',
    body: {},
    baseRevision: null,
    label,
    scope: first.scope,
    parts: drafts.map(
      ({ target, method, path, body, baseRevision, label: own }): DraftPart => ({
        target,
        method,
        path,
        body,
        baseRevision,
        label: own,
      }),
    ),
  };
};

const singles = new WeakMap<Entry, readonly Entry[]>();

const splitUp = (entry: Entry): readonly Entry[] => {
  const { parts = [], state, ...rest } = entry;
  return parts.map(({ index, revision = null, ...part }) => ({
    ...rest,
    ...part,
    id: `${entry.id}/${index}`,
    state: state.kind === 'acknowledged' ? { ...state, revision } : state,
  }));
};

/** What is on its way for each target: the parts of a batch as if each had gone alone, any other entry itself; the same objects each time. */
export const singleEntries = (entry: Entry): readonly Entry[] => {
  const known = singles.get(entry);
  if (known !== undefined) return known;
  const made = entry.parts === undefined ? [entry] : splitUp(entry);
  singles.set(entry, made);
  return made;
};

export const lanesOf = (entry: Entry): readonly string[] => singleEntries(entry).map(laneOf);

/** What may be based on a later revision after own earlier commands on the same targets, as `rebased` says; the same object where nothing is. */
export const rebasedOn = <Based extends Pick<Entry, 'target' | 'body' | 'baseRevision' | 'parts'>>(
  next: Based,
  done: Entry,
): Based => {
  const byLane = new Map(singleEntries(done).map((one) => [laneOf(one), one]));
  const revisionOf = (one: Pick<Entry, 'target' | 'body' | 'baseRevision'>): number | null => {
    const earlier = byLane.get(laneOf(one));
    return earlier === undefined ? one.baseRevision : rebased(one, earlier);
  };
  if (next.parts === undefined) {
    const baseRevision = revisionOf(next);
    return baseRevision === next.baseRevision ? next : { ...next, baseRevision };
  }
  const parts = next.parts.map((part): EntryPart => {
    const baseRevision = revisionOf(part);
    return baseRevision === part.baseRevision ? part : { ...part, baseRevision };
  });
  return parts.every((part, at) => part === next.parts?.[at]) ? next : { ...next, parts };
};

/** The name of the change in a batch. */
export const opOf = ({
  method,
  path,
}: Pick<EntryPart, 'method' | 'path'>): 'add' | 'change' | 'delete' | 'payment' | 'restore' => {
  if (method === 'PATCH') return 'change';
  if (method === 'DELETE') return 'delete';
  if (path.endsWith('/payment')) return 'payment';
  return path.endsWith('/restore') ? 'restore' : 'add';
};

/** The body of the call: each part is carried out or refused by itself. */
export const batchBody = (parts: readonly EntryPart[]): object => ({
  atomic: false,
  items: parts.map((part) => {
    const op = opOf(part);
    return {
      op,
      ...(op !== 'add' && { placementId: part.target.id }),
      ...(op !== 'delete' && part.body),
      ...(part.baseRevision !== null && { baseRevision: part.baseRevision }),
    };
  }),
});

export interface AnsweredBatch {
  /** What was carried out; `null` = nothing was. */
  readonly done: Entry | null;
  /** What was not, each as an entry of its own that waits for the person. */
  readonly refused: readonly Entry[];
}

/** The batch after its answer: the position is that of the whole. */
export const answeredBatch = (sent: Entry, position: number, results: readonly PartResult[]): AnsweredBatch => {
  const alone = singleEntries(sent);
  const done: EntryPart[] = [];
  const refused: Entry[] = [];
  for (const [at, part] of (sent.parts ?? []).entries()) {
    const result = results[at];
    const single = alone[at];
    if (result === undefined || result.kind === 'accepted' || single === undefined)
      done.push({ ...part, revision: result?.kind === 'accepted' ? result.revision : null });
    else refused.push({ ...single, state: result });
  }
  const state = { kind: 'acknowledged', position, revision: null } as const;
  return { done: done.length === 0 ? null : { ...sent, parts: done, state }, refused };
};
