import { crc32 } from 'node:zlib';
import { CorruptDocument, type JsonObject, type ReadDocument } from '../read-store.ts';

export interface DocumentRow {
  readonly kind: string;
  readonly id: string;
  readonly licence: string;
  readonly position: number;
  readonly deleted: number;
  readonly scopes: string;
  readonly left_scopes: string;
  readonly data: string | null;
  readonly checksum: number;
}

export const rowColumns = 'kind, id, licence, position, deleted, scopes, left_scopes, data, checksum';

// In two steps, so that large data is not copied behind the rest first.
const checksumOf = ({
  kind,
  id,
  licence,
  position,
  deleted,
  scopes,
  left_scopes,
  data,
}: Omit<DocumentRow, 'checksum'>): number => {
  const head = crc32(`${kind}\0${id}\0${licence}\0${position}\0${deleted}\0${scopes}\0${left_scopes}\0`);
  return data === null ? head : crc32(data, head);
};

/** Most documents have left no scope, and private ones are in none. */
const listText = (list: readonly unknown[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));

export const rowOf = (doc: ReadDocument): DocumentRow => {
  const row = {
    kind: doc.kind,
    id: doc.id,
    licence: doc.licenceId,
    position: doc.position,
    deleted: doc.deleted ? 1 : 0,
    scopes: listText(doc.scopes),
    left_scopes: listText(doc.left),
    data: doc.data === null ? null : JSON.stringify(doc.data),
    checksum: 0,
  };
  row.checksum = checksumOf(row);
  return row;
};

/** Throws `CorruptDocument` when the row is not what was written. */
export const documentOf = (file: string, row: DocumentRow): ReadDocument => {
  if (checksumOf(row) !== row.checksum) throw new CorruptDocument(file, row.kind, row.id, row.licence);
  return {
    kind: row.kind,
    id: row.id,
    licenceId: row.licence,
    scopes: JSON.parse(row.scopes) as readonly string[],
    left: JSON.parse(row.left_scopes) as ReadDocument['left'],
    position: row.position,
    deleted: row.deleted === 1,
    data: row.data === null ? null : (JSON.parse(row.data) as JsonObject),
  };
};
