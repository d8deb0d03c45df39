/**
 * The documents of MongoDB as they are stored, to be read by people too.
 */
import { crc32 } from 'node:zlib';
import { CorruptDocument, type JsonObject, type Position, type ReadDocument } from '../read-store.ts';

export interface StoredDocument {
  /** The document's id within its kind. */
  readonly _id: string;
  readonly licenceId: string;
  readonly scopes: readonly string[];
  readonly left: readonly { readonly scope: string; readonly position: Position }[];
  readonly position: Position;
  readonly deleted: boolean;
  readonly data: JsonObject | null;
  /** CRC-32 of everything else. */
  readonly checksum: number;
}

export interface StoredCheckpoint {
  /** The partition. */
  readonly _id: string;
  readonly position: Position;
  readonly fence: number;
  /** Names the commit that wrote it, by which a writer recognises its own. */
  readonly commit: string;
  readonly updatedAt: Date;
  /** Number of the content that it belongs to; absent = 0, the first. */
  readonly generation?: number;
}

/** Which contents there are; absent = the first one alone. */
export interface StoredGenerations {
  readonly active: { readonly number: number; readonly version: string | null };
  readonly next: { readonly number: number; readonly version: string } | null;
  /** Read no more, and since when, in milliseconds since 1970 (UTC). */
  readonly former: readonly { readonly number: number; readonly since: number }[];
  /** The highest number that was ever given. */
  readonly last: number;
}

export interface StoredFloor {
  /** `store`, or licence and scope as a JSON array. */
  readonly _id: string;
  readonly position: Position;
  readonly licenceId?: string;
  readonly scope?: string;
}

export interface StoredMeta {
  readonly _id: string;
  readonly version?: number;
  /** Of a clearing: how many it has made. Of the generations: how often they were held. */
  readonly steps?: number;
  readonly generations?: StoredGenerations;
}

export interface StoredNotice {
  readonly _id: string;
  readonly data: JsonObject;
}

/** Id in `meta` of the document with the schema's version. */
export const schemaId = 'schema';
/** Id in `meta` of the document that says which generation is read. */
export const generationsId = 'generations';
export const firstGeneration: StoredGenerations = {
  active: { number: 0, version: null },
  next: null,
  former: [],
  last: 0,
};
/** Id in `meta` while a clearing is under way, which whoever opens the store next finishes. */
export const clearingId = 'clearing';
export const storeFloorId = 'store';
export const scopeFloorId = (licenceId: string, scope: string): string => JSON.stringify([licenceId, scope]);

const checksumOf = (kind: string, stored: Omit<StoredDocument, 'checksum' | 'data'>, data: string): number => {
  const { _id: id, licenceId, position, deleted, scopes } = stored;
  const left = stored.left.map((entry) => [entry.scope, entry.position]);
  const frame = JSON.stringify([kind, id, licenceId, position, deleted, scopes, left]);
  return crc32(data, crc32(`${frame}\0`));
};

/** BSON holds UTF-8, which has no half of a surrogate pair. */
const wellFormed = (_member: string, value: unknown): unknown =>
  typeof value === 'string' ? Buffer.from(value, 'utf8').toString('utf8') : value;

/** What is written for a document; keeps nothing of the caller's objects. */
export const storedOf = (doc: ReadDocument): StoredDocument => {
  const text = JSON.stringify(doc.data);
  // Only halves of pairs are escaped so.
  const odd = text.includes('\\ud');
  const data = JSON.parse(text, odd ? wellFormed : undefined) as JsonObject | null;
  const stored = {
    _id: doc.id,
    licenceId: doc.licenceId,
    scopes: [...doc.scopes],
    left: doc.left.map(({ scope, position }) => ({ scope, position })),
    position: doc.position,
    deleted: doc.deleted,
    data,
  };
  return { ...stored, checksum: checksumOf(doc.kind, stored, odd ? JSON.stringify(data) : text) };
};

/** Throws `CorruptDocument` when it is not what was written. */
export const documentOf = (where: string, kind: string, stored: StoredDocument): ReadDocument => {
  const { _id: id, licenceId, scopes, left, position, deleted, data } = stored;
  const whole = Array.isArray(scopes) && Array.isArray(left) && data !== undefined;
  if (!whole || checksumOf(kind, stored, JSON.stringify(data)) !== stored.checksum) {
    throw new CorruptDocument(where, kind, id, licenceId);
  }
  return { kind, id, licenceId, scopes, left, position, deleted, data };
};
