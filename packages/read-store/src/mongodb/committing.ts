import { backOff } from '@zakup/async/back-off';
import { setTimeout as delay } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { type Commit, ReadStoreUnavailable } from '../read-store.ts';
import { isUnknownCommit } from '@zakup/mongodb/errors';
import { isLostTransaction } from './errors.ts';
import { OwnCommits } from './own-commits.ts';
import { type NamedCommit, type Outcome, replacements, writeCommit, type WriteCommitDeps } from './write-commit.ts';

/** Most milliseconds of one pause between two attempts. */
const longestPause = 250;

export interface CommittingDeps extends WriteCommitDeps {
  readonly client: MongoClient;
  /** Milliseconds after which a commit that meets conflicts or an absent server is given up. */
  readonly patience: number;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
  readonly newId: () => string;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export interface Committing {
  /** Throws the driver's errors, and `ReadStoreUnavailable`. */
  commit(commit: Commit): Promise<Outcome>;
  /** The checkpoints were removed on purpose. */
  forget(): void;
}

/**
 * Writes commits, each in one transaction with its checkpoint. A transaction whose answer was lost is recognised by the name of the
 * commit in the checkpoint, so that nothing is written twice, nor refused because it is there.
 */
export const committing = (deps: CommittingDeps): Committing => {
  const { client, elapsed, random } = deps;
  const own = new OwnCommits();

  const commitOnce = async (commit: Commit): Promise<Outcome> => {
    const id = deps.newId();
    const named: NamedCommit = { commit, writes: replacements(commit), id, own };
    const deadline = elapsed() + deps.patience;
    const session = client.startSession({ causalConsistency: false });
    let sent = false;

    const attempt = async (): Promise<Outcome> => {
      session.startTransaction({
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority' },
        readPreference: 'primary',
      });
      const outcome = await writeCommit(deps, session, named);
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
          own.settle(commit, outcome.kind);
          return outcome;
        } catch (error) {
          if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
          const again = error instanceof ReadStoreUnavailable || isLostTransaction(error) || isUnknownCommit(error);
          if (!again) throw error;
          if (elapsed() >= deadline) {
            if (sent) own.doubt(commit, id);
            throw error;
          }
        }
        await delay(random() * backOff({ first: 5, longest: longestPause }, failures));
      }
    } finally {
      await session.endSession().catch(() => undefined);
    }
  };
  return { commit: commitOnce, forget: () => own.forget() };
};
