import { backOff } from '@zakup/async/back-off';
import { setTimeout as delay } from 'node:timers/promises';
import type { AnyBulkWriteOperation, ClientSession, Collection, MongoClient } from 'mongodb';
import { refusalOf } from '../documents.ts';
import { type Commit, type CommitResult, type Position, ReadStoreUnavailable } from '../read-store.ts';
import { isUnknownCommit } from '@zakup/mongodb/errors';
import { isLostTransaction } from './errors.ts';
import { type StoredCheckpoint, type StoredDocument, type StoredFloor, scopeFloorId, storedOf } from './stored.ts';

/** Most milliseconds of one pause between two attempts. */
const longestPause = 250;

export interface CommittingDeps {
  readonly client: MongoClient;
  readonly where: string;
  /** Number of the content to write, where the checkpoint does not tell; null = somebody else has taken over what was written here. */
  readonly generation: (session: ClientSession) => Promise<number | null>;
  readonly documents: (kind: string, generation: number) => Collection<StoredDocument>;
  /** null = none are kept: whoever reads this content first is told that everything is new. */
  readonly floors: Collection<StoredFloor> | null;
  readonly checkpoints: Collection<StoredCheckpoint>;
  /** Milliseconds after which a commit that meets conflicts or an absent server is given up. */
  readonly patience: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
  readonly now: () => number;
  readonly newId: () => string;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** A commit that was carried out, and the name it is stored under. */
export type Outcome =
  | { readonly kind: 'committed'; readonly checkpoint: Pick<StoredCheckpoint, '_id' | 'position' | 'commit'> }
  | Exclude<CommitResult, { kind: 'committed' }>
  /** What this process committed is no longer there: somebody dropped the checkpoint or put an older one back. Nothing was written. */
  | { readonly kind: 'gone'; readonly stored: Position; readonly left: Position };

export interface Committing {
  /** Throws the driver's errors, and `ReadStoreUnavailable`. */
  commit(commit: Commit): Promise<Outcome>;
  /** The checkpoints were removed on purpose. */
  forget(): void;
}

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

type Replacements = readonly (readonly [kind: string, writes: readonly AnyBulkWriteOperation<StoredDocument>[]])[];

const replacements = (commit: Commit): Replacements => {
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

/**
 * Writes commits, each in one transaction with its checkpoint. A transaction whose answer was lost is recognised by the name of the
 * commit in the checkpoint, so that nothing is written twice, nor refused because it is there.
 */
export const committing = (deps: CommittingDeps): Committing => {
  const { client, where, documents, floors, checkpoints, elapsed, random } = deps;
  /** Commits of this process that may or may not have been carried out, by partition. */
  const open = new Map<string, { readonly position: Position; readonly fence: number; readonly commit: string }>();
  /** Where this process left each partition. Positions never fall but by a clearing. */
  const left = new Map<string, Position>();

  const isOwn = (stored: StoredCheckpoint | null, commit: Commit, id: string): boolean => {
    if (stored === null) return false;
    if (stored.commit === id) return true;
    const { partition, position, fence } = commit.checkpoint;
    const unsure = open.get(partition);
    // What is folded up to a position is the same however often it is folded.
    return (
      unsure !== undefined &&
      unsure.commit === stored.commit &&
      unsure.position === position &&
      unsure.fence === fence &&
      commit.docs.length > 0 &&
      commit.repair !== true
    );
  };

  const writeAll = async (
    session: ClientSession,
    commit: Commit,
    writes: Replacements,
    id: string,
  ): Promise<Outcome> => {
    const { partition, position, fence } = commit.checkpoint;
    const stored = await checkpoints.findOne({ _id: partition }, { session });
    if (isOwn(stored, commit, id)) {
      return { kind: 'committed', checkpoint: { _id: partition, position, commit: stored?.commit ?? id } };
    }
    const refused = refusal(commit, stored, left.get(partition) ?? 0);
    if (refused !== null) return refused;
    const generation = stored === null ? await deps.generation(session) : (stored.generation ?? 0);
    if (generation === null) return { kind: 'lost_lease', fence };
    for (const [kind, ofKind] of writes) {
      await documents(kind, generation).bulkWrite(ofKind, { session, ordered: false });
    }
    const raised = new Map((commit.floors ?? []).map((floor) => [scopeFloorId(floor.licenceId, floor.scope), floor]));
    if (floors !== null && raised.size > 0) {
      const raise = [...raised].map(([_id, { licenceId, scope }]) => ({
        updateOne: { filter: { _id }, update: { $set: { licenceId, scope }, $max: { position } }, upsert: true },
      }));
      await floors.bulkWrite(raise, { session, ordered: false });
    }
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

  const commitOnce = async (commit: Commit): Promise<Outcome> => {
    const { partition, position, fence } = commit.checkpoint;
    const id = deps.newId();
    const writes = replacements(commit);
    const deadline = elapsed() + deps.patience;
    const session = client.startSession({ causalConsistency: false });
    let sent = false;

    const attempt = async (): Promise<Outcome> => {
      session.startTransaction({
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority' },
        readPreference: 'primary',
      });
      const outcome = await writeAll(session, commit, writes, id);
      if (outcome.kind !== 'committed') {
        await session.abortTransaction();
        return outcome;
      }
      // Also when an earlier attempt turns out to have succeeded: only a majority commit makes sure that it stays.
      sent = true;
      for (;;) {
        try {
          await session.commitTransaction();
          return outcome;
        } catch (error) {
          if (!isUnknownCommit(error) || elapsed() >= deadline) throw error;
        }
        await delay(random() * longestPause);
      }
    };

    try {
      for (let failures = 0; ; failures += 1) {
        try {
          const outcome = await attempt();
          open.delete(partition);
          if (outcome.kind === 'committed') left.set(partition, position);
          // Whoever asks for the checkpoint now and goes on from there is right again.
          if (outcome.kind === 'gone') left.delete(partition);
          return outcome;
        } catch (error) {
          if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
          const again = error instanceof ReadStoreUnavailable || isLostTransaction(error) || isUnknownCommit(error);
          if (!again) throw error;
          if (elapsed() >= deadline) {
            if (sent) open.set(partition, { position, fence, commit: id });
            throw error;
          }
        }
        await delay(random() * backOff({ first: 5, longest: longestPause }, failures));
      }
    } finally {
      await session.endSession().catch(() => undefined);
    }
  };
  return { commit: commitOnce, forget: () => left.clear() };
};
