import { connectMongo, type MongoConnection } from '@zakup/mongodb/connection';
import { ownCollections } from './collections.ts';
import { readStoreError } from './errors.ts';
import { type StoredMeta, schemaId } from './stored.ts';

/**
 * Connects to the primary of the replica set. Throws `ReadStoreUnavailable` when it is away, and an Error that says what is wrong
 * with the URL, the credentials or the kind of server.
 */
export const connectReadStore = (url: string): Promise<MongoConnection> =>
  connectMongo({
    url,
    store: 'read store',
    look: (database) => database.collection<StoredMeta>(ownCollections.meta).findOne({ _id: schemaId }),
    seen: readStoreError,
  });
