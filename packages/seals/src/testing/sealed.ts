import type { EventToAppend, JsonObject, RecordedEvent } from '@zakup/event-store/event-store';
import { chainOver, chainStart, sealFormat } from '../chain.ts';
import { hashOfSeal, noSeal, sealKeyOf } from '../seal.ts';
import type { StoredSeal } from '../seal-store.ts';

/** Keys of tests: the same 32 bytes, over and over. */
export const testKey = sealKeyOf(Buffer.alloc(32, 7).toString('base64url'));
export const otherKey = sealKeyOf(Buffer.alloc(32, 8).toString('base64url'));
export const testSalt = new Uint8Array(32).fill(9);
export const firstInstant = Date.UTC(2026, 10, 21, 9);

/** An event of a licence; the number makes it another one. */
export const sampleEvent = (
  licenceId: string,
  number: number,
  data: JsonObject = { leads: number },
): EventToAppend => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  type: 'PlacementLeadsRecorded',
  data,
  metadata: {
    licenceId,
    actorId: 'user-1',
    source: 'screen',
    commandId: `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    requestHash: 'ab'.repeat(32),
    at: new Date(firstInstant + number).toISOString(),
    schemaVersion: 1,
  },
});

/** As it would be read back. */
export const recordedEvent = (licenceId: string, number: number, data?: JsonObject): RecordedEvent => ({
  ...sampleEvent(licenceId, number, data),
  stream: `placement-${licenceId}~1`,
  revision: number - 1,
  position: number,
  recordedAt: new Date(firstInstant + number).toISOString(),
});

/** A seal over `count` sample events that follows `last`, at the position of its total. */
export const sealAfter = (last: StoredSeal | null, licenceId: string, count = 1, key = testKey): StoredSeal => {
  const before = last?.seal.total ?? 0;
  const events = Array.from({ length: count }, (_, index) => recordedEvent(licenceId, before + index + 1));
  const seal = key.sign({
    format: sealFormat,
    licenceId,
    number: (last?.seal.number ?? 0) + 1,
    total: before + count,
    count,
    firstEventId: events[0]?.id ?? '',
    lastEventId: events.at(-1)?.id ?? '',
    chain: chainOver(last?.seal.chain ?? chainStart(licenceId), testSalt, events),
    previous: last === null ? noSeal : hashOfSeal(last.seal),
    sealedAt: new Date(firstInstant + before + count).toISOString(),
  });
  return { seal, position: before + count, stream: `placement-${licenceId}~1`, revision: before + count - 1 };
};
