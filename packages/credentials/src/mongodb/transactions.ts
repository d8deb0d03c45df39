import { type BackOff, backOff } from '@zakup/async/back-off';
import { keyedSerialQueue } from '@zakup/async/serial-queue';
import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import type { RandomBytes } from '../codes.ts';
import { CredentialsUnavailable } from '../credentials.ts';
import type { Collections } from './collections.ts';
import { isCollision } from '@zakup/mongodb/errors';
import { isAway, isUnknownCommit } from './errors.ts';
import type { Patience } from './patience.ts';

const options: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
};
const pauses: BackOff = { first: 4, longest: 200 };

export interface TransactionRunner {
  /** Repeats what a conflict, a lost connection or a new primary undid, as long as there is patience. Throws the driver's errors. */
  readonly run: <Result>(
    patience: Patience,
    work: (session: ClientSession) => Promise<Result>,
    turn?: string,
  ) => Promise<Result>;
}

export const transactionRunner = (
  client: MongoClient,
  { meta }: Collections,
  { where, random }: { readonly where: string; readonly random: RandomBytes },
): TransactionRunner => {
  /** Runs of one process that name the same turn would only make each other begin again. */
  const inTurn = keyedSerialQueue();

  const run = async <Result>(
    patience: Patience,
    work: (session: ClientSession) => Promise<Result>,
    turn?: string,
  ): Promise<Result> => {
    const session = client.startSession({ causalConsistency: false });
    let failures = 0;
    const again = async (error: unknown): Promise<void> => {
      const most = backOff(pauses, failures);
      failures += 1;
      await patience.pause(most * (0.5 + (random(1)[0] ?? 0) / 512));
      if (patience.left() === 0) throw error;
    };

    const commit = async (): Promise<void> => {
      for (;;) {
        try {
          await session.commitTransaction();
          return;
        } catch (error) {
          if (!isUnknownCommit(error)) throw error;
          await again(error);
        }
      }
    };

    const inTime = (): void => {
      if (patience.left() === 0) throw new CredentialsUnavailable(`Credential store ${where}: too slow`);
    };

    const attempt = async (): Promise<Result> => {
      inTime();
      session.startTransaction(options);
      // Under snapshots two transactions that read the same rows and add different ones do not meet; here they do.
      if (turn !== undefined) await meta.updateOne({ _id: turn }, { $inc: { turn: 1 } }, { upsert: true, session });
      const result = await work(session);
      inTime();
      return result;
    };

    try {
      for (;;) {
        try {
          const result = await attempt();
          await commit();
          return result;
        } catch (error) {
          const isOpen = session.inTransaction();
          if (isOpen) await session.abortTransaction().catch(() => undefined);
          // Without the label a failure of the commit itself does not say that nothing was kept.
          if (!isCollision(error) && !(isOpen && isAway(error))) throw error;
          await again(error);
        }
      }
    } finally {
      await session.endSession().catch(() => undefined);
    }
  };

  return {
    run: (patience, work, turn) =>
      turn === undefined ? run(patience, work) : inTurn(turn, () => run(patience, work, turn)),
  };
};
