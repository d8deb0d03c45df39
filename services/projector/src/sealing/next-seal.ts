import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { chainOver, chainStart, sealFormat } from '@zakup/seals/chain';
import { hashOfSeal, noSeal, type SealKey } from '@zakup/seals/seal';
import { noFreshSalt, type SealStore, type StoredSeal } from '@zakup/seals/seal-store';

export interface NextSealDeps {
  readonly seals: Pick<SealStore, 'saltKey'>;
  readonly key: SealKey;
  /** Milliseconds since 1970 (UTC). */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

/** Events whose chain is computed before others get their turn. */
const atOnce = 100;

/** A seal is never dated before the one that it follows, nor before what it attests: clocks may be set back. */
const sealedAfter = (now: number, ...others: readonly (string | undefined)[]): string =>
  new Date(Math.max(now, ...others.map((at) => (at === undefined ? 0 : Date.parse(at))))).toISOString();

/** The seal over the events that follow the last one of the licence. Nothing is stored but the salt of a first seal. Throws `CorruptSalt`. */
export const nextSeal = async (
  { seals, key, now, random }: NextSealDeps,
  licenceId: string,
  last: StoredSeal | null,
  events: readonly [RecordedEvent, ...RecordedEvent[]],
): Promise<StoredSeal> => {
  const saltKey = await seals.saltKey(licenceId, last === null ? () => random(32) : noFreshSalt(licenceId));
  let chain = last?.seal.chain ?? chainStart(licenceId);
  for (let from = 0; from < events.length; from += atOnce) {
    chain = chainOver(chain, saltKey, events.slice(from, from + atOnce));
    await yieldToEventLoop();
  }
  const end = events.at(-1) ?? events[0];
  const seal = key.sign({
    format: sealFormat,
    licenceId,
    number: (last?.seal.number ?? 0) + 1,
    total: (last?.seal.total ?? 0) + events.length,
    count: events.length,
    firstEventId: events[0].id,
    lastEventId: end.id,
    chain,
    previous: last === null ? noSeal : hashOfSeal(last.seal),
    sealedAt: sealedAfter(now(), last?.seal.sealedAt, end.recordedAt),
  });
  return { seal, position: end.position, stream: end.stream, revision: end.revision };
};
