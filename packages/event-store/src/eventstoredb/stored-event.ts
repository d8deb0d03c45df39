import { jsonEvent } from '@eventstore/db-client';
import { crc32 } from 'node:zlib';
import type {
  AppendedEvent,
  EventMetadata,
  EventToAppend,
  JsonObject,
  RecordedEvent,
  StreamName,
} from '../event-store.ts';
import { CorruptEvent } from '../event-store.ts';
import { positionOf, type ServerPosition, wholeNumber } from './positions.ts';

/** An event as the client hands it over. */
export interface ServerRecord {
  readonly streamId: string;
  readonly id: string;
  readonly revision: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly created: Date;
  readonly position?: ServerPosition | undefined;
}

/** When and where another log recorded an event that was moved here. */
export interface MovedFrom {
  /** UTC instant, ISO 8601. */
  readonly at: string;
  readonly position: number;
}

/** Beside the event's own metadata: over all of id, type, data, metadata, `left` and `moved`; the id where its letters are not small. */
interface Mark {
  readonly checksum: number;
  /** How many more events of the same append to this stream follow. */
  readonly left: number;
  readonly id?: string;
  readonly moved?: MovedFrom;
}

const markName = 'zakup';
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Most bytes of one append: the server takes a mebibyte, names and overhead included. */
export const mostBytes = 1_000_000;

/** An event taken down at the moment of the call: what the caller changes later does not reach it. */
export interface TakenEvent {
  readonly event: EventToAppend;
  readonly data: string;
  readonly metadata: string;
  readonly bytes: number;
  readonly moved?: MovedFrom;
}

const overhead = 200;

const weighed = (event: EventToAppend, data: string, metadata: string): TakenEvent => ({
  event,
  data,
  metadata,
  bytes: Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * event.type.length + overhead,
});

/** What JSON cannot carry is dropped here. Throws a TypeError for an id that is no UUID: the server knows no others. */
export const taken = ({ id, type, data: content, metadata: about }: EventToAppend): TakenEvent => {
  if (!uuid.test(id.toLowerCase())) throw new TypeError(`Event id ${id} is not a UUID`);
  const data = JSON.stringify(content);
  const metadata = JSON.stringify(about);
  const copy = { id, type, data: JSON.parse(data) as JsonObject, metadata: JSON.parse(metadata) as EventMetadata };
  return weighed(copy, data, metadata);
};

/** The same for an event of the adapter's own, which nobody changes: no copy is made. */
export const takenOwn = (event: EventToAppend): TakenEvent =>
  weighed(event, JSON.stringify(event.data), JSON.stringify(event.metadata));

/** Over everything that makes an event what it is; the place is not known before it is appended. */
const contentChecksum = (id: string, type: string, data: string, metadata: string): number =>
  crc32(metadata, crc32(data, crc32(`${id}\n${type}\n`)));

const withLeft = (content: number, left: number, moved: MovedFrom | undefined): number => {
  const whole = crc32(String(left), content);
  return moved === undefined ? whole : crc32(`\n${moved.at}\n${moved.position}`, whole);
};

const textEncoder = new TextEncoder();

/** For the client. `left`: events of the same append that follow. */
export const proposed = ({ event, data, metadata, moved }: TakenEvent, left: number) => {
  const { id, type } = event;
  const small = id.toLowerCase();
  const checksum = withLeft(contentChecksum(id, type, data, metadata), left, moved);
  const more = `${small === id ? '' : `,"id":"${id}"`}${moved === undefined ? '' : `,"moved":${JSON.stringify(moved)}`}`;
  const mark = `"${markName}":{"checksum":${checksum},"left":${left}${more}}`;
  const text = `${metadata.slice(0, -1)}${metadata === '{}' ? '' : ','}${mark}}`;
  return jsonEvent({ id: small, type, data: event.data, metadata: textEncoder.encode(text) });
};

/** An event of this installation, read back. */
export interface StoredEvent {
  readonly event: RecordedEvent;
  readonly left: number;
}

/**
 * Whether the metadata are of an event that an adapter like this one wrote. Two traits, so that damage to one does not pass an event off
 * as somebody else's.
 */
const looksOurs = (metadata: unknown): boolean => {
  if (metadata instanceof Uint8Array || typeof metadata === 'string') {
    const text = typeof metadata === 'string' ? metadata : Buffer.from(metadata).toString('utf8');
    return text.includes(`"${markName}":{"checksum"`) || text.includes('"requestHash":"');
  }
  if (typeof metadata !== 'object' || metadata === null) return false;
  return markName in metadata || ('licenceId' in metadata && 'requestHash' in metadata && 'schemaVersion' in metadata);
};

const markOf = (metadata: unknown): Mark | undefined => {
  if (typeof metadata !== 'object' || metadata === null || !(markName in metadata)) return undefined;
  const mark = metadata[markName] as Partial<Mark> | null;
  if (typeof mark !== 'object' || mark === null) return undefined;
  const { checksum, left, id, moved } = mark;
  if (typeof checksum !== 'number' || typeof left !== 'number') return undefined;
  if (moved !== undefined && (typeof moved?.at !== 'string' || typeof moved.position !== 'number')) return undefined;
  return { checksum, left, ...(typeof id === 'string' && { id }), ...(moved !== undefined && { moved }) };
};

/** Undefined for a stranger's event. Throws `CorruptEvent` when the checksum does not fit, a RangeError for an impossible position. */
export const stored = (record: ServerRecord, stream: StreamName, where: string): StoredEvent | undefined => {
  const { type, data, metadata: all } = record;
  if (!looksOurs(all)) return undefined;
  const revision = wholeNumber(record.revision, `Revision in ${record.streamId}`);
  const position = positionOf(record.position, `${record.streamId}@${revision}`);
  const mark = markOf(all);
  if (mark === undefined) throw new CorruptEvent(where, position);
  const { [markName]: _, ...metadata } = all as Record<string, unknown>;
  const id = mark.id?.toLowerCase() === record.id ? mark.id : record.id;
  const content = contentChecksum(id, type, JSON.stringify(data) ?? '', JSON.stringify(metadata));
  if (withLeft(content, mark.left, mark.moved) !== mark.checksum) throw new CorruptEvent(where, position);
  return {
    event: {
      id,
      type,
      data: data as JsonObject,
      metadata: metadata as unknown as EventMetadata,
      stream,
      revision,
      position,
      recordedAt: mark.moved?.at ?? record.created.toISOString(),
      ...(mark.moved !== undefined && { movedFrom: mark.moved.position }),
    },
    left: mark.left,
  };
};

/** Whether a stored event is the very one that was to be appended, content included. */
export const isSame = (event: AppendedEvent, wanted: TakenEvent): boolean =>
  event.id === wanted.event.id &&
  event.type === wanted.event.type &&
  JSON.stringify(event.data) === wanted.data &&
  JSON.stringify(event.metadata) === wanted.metadata;
