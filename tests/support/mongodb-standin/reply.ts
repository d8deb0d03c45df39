import { BSON } from 'bson';
import type { Doc } from './documents.ts';

/** The batch of a cursor, with documents as bytes. */
export interface Batch {
  readonly name: 'firstBatch' | 'nextBatch';
  readonly docs: readonly Uint8Array[];
  /** 0 = nothing is left. */
  readonly id: number;
  readonly namespace: string;
  /** Further members of `cursor`. */
  readonly more: Doc;
}

/** What a command answers. */
export interface Reply {
  readonly body: Doc;
  readonly batch?: Batch;
}

export const bytesOf = (doc: Doc): Uint8Array => BSON.serialize(doc, { ignoreUndefined: true });

/** A document's elements without its length and its end. */
const elements = (doc: Doc): Uint8Array => {
  const bytes = bytesOf(doc);
  return bytes.subarray(4, bytes.length - 1);
};

const document = (parts: readonly Uint8Array[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + part.length, 5);
  const size = Buffer.alloc(4);
  size.writeInt32LE(length);
  return Buffer.concat([size, ...parts, Buffer.alloc(1)], length);
};

const element = (type: number, name: string): Buffer =>
  Buffer.concat([Buffer.of(type), Buffer.from(name), Buffer.of(0)]);

/** The bytes of an answer. */
export const encoded = ({ body, batch }: Reply): Uint8Array => {
  if (batch === undefined) return bytesOf(body);
  const items = document(batch.docs.flatMap((doc, at) => [element(3, String(at)), doc]));
  const cursor = document([
    element(4, batch.name),
    items,
    elements({ id: BSON.Long.fromNumber(batch.id), ns: batch.namespace, ...batch.more }),
  ]);
  return document([element(3, 'cursor'), cursor, elements(body)]);
};
