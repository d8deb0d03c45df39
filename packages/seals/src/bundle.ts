import type { RecordedEvent } from '@zakup/event-store/event-store';
import { createYielder } from '@zakup/async/yielder';
import { canonicalText, type Json } from './canonical.ts';
import { chained, chainStart, eventHash, partHash, partsOf, type SealFormat, saltsOf, sealFormat } from './chain.ts';
import type { PublicSealKey } from './seal.ts';
import type { StoredSeal } from './seal-store.ts';

/** Whether whoever exports may see a part of an event; `envelope` and `recorded` are always shown. */
export type IsShown = (event: RecordedEvent, part: string) => boolean;

export interface BundleOptions {
  readonly licenceId: string;
  /** Keys that sign, or have signed. */
  readonly keys: readonly PublicSealKey[];
  /** All seals, by number. */
  readonly seals: readonly StoredSeal[];
  /** The licence's history from its first event, in order, at least as far as the last seal. */
  readonly events: AsyncIterable<readonly RecordedEvent[]>;
  readonly saltKey: Uint8Array;
  readonly isShown: IsShown;
}

const alwaysShown: ReadonlySet<string> = new Set(['envelope', 'recorded']);

export const bundleFormat = 'zakup-history-1';

/** By what an event of this number in the history is hashed: its seal's version, the present one behind the last seal. */
const formatsOf = (seals: readonly StoredSeal[]): ((number: number) => SealFormat) => {
  let at = 0;
  return (number) => {
    while ((seals[at]?.seal.total ?? number) < number) at += 1;
    return seals[at]?.seal.format ?? sealFormat;
  };
};

/** Lines of a piece. */
const atOnce = 100;

const line = (value: Json): string => `${canonicalText(value)}\n`;

/**
 * The text of a bundle of a licence's history, in pieces: one line for each key, seal and event (docs/reference/signed-history.md). Others
 * get their turn while it is hashed.
 */
export async function* bundleText(options: BundleOptions): AsyncGenerator<string, void, undefined> {
  const { licenceId, keys, seals, events, saltKey, isShown } = options;
  const yieldIfDue = createYielder();
  const lines = [
    line({ kind: 'history', format: bundleFormat, licenceId, seals: seals.length }),
    ...keys.map(({ fingerprint, publicKey }) => line({ kind: 'key', fingerprint, publicKey })),
  ];
  for (const { seal } of seals) {
    lines.push(line({ kind: 'seal', seal: { ...seal } }));
    await yieldIfDue();
    if (lines.length >= atOnce) yield lines.splice(0).join('');
  }
  let chain = chainStart(licenceId);
  let number = 0;
  const formatOf = formatsOf(seals);
  for await (const page of events) {
    for (const event of page) {
      number += 1;
      const saltFor = saltsOf(saltKey, event.id);
      const hashes: Record<string, string> = {};
      const parts: Record<string, Json> = {};
      for (const [name, value] of Object.entries(partsOf(event, formatOf(number)))) {
        const salt = saltFor(name);
        const hash = partHash(salt, name, value);
        hashes[name] = hash;
        parts[name] = alwaysShown.has(name) || isShown(event, name) ? { salt: salt.toString('hex'), value } : { hash };
      }
      chain = chained(chain, eventHash(hashes));
      lines.push(line({ kind: 'event', number, parts, chain }));
      // Events are of any size, and so is the hashing of a piece.
      await yieldIfDue();
      if (lines.length >= atOnce) yield lines.splice(0).join('');
    }
  }
  yield [...lines, line({ kind: 'end', events: number, chain })].join('');
}
