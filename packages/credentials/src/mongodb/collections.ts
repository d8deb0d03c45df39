import type { Collection, Db } from 'mongodb';
import { type Rows, tableShapes, type Value } from '../tables.ts';
import { codeOf, namespaceExists } from '@zakup/mongodb/errors';
import { isOtherIndex } from './errors.ts';

const layoutVersion = 1;

/** A row as it is stored: its key is the `_id`. */
export type StoredRow = { readonly _id: string } & { readonly [column: string]: Value };

export const rowKeyOf = ({ _id }: Pick<StoredRow, '_id'>): string => _id;

/** The layout's version under `layout`; every other document is what transactions of one turn meet at. */
type StoredMeta = { readonly _id: string; readonly version?: number; readonly turn?: number };

const nameOf: { readonly [Name in keyof Rows]: string } = {
  passwords: 'passwords',
  sessions: 'sessions',
  refreshTokens: 'refresh_tokens',
  codes: 'activation_codes',
  tickets: 'activation_tickets',
  admins: 'admins',
  adminSessions: 'admin_sessions',
  secondFactors: 'second_factors',
  signInSteps: 'sign_in_steps',
  tries: 'sign_in_tries',
  devices: 'known_devices',
  chats: 'messenger_chats',
  sealHeads: 'last_seals',
  takings: 'data_takings',
  adminEntries: 'admin_entries',
  apiKeys: 'api_keys',
  webhooks: 'webhooks',
  deliveries: 'webhook_deliveries',
};

export interface Collections {
  readonly rows: { readonly [Name in keyof Rows]: Collection<StoredRow> };
  readonly meta: Collection<StoredMeta>;
}

const collectionsOf = (database: Db): Collections => {
  const rows = (name: keyof Rows) => database.collection<StoredRow>(nameOf[name]);
  return {
    rows: {
      passwords: rows('passwords'),
      sessions: rows('sessions'),
      refreshTokens: rows('refreshTokens'),
      codes: rows('codes'),
      tickets: rows('tickets'),
      admins: rows('admins'),
      adminSessions: rows('adminSessions'),
      secondFactors: rows('secondFactors'),
      signInSteps: rows('signInSteps'),
      tries: rows('tries'),
      devices: rows('devices'),
      chats: rows('chats'),
      sealHeads: rows('sealHeads'),
      takings: rows('takings'),
      adminEntries: rows('adminEntries'),
      apiKeys: rows('apiKeys'),
      webhooks: rows('webhooks'),
      deliveries: rows('deliveries'),
    },
    meta: database.collection<StoredMeta>('credentials_meta'),
  };
};

/** Makes what is missing, since a transaction had better not. Throws an Error for a newer layout, or an index that is another one. */
export const prepareCollections = async (database: Db, where: string): Promise<Collections> => {
  const collections = collectionsOf(database);
  for (const { collectionName } of [...Object.values(collections.rows), collections.meta]) {
    try {
      await database.createCollection(collectionName);
    } catch (error) {
      if (codeOf(error) !== namespaceExists) throw error;
    }
  }
  const version = (await collections.meta.findOne({ _id: 'layout' }))?.version;
  if (version !== undefined && version > layoutVersion) {
    throw new Error(
      `Credential store ${where}: written by a newer version (${version}, this one knows ${layoutVersion})`,
    );
  }
  if (version !== layoutVersion) {
    await collections.meta.replaceOne({ _id: 'layout' }, { version: layoutVersion }, { upsert: true });
  }
  for (const [name, { indexed }] of Object.entries(tableShapes)) {
    const collection = collections.rows[name as keyof Rows];
    for (const column of indexed) {
      try {
        await collection.createIndex({ [column]: 1 }, { name: `by_${column}` });
      } catch (error) {
        if (!isOtherIndex(error)) throw error;
        const other = `${collection.collectionName} has another index of ${column} or of the name by_${column}`;
        throw new Error(`Credential store ${where}: ${other}`, { cause: error });
      }
    }
  }
  return collections;
};
