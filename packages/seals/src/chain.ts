import { createHmac, hash } from 'node:crypto';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { canonicalText, type Json } from './canonical.ts';

/**
 * The hash chain over a licence's history. An event is a set of named parts; each is hashed with a salt of its own, so that any of them
 * can be withheld and its hash shown instead.
 */

/** Versions of a seal. What the second attests of an event holds where the log recorded it, and when. */
export const sealFormats = ['zakup-seal-1', 'zakup-seal-2'] as const;
export type SealFormat = (typeof sealFormats)[number];

/** Of the seals that are made now. */
export const sealFormat: SealFormat = 'zakup-seal-2';

/** What every hash begins with, so that none can be passed off as one of another kind. */
const tag = { part: 0, event: 1, link: 2, start: 3, seal: 4, salt: 5 } as const;

/** Hex SHA-256 of the tag, the bytes and the text, put together. */
const digest = (kind: keyof typeof tag, bytes: Uint8Array, text = ''): string => {
  const all = Buffer.allocUnsafe(1 + bytes.length + Buffer.byteLength(text));
  all[0] = tag[kind];
  all.set(bytes, 1);
  all.write(text, 1 + bytes.length);
  return hash('sha256', all, 'hex');
};
const nothing = new Uint8Array();

/** What the chain knows of an event. */
export type ChainedEvent = Pick<
  RecordedEvent,
  'id' | 'stream' | 'revision' | 'type' | 'data' | 'metadata' | 'position' | 'recordedAt' | 'movedFrom'
>;

/**
 * Parts of an event by name. `envelope`: what everybody may see who sees the event at all; `stream`, `requestHash`, `reason` and each
 * member of `data` for themselves, since they may tell what not everybody may see. `recorded`: its place in the log that it was written to,
 * and that log's instant.
 */
export const partsOf = (event: ChainedEvent, format: SealFormat = sealFormat): Readonly<Record<string, Json>> => {
  const { licenceId, actorId, source, commandId, requestHash, causedBy, reason, at, schemaVersion } = event.metadata;
  const parts: Record<string, Json> = {
    envelope: {
      id: event.id,
      licenceId,
      revision: event.revision,
      type: event.type,
      schemaVersion,
      at,
      actorId,
      source,
      commandId,
      causedBy,
    },
    stream: event.stream,
    requestHash,
  };
  if (format !== 'zakup-seal-1')
    parts['recorded'] = { at: event.recordedAt, position: event.movedFrom ?? event.position };
  if (reason !== undefined) parts['reason'] = reason;
  for (const [name, value] of Object.entries(event.data)) if (value !== undefined) parts[`data.${name}`] = value;
  return parts;
};

/**
 * Salts of an event's parts by their names: 32 bytes that only who knows the licence's salt key can tell beforehand, so that small values
 * cannot be guessed from their hashes. Who is told one of them knows nothing of the others.
 */
export const saltsOf = (saltKey: Uint8Array, eventId: string): ((part: string) => Buffer) => {
  const ofEvent = createHmac('sha256', saltKey).update(eventId).digest();
  return (part) => Buffer.from(digest('salt', ofEvent, part), 'hex');
};

/** Hex hash of one part. */
export const partHash = (salt: Uint8Array, name: string, value: Json): string =>
  digest('part', salt, canonicalText([name, value]));

/** Hashes of all parts of an event, by name. */
export const partHashes = (
  saltKey: Uint8Array,
  event: ChainedEvent,
  format: SealFormat = sealFormat,
): Readonly<Record<string, string>> => {
  const saltFor = saltsOf(saltKey, event.id);
  return Object.fromEntries(
    Object.entries(partsOf(event, format)).map(([name, value]) => [name, partHash(saltFor(name), name, value)]),
  );
};

/** Hex hash of an event from those of its parts. */
export const eventHash = (hashes: Readonly<Record<string, string>>): string =>
  digest('event', nothing, canonicalText(hashes));

/** Hex hash that the chain of a licence begins with. */
export const chainStart = (licenceId: string): string => digest('start', nothing, canonicalText(licenceId));

/** The chain's hex hash after one more event. */
export const chained = (chain: string, event: string): string => digest('link', Buffer.from(chain + event, 'hex'));

/** The chain's hex hash after these events. */
export const chainOver = (
  chain: string,
  saltKey: Uint8Array,
  events: readonly ChainedEvent[],
  format: SealFormat = sealFormat,
): string => events.reduce((before, event) => chained(before, eventHash(partHashes(saltKey, event, format))), chain);

/** Hex hash of the text of a seal. */
export const sealDigest = (text: string): string => digest('seal', nothing, text);
