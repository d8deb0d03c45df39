import { codeOf, duplicateKey } from '@zakup/mongodb/errors';
import type { Collection } from 'mongodb';

export interface StoredLease {
  /** The lease's name. */
  readonly _id: string;
  readonly fence: number;
  /** Who has it or had it last, for people. */
  readonly holder: string;
  /** Names one holding of the lease. */
  readonly token: string;
  /** Rises with every renewal. */
  readonly renewals: number;
  readonly free: boolean;
  readonly updatedAt: Date;
}

/** Who takes a lease, and what it writes beside the name. */
export interface LeaseTaker {
  readonly holder: string;
  readonly token: string;
  /** For people who look into the database. */
  readonly at: Date;
}

/** Takes the lease as it was seen; null when somebody else was faster. */
export const takeLease = async (
  leases: Collection<StoredLease>,
  name: string,
  seen: StoredLease | null,
  { holder, token, at }: LeaseTaker,
): Promise<StoredLease | null> => {
  const mine = { holder, token, free: false, updatedAt: at };
  if (seen !== null) {
    return leases.findOneAndUpdate(
      { _id: name, token: seen.token, renewals: seen.renewals },
      { $inc: { fence: 1, renewals: 1 }, $set: mine },
      { returnDocument: 'after' },
    );
  }
  const first: StoredLease = { _id: name, fence: 1, renewals: 0, ...mine };
  try {
    await leases.insertOne(first);
    return first;
  } catch (error) {
    if (codeOf(error) === duplicateKey) return null;
    throw error;
  }
};
