import { crc32 } from 'node:zlib';
import type { EventToAppend, JsonObject, RecordedEvent } from '../event-store.ts';

/**
 * An event as it crosses to the writer and as it is stored: id, type, data as JSON, licence, actor, source, command id, request
 * hash, causing event, instant, schema version, further metadata as JSON.
 */
export type PackedEvent = readonly [
  id: string,
  type: string,
  data: string,
  licenceId: string,
  actorId: string,
  source: string,
  commandId: string,
  requestHash: string,
  causedBy: string | null,
  at: string,
  schemaVersion: number,
  extra: string | null,
];

/** Where an event stands: the row's own columns, all covered by its checksum. */
export interface Place {
  readonly position: number;
  readonly stream: number;
  readonly revision: number;
  readonly licence: number;
}

/** Numbers that stand for texts stored once. */
export interface TextIds {
  readonly type: number;
  readonly actor: number;
  readonly source: number;
}

/** A stored payload read back. */
export interface Unpacked {
  readonly event: PackedEvent;
  readonly recordedAt: number;
  readonly endsAppend: boolean;
}

/** Takes an event apart for the writer; what JSON cannot carry is dropped here. */
export const packed = (event: EventToAppend): PackedEvent => {
  const { licenceId, actorId, source, commandId, requestHash, causedBy, at, schemaVersion, ...rest } = event.metadata;
  const extra = Object.keys(rest).length === 0 ? null : JSON.stringify(rest);
  const data = JSON.stringify(event.data);
  const cause = causedBy ?? null;
  const { id, type } = event;
  return [id, type, data, licenceId, actorId, source, commandId, requestHash, cause, at, schemaVersion, extra];
};

/** Writes instants as ISO 8601; neighbours in a log often share theirs, so the last one is kept. */
const isoText = () => {
  let last = Number.NaN;
  let text = '';
  return (instant: number): string => {
    if (instant !== last) {
      text = new Date(instant).toISOString();
      last = instant;
    }
    return text;
  };
};
const recordedIso = isoText();
const storedIso = isoText();

/** Puts an event together from its packed form and its place. */
export const recorded = (
  event: PackedEvent,
  stream: string,
  revision: number,
  position: number,
  recordedAt: number,
): RecordedEvent => {
  const [id, type, data, licenceId, actorId, source, commandId, requestHash, causedBy, at, schemaVersion, extra] =
    event;
  const metadata = {
    licenceId,
    actorId,
    source: source as RecordedEvent['metadata']['source'],
    commandId,
    requestHash,
    ...(causedBy === null ? undefined : { causedBy }),
    at,
    schemaVersion,
    ...(extra === null ? undefined : (JSON.parse(extra) as object)),
  };
  const content = JSON.parse(data) as JsonObject;
  return { id, type, data: content, metadata, stream, revision, position, recordedAt: recordedIso(recordedAt) };
};

/** Levels of lists and objects in an event; ours have far fewer. A text of so few characters has not many more. */
const [deepest, shortText] = [100, 1_000] as const;

/** Whether JSON has more levels than any of ours: what a parser spends on one grows with those around it. */
const isTooDeep = (text: string): boolean => {
  if (text.length <= shortText) return false;
  let [depth, isText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === 92) at += 1;
      else if (code === 34) isText = false;
    } else if (code === 34) isText = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
};

/** As `recorded`, of what was read from a file; undefined where its data are no object in JSON, or deeper than any of ours. */
export const readBack = (...stored: Parameters<typeof recorded>): RecordedEvent | undefined => {
  const [packedEvent] = stored;
  if (isTooDeep(packedEvent[2]) || isTooDeep(packedEvent[11] ?? '')) return undefined;
  try {
    const event = recorded(...stored);
    const data: unknown = event.data;
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? event : undefined;
  } catch {
    return undefined;
  }
};

const flag = {
  endsAppend: 1,
  textId: 2,
  textCommand: 4,
  textHash: 8,
  caused: 16,
  textCause: 32,
  textAt: 64,
  extra: 128,
} as const;

const nibbles = new Uint8Array(128).fill(255);
for (let value = 0; value < 16; value += 1) nibbles[value.toString(16).charCodeAt(0)] = value;

const nibble = (text: string, index: number): number => nibbles[text.charCodeAt(index)] ?? 255;

const placeNumbers = new Float64Array(4);
const placeBytes = new Uint8Array(placeNumbers.buffer);

const checksum = (place: Place, content: Uint8Array): number => {
  placeNumbers[0] = place.position;
  placeNumbers[1] = place.stream;
  placeNumbers[2] = place.revision;
  placeNumbers[3] = place.licence;
  return crc32(content, crc32(placeBytes));
};

