import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore } from '@zakup/event-store/event-store';
import { chained, chainStart, eventHash, partHashes } from './chain.ts';
import { licenceHistory } from './licence-history.ts';
import { hashOfSeal, isSignedBy, noSeal, type PublicSealKey, type Seal } from './seal.ts';
import type { SealStore } from './seal-store.ts';

/**
 * What does not fit. `unlinked`: the seal does not go on from the one before; `unsigned`: it bears the signature of no key that is known;
 * `different`: events `from` to `to` are not those that it attests; `missing`: the log ends before `to`.
 */
export interface SealFault {
  readonly kind: 'unlinked' | 'unsigned' | 'different' | 'missing';
  readonly licenceId: string;
  readonly seal: number;
  /** Numbers of events in the licence's history, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Of the first event as it was sealed. */
  readonly firstEventId: string;
}

export interface LicenceCheck {
  readonly events: number;
  readonly seals: number;
  /** Null = every seal attests what is in the log. */
  readonly fault: SealFault | null;
}

export interface CheckOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly seals: SealStore;
  /** Those whose signatures count. */
  readonly keys: readonly PublicSealKey[];
}

/** Events that are computed before others get their turn. */
const atOnce = 100;

async function* sealsOf(seals: SealStore, licenceId: string): AsyncGenerator<Seal, void, undefined> {
  let after = 0;
  for (;;) {
    const page = await seals.read(licenceId, { after });
    for (const { seal } of page) yield seal;
    if (page.length === 0) return;
    after = page.at(-1)?.seal.number ?? after;
  }
}

/**
 * Computes the licence's chain from its first event on and compares it with each seal, up to the first one that does not fit. Throws what
 * the stores throw, `CorruptSeal` among it.
 */
export const checkLicence = async (
  { eventStore, seals, keys }: CheckOptions,
  licenceId: string,
): Promise<LicenceCheck> => {
  const saltKey = await seals.saltKey(licenceId, () => {
    throw new Error(`Licence ${licenceId} has seals, but the salt key that they were made with is gone`);
  });
  let [chain, events, checked] = [chainStart(licenceId), 0, 0];
  let last: Seal | null = null;
  const history = (async function* () {
    for await (const page of licenceHistory(eventStore, licenceId)) yield* page;
  })();

  for await (const seal of sealsOf(seals, licenceId)) {
    const from = events + 1;
    const fault = (kind: SealFault['kind']): LicenceCheck => ({
      events,
      seals: checked,
      fault: { kind, licenceId, seal: seal.number, from, to: seal.total, firstEventId: seal.firstEventId },
    });
    if (seal.number !== checked + 1 || seal.total !== events + seal.count || seal.previous !== linkOf(last))
      return fault('unlinked');
    if (!keys.some((key) => isSignedBy(seal, key))) return fault('unsigned');
    let firstId: string | null = null;
    let lastId: string | null = null;
    while (events < seal.total) {
      const { value: event, done } = await history.next();
      if (done === true) return fault('missing');
      chain = chained(chain, eventHash(partHashes(saltKey, event)));
      firstId ??= event.id;
      lastId = event.id;
      events += 1;
      if (events % atOnce === 0) await turn();
    }
    if (chain !== seal.chain || firstId !== seal.firstEventId || lastId !== seal.lastEventId) {
      return { ...fault('different'), events: from - 1 };
    }
    checked += 1;
    last = seal;
  }
  return { events, seals: checked, fault: null };
};

const linkOf = (last: Seal | null): string => (last === null ? noSeal : hashOfSeal(last));
