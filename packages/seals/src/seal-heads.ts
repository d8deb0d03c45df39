/**
 * The SealHeads port: the last seal of each licence, kept elsewhere than the seals, so that seals which were deleted, or made anew, are
 * missed. Kept in several places; each is asked for itself.
 */
import type { Position } from '@zakup/event-store/event-store';
import { hashOfSeal } from './seal.ts';
import { isCorrupt, type SealStore, type StoredSeal } from './seal-store.ts';

export interface SealHead {
  readonly licenceId: string;
  readonly number: number;
  /** Hex hash of the seal. */
  readonly hash: string;
  /** Of its last event. */
  readonly position: Position;
}

export interface SealHeads {
  /** Where they lie, for people, in the dative after `по`. */
  readonly where: string;
  all(): Promise<readonly SealHead[]>;
  /** Notes a licence's last seal; one that does not come behind the noted one changes nothing. */
  note(head: SealHead): Promise<void>;
  /** Forgets all of them. */
  forget(): Promise<void>;
}

export const headOf = ({ seal, position }: StoredSeal): SealHead => ({
  licenceId: seal.licenceId,
  number: seal.number,
  hash: hashOfSeal(seal),
  position,
});

/** The seals are not those that are known elsewhere: deleted, an older copy (`behind`), or made anew (`beside`). */
export class SealsReplaced extends Error {
  override readonly name = 'SealsReplaced';
  readonly kind: 'behind' | 'beside';
  readonly licenceId: string;
  readonly number: number;
  /** Who knows better. */
  readonly where: string;
  constructor(kind: 'behind' | 'beside', { licenceId, number }: SealHead, where: string) {
    super(`Seal ${number} of licence ${licenceId} is ${kind === 'behind' ? 'gone' : 'another one'}, by ${where}`);
    this.kind = kind;
    this.licenceId = licenceId;
    this.number = number;
    this.where = where;
  }
}

type Readable = Pick<SealStore, 'read'>;

/** Why the seals do not hold what is known of a licence; null = they do. */
export const missingHead = async (
  seals: Readable,
  { licenceId, number, hash }: SealHead,
): Promise<'behind' | 'beside' | null> => {
  const [found] = await seals.read(licenceId, { after: number - 1, limit: 1 });
  if (found?.seal.number !== number) return 'behind';
  return hashOfSeal(found.seal) === hash ? null : 'beside';
};

const atOnce = 50;

/** Throws `SealsReplaced` when the seals are behind what is noted elsewhere, or others. */
export const ensureHeads = async (
  seals: Readable,
  places: readonly Pick<SealHeads, 'where' | 'all'>[],
): Promise<void> => {
  for (const place of places) {
    const heads = await place.all();
    for (let from = 0; from < heads.length; from += atOnce)
      await Promise.all(
        heads.slice(from, from + atOnce).map(async (head) => {
          const kind = await missingHead(seals, head);
          if (kind !== null) throw new SealsReplaced(kind, head, place.where);
        }),
      );
  }
};

/** What every place knows, and takes further. */
export interface HeadBook {
  /** The furthest that is known of a licence. */
  of(licenceId: string): SealHead | null;
  /** Notes it in every place. */
  added(stored: StoredSeal): Promise<void>;
}

/**
 * Reads what the places know, and tells them what they have missed, where the seals go on from it. Of a licence whose seals are damaged
 * they are told nothing.
 */
export const headBook = async (
  seals: Pick<SealStore, 'read' | 'last' | 'licences'>,
  places: readonly SealHeads[],
): Promise<HeadBook> => {
  const known = new Map<string, SealHead>();
  const take = (head: SealHead): void => {
    if (head.number > (known.get(head.licenceId)?.number ?? 0)) known.set(head.licenceId, head);
  };
  const ofPlaces: ReadonlyMap<string, SealHead>[] = [];
  for (const place of places) {
    const heads = await place.all();
    ofPlaces.push(new Map(heads.map((head) => [head.licenceId, head])));
    for (const head of heads) take(head);
  }
  /** The last seal that goes on from what is known; null = there is none. */
  const goingOn = async (licenceId: string): Promise<StoredSeal | null> => {
    const head = known.get(licenceId);
    try {
      const last = await seals.last(licenceId);
      return head === undefined || (await missingHead(seals, head)) === null ? last : null;
    } catch (error) {
      if (isCorrupt(error)) return null;
      throw error;
    }
  };
  for (const licenceId of places.length === 0 ? [] : await seals.licences()) {
    const last = await goingOn(licenceId);
    if (last === null) continue;
    for (const [index, place] of places.entries())
      if ((ofPlaces[index]?.get(licenceId)?.number ?? 0) < last.seal.number) await place.note(headOf(last));
    take(headOf(last));
  }
  return {
    of: (licenceId) => known.get(licenceId) ?? null,
    async added(stored) {
      const head = headOf(stored);
      // Known first: whoever deletes it before it is noted is found all the same.
      take(head);
      for (const place of places) await place.note(head);
    },
  };
};

/** In this process's memory. */
export const inMemorySealHeads = (where = 'памяти'): SealHeads => {
  const heads = new Map<string, SealHead>();
  return {
    where,
    all: async () => [...heads.values()],
    async note(head) {
      if (head.number > (heads.get(head.licenceId)?.number ?? 0)) heads.set(head.licenceId, head);
    },
    async forget() {
      heads.clear();
    },
  };
};
