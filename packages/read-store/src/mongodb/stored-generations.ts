import type { ClientSession, Collection, FindOptions } from 'mongodb';
import { firstGeneration, generationsId, type StoredGenerations, type StoredMeta } from './stored.ts';

/** Which contents there are, and which one readers see. */
export interface GenerationsRecord {
  readonly read: (reading?: FindOptions) => Promise<StoredGenerations>;
  readonly write: (session: ClientSession, generations: StoredGenerations) => Promise<void>;
  /** As `read`; what it tells stays so until this transaction has ended. */
  readonly hold: (session: ClientSession) => Promise<StoredGenerations>;
  /** Number of the active content now. Those who ask in one turn, outside a session, are told by one read. */
  readonly look: (reading?: FindOptions) => Promise<number>;
  /** Number of the content that was the active one when this process last looked. */
  readonly known: () => number;
  /** This process has made another content the active one. */
  readonly placed: (number: number) => void;
}

export const generationsRecord = (meta: Collection<StoredMeta>): GenerationsRecord => {
  let seen = 0;
  /** A look that is about to begin. */
  let asked: Promise<number> | null = null;
  const read = async (reading: FindOptions = {}): Promise<StoredGenerations> =>
    (await meta.findOne({ _id: generationsId }, reading))?.generations ?? firstGeneration;
  const look = async (reading?: FindOptions): Promise<number> => {
    seen = (await read(reading)).active.number;
    return seen;
  };
  const lookOnce = async (): Promise<number> => {
    await Promise.resolve();
    asked = null;
    return look();
  };
  return {
    read,
    write: async (session, generations) => {
      await meta.replaceOne({ _id: generationsId }, { generations }, { session, upsert: true });
    },
    hold: async (session) => {
      await meta.updateOne({ _id: generationsId }, { $inc: { steps: 1 } }, { session, upsert: true });
      return read({ session });
    },
    look: (reading) => (reading === undefined ? (asked ??= lookOnce()) : look(reading)),
    known: () => seen,
    placed: (number) => {
      seen = number;
    },
  };
};
