import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import { refusalOf } from '../documents.ts';
import { type Commit, type CommitResult, type Position, ReadStoreUnavailable } from '../read-store.ts';
import type { OwnCommits } from './own-commits.ts';
import { type StoredCheckpoint, type StoredDocument, type StoredFloor, scopeFloorId, storedOf } from './stored.ts';

export interface WriteCommitDeps {
  readonly where: string;
  /** Number of the content to write, where the checkpoint does not tell; null = somebody else has taken over what was written here. */
  readonly generation: (session: ClientSession) => Promise<number | null>;
  readonly documents: (kind: string, generation: number) => Collection<StoredDocument>;
  /** null = none are kept: whoever reads this content first is told that everything is new. */
  readonly floors: Collection<StoredFloor> | null;
  readonly checkpoints: Collection<StoredCheckpoint>;
  readonly now: () => number;
}

/** A commit that was carried out, and the name it is stored under. */
export type Outcome =
  | { readonly kind: 'committed'; readonly checkpoint: Pick<StoredCheckpoint, '_id' | 'position' | 'commit'> }
  | Exclude<CommitResult, { kind: 'committed' }>
  /** What this process committed is no longer there: somebody dropped the checkpoint or put an older one back. Nothing was written. */
  | { readonly kind: 'gone'; readonly stored: Position; readonly left: Position };

/** `left`: where this process left the checkpoint with its last commit; 0 when there was none. */
const refusal = (
  commit: Commit,
  stored: StoredCheckpoint | null,
  left: Position,
): Exclude<Outcome, { kind: 'committed' }> | null => {
  const refused = refusalOf(commit, stored);
  if (refused?.kind === 'lost_lease') return refused;
  if ((stored?.position ?? 0) < left) return { kind: 'gone', stored: stored?.position ?? 0, left };
  return refused;
};

export type Replacements = readonly (readonly [
  kind: string,
  writes: readonly AnyBulkWriteOperation<StoredDocument>[],
])[];

export const replacements = (commit: Commit): Replacements => {
  const kinds = new Map<string, Map<string, StoredDocument>>();
  for (const doc of commit.docs) {
    const ofKind = kinds.get(doc.kind) ?? new Map<string, StoredDocument>();
    kinds.set(doc.kind, ofKind);
    ofKind.set(doc.id, storedOf(doc));
  }
  return [...kinds].map(([kind, docs]) => [
    kind,
    [...docs].map(([_id, replacement]) => ({ replaceOne: { filter: { _id }, replacement, upsert: true } })),
  ]);
};

export interface NamedCommit {
  readonly commit: Commit;
  readonly writes: Replacements;
  /** The name under which the commit is stored. */
  readonly id: string;
  readonly own: OwnCommits;
}

const raiseFloors = async (
  floors: Collection<StoredFloor> | null,
  session: ClientSession,
  commit: Commit,
): Promise<void> => {
  const { position } = commit.checkpoint;
  const raised = new Map((commit.floors ?? []).map((floor) => [scopeFloorId(floor.licenceId, floor.scope), floor]));
  if (floors !== null && raised.size > 0) {
    const raise = [...raised].map(([_id, { licenceId, scope }]) => ({
      updateOne: { filter: { _id }, update: { $set: { licenceId, scope }, $max: { position } }, upsert: true },
    }));
    await floors.bulkWrite(raise, { session, ordered: false });
  }
};

/**
 * Writes a commit and its checkpoint within the transaction of the session, which the caller ends. Nothing is written when it is refused,
 * or when it is there already. Throws the driver's errors, and `ReadStoreUnavailable`.
 */
export const writeCommit = async (
  deps: WriteCommitDeps,
  session: ClientSession,
  { commit, writes, id, own }: NamedCommit,
): Promise<Outcome> => {
  const { where, documents, checkpoints } = deps;
  const { partition, position, fence } = commit.checkpoint;
  const stored = await checkpoints.findOne({ _id: partition }, { session });
  if (own.has(stored, commit, id)) {
    return { kind: 'committed', checkpoint: { _id: partition, position, commit: stored?.commit ?? id } };
  }
  const refused = refusal(commit, stored, own.left(partition));
  if (refused !== null) return refused;
  const generation = stored === null ? await deps.generation(session) : (stored.generation ?? 0);
  if (generation === null) return { kind: 'lost_lease', fence };
  for (const [kind, ofKind] of writes) {
    await documents(kind, generation).bulkWrite(ofKind, { session, ordered: false });
  }
  await raiseFloors(deps.floors, session, commit);
  const updatedAt = new Date(deps.now());
  const of = generation === 0 ? {} : { generation };
  const next: StoredCheckpoint = { _id: partition, position, fence, commit: id, updatedAt, ...of };
  if (stored === null) {
    await checkpoints.insertOne(next, { session });
  } else {
    const { matchedCount } = await checkpoints.replaceOne({ _id: partition, commit: stored.commit }, next, {
      session,
    });
    if (matchedCount === 0) throw new ReadStoreUnavailable(`${where}: checkpoint ${partition} changed meanwhile`);
  }
  return { kind: 'committed', checkpoint: next };
};
