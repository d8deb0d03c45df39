/** Frames of the MongoDB wire protocol: OP_MSG with document sequences, and OP_QUERY for a driver's first hello. */
import { BSON } from 'bson';
import type { Doc } from './documents.ts';

export interface Request {
  readonly requestId: number;
  /** An old-style hello, to be answered in the old style. */
  readonly isQuery: boolean;
  readonly db: string;
  /** The command's name: its first member. */
  readonly name: string;
  readonly body: Doc;
  /** The client reads no answer. */
  readonly isUnanswered: boolean;
  /** The client takes a stream of answers. */
  readonly exhaustAllowed: boolean;
}

const [opReply, opQuery, opMsg] = [1, 2004, 2013];
const [checksumPresent, moreToCome, exhaustAllowed] = [1, 2, 1 << 16];
const headerSize = 16;
const maxMessageSize = 48_000_000;

const message = (requestId: number, frame: Buffer): Request => {
  const flags = frame.readUInt32LE(headerSize);
  const end = frame.length - ((flags & checksumPresent) === 0 ? 0 : 4);
  let body: Doc = {};
  const sequences: Doc = {};
  let at = headerSize + 4;
  while (at < end) {
    const kind = frame[at];
    const size = frame.readInt32LE(at + 1);
    const section = frame.subarray(at + 1, at + 1 + size);
    at += 1 + size;
    if (kind === 0) {
      body = BSON.deserialize(section);
      continue;
    }
    const nameEnd = section.indexOf(0, 4);
    const docs: Doc[] = [];
    for (let from = nameEnd + 1; from < section.length; ) {
      const length = section.readInt32LE(from);
      docs.push(BSON.deserialize(section.subarray(from, from + length)));
      from += length;
    }
    sequences[section.toString('utf8', 4, nameEnd)] = docs;
  }
  return {
    requestId,
    isQuery: false,
    db: String(body['$db']),
    name: Object.keys(body)[0] ?? '',
    body: { ...body, ...sequences },
    isUnanswered: (flags & moreToCome) !== 0,
    exhaustAllowed: (flags & exhaustAllowed) !== 0,
  };
};

const query = (requestId: number, frame: Buffer): Request => {
  const nameEnd = frame.indexOf(0, headerSize + 4);
  const namespace = frame.toString('utf8', headerSize + 4, nameEnd);
  const body = BSON.deserialize(frame.subarray(nameEnd + 9));
  return {
    requestId,
    isQuery: true,
    db: namespace.split('.')[0] ?? '',
    name: Object.keys(body)[0] ?? '',
    body,
    isUnanswered: false,
    exhaustAllowed: false,
  };
};

/** Cuts a stream of bytes into requests. Throws on what is no request. */
export const requestReader = (): ((bytes: Buffer) => readonly Request[]) => {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = 4;
  return (bytes) => {
    pieces.push(bytes);
    held += bytes.length;
    if (held < wanted) return [];
    let rest = pieces.length === 1 ? bytes : Buffer.concat(pieces);
    const requests: Request[] = [];
    wanted = 4;
    while (rest.length >= 4) {
      const length = rest.readInt32LE(0);
      if (length < headerSize || length > maxMessageSize) throw new Error(`a message of ${length} bytes`);
      if (rest.length < length) {
        wanted = length;
        break;
      }
      const frame = rest.subarray(0, length);
      const [requestId, code] = [frame.readInt32LE(4), frame.readInt32LE(12)];
      if (code !== opMsg && code !== opQuery) throw new Error(`operation ${code} is not known`);
      requests.push(code === opMsg ? message(requestId, frame) : query(requestId, frame));
      rest = rest.subarray(length);
    }
    pieces = rest.length === 0 ? [] : [rest];
    held = rest.length;
    return requests;
  };
};

let lastRequestId = 0;

/** The bytes of an answer; `more` announces that another one follows without a request. */
export const replyFrame = (request: Request, body: Uint8Array, more = false): Buffer => {
  const extra = request.isQuery ? 20 : 5;
  const frame = Buffer.alloc(headerSize + extra + body.length);
  lastRequestId = (lastRequestId + 1) & 0x7fffffff;
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(lastRequestId, 4);
  frame.writeInt32LE(request.requestId, 8);
  frame.writeInt32LE(request.isQuery ? opReply : opMsg, 12);
  if (request.isQuery) {
    frame.writeInt32LE(8, headerSize);
    frame.writeInt32LE(1, headerSize + 16);
  } else {
    frame.writeUInt32LE(more ? moreToCome : 0, headerSize);
  }
  frame.set(body, headerSize + extra);
  return frame;
};
