import { codeOf, duplicateKey } from '@zakup/mongodb/errors';
import type { ClientSession, Collection } from 'mongodb';
import { type StoredMeta, schemaId } from './stored.ts';

/** The first schema knew one content; a store is of the second from when another one has taken its place. */
const [firstSchema, schemaVersion] = [1, 2] as const;

/** Throws an Error when a newer version has written the store. */
export const ensureSchema = async (where: string, meta: Collection<StoredMeta>): Promise<void> => {
  let stored = await meta.findOne({ _id: schemaId });
  if (stored === null) {
    try {
      await meta.insertOne({ _id: schemaId, version: firstSchema });
      return;
    } catch (error) {
      if (codeOf(error) !== duplicateKey) throw error;
      stored = await meta.findOne({ _id: schemaId });
    }
  }
  if ((stored?.version ?? 0) > schemaVersion) {
    throw new Error(
      `${where} was written by a newer version of Zakup: its schema is ${stored?.version}, this version knows ${schemaVersion}`,
    );
  }
};

/** Another content than the first one takes its place in this transaction. */
export const raiseSchema = async (meta: Collection<StoredMeta>, session: ClientSession): Promise<void> => {
  await meta.updateOne({ _id: schemaId }, { $max: { version: schemaVersion } }, { session, upsert: true });
};