/** Makes the stored bytes of events, one after the other in one reused buffer: use the result before the next call. */
export const payloadEncoder = () => {
  let bytes = Buffer.allocUnsafe(65_536);
  let end = 0;

  const hex = (text: string, length: number, dashes: boolean): boolean => {
    if (text.length !== length) return false;
    let to = end;
    for (let index = 0; index < length; index += 2) {
      if (dashes && (index === 8 || index === 13 || index === 18 || index === 23)) {
        if (text.charCodeAt(index) !== 45) return false;
        index += 1;
      }
      const high = nibble(text, index);
      const low = nibble(text, index + 1);
      if (high > 15 || low > 15) return false;
      bytes[to] = high * 16 + low;
      to += 1;
    }
    end = to;
    return true;
  };

  const number = (value: number) => {
    let left = value;
    while (left > 127) {
      bytes[end] = (left % 128) + 128;
      end += 1;
      left = Math.floor(left / 128);
    }
    bytes[end] = left;
    end += 1;
  };

  const text = (value: string) => {
    number(Buffer.byteLength(value));
    end += bytes.write(value, end);
  };

  /** Hex digits where the text is nothing else, else the text itself; says which flag that needs. */
  const compact = (value: string, length: number, dashes: boolean, textFlag: number): number => {
    if (hex(value, length, dashes)) return 0;
    text(value);
    return textFlag;
  };

  return (event: PackedEvent, place: Place, texts: TextIds, recordedAt: number, endsAppend: boolean): Uint8Array => {
    const [id, , data, , , , commandId, requestHash, causedBy, at, schemaVersion, extra] = event;
    const most =
      256 +
      3 *
        (id.length +
          data.length +
          commandId.length +
          requestHash.length +
          (causedBy?.length ?? 0) +
          at.length +
          (extra?.length ?? 0));
    if (bytes.length < most) bytes = Buffer.allocUnsafe(most * 2);

    end = 5;
    let flags = endsAppend ? flag.endsAppend : 0;
    bytes.writeUIntLE(recordedAt, end, 6);
    end += 6;
    flags |= compact(id, 36, true, flag.textId);
    number(texts.type);
    number(texts.actor);
    number(texts.source);
    flags |= compact(commandId, 36, true, flag.textCommand);
    flags |= compact(requestHash, 64, false, flag.textHash);
    if (causedBy !== null) flags |= flag.caused | compact(causedBy, 36, true, flag.textCause);
    const instant = Date.parse(at);
    if (instant >= 0 && instant < 2 ** 48 && storedIso(instant) === at) {
      bytes.writeUIntLE(instant, end, 6);
      end += 6;
    } else {
      flags |= flag.textAt;
      text(at);
    }
    number(schemaVersion);
    if (extra !== null) {
      flags |= flag.extra;
      text(extra);
    }
    end += bytes.write(data, end);
    bytes[4] = flags;
    bytes.writeUInt32LE(checksum(place, bytes.subarray(4, end)), 0);
    return bytes.subarray(0, end);
  };
};

/**
 * Reads stored bytes back; the result is undefined when the checksum does not fit them and their place, or they are none, as in a damaged row
 * whose type is another than its column's. `nameOf` gives the text of a number. The parts are made once, not per event: this is the inner loop of every scan.
 */
export const payloadDecoder = (nameOf: (id: number) => string) => {
  let bytes: Buffer = Buffer.alloc(0);
  let end = 0;

  const hex = (length: number): string => {
    end += length;
    return bytes.toString('hex', end - length, end);
  };
  const uuid = (): string => {
    const digits = hex(16);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
  };
  const number = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[end] ?? 0;
      end += 1;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  const text = (): string => {
    const length = number();
    end += length;
    return bytes.toString('utf8', end - length, end);
  };
  const instant = (): number => {
    end += 6;
    return bytes.readUIntLE(end - 6, 6);
  };

  const unpacked = (place: Place): Unpacked => {
    const flags = bytes[4] ?? 0;
    end = 5;
    const recordedAt = instant();
    const id = (flags & flag.textId) === 0 ? uuid() : text();
    const type = nameOf(number());
    const actorId = nameOf(number());
    const source = nameOf(number());
    const commandId = (flags & flag.textCommand) === 0 ? uuid() : text();
    const requestHash = (flags & flag.textHash) === 0 ? hex(32) : text();
    const cause = (flags & flag.textCause) === 0 ? uuid : text;
    const causedBy = (flags & flag.caused) === 0 ? null : cause();
    const at = (flags & flag.textAt) === 0 ? storedIso(instant()) : text();
    const schemaVersion = number();
    const extra = (flags & flag.extra) === 0 ? null : text();
    const data = bytes.toString('utf8', end);
    const licenceId = nameOf(place.licence);
    return {
      event: [id, type, data, licenceId, actorId, source, commandId, requestHash, causedBy, at, schemaVersion, extra],
      recordedAt,
      endsAppend: (flags & flag.endsAppend) !== 0,
    };
  };

  return (stored: unknown, place: Place): Unpacked | undefined => {
    if (!(stored instanceof Uint8Array)) return undefined;
    bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    if (bytes.length < 12 || bytes.readUInt32LE(0) !== checksum(place, bytes.subarray(4))) return undefined;
    try {
      const read = unpacked(place);
      return end <= bytes.length ? read : undefined;
    } catch {
      // It ends before its last member.
      return undefined;
    }
  };
};
