/**
 * The SealStore port: the seals of every licence, which are only ever added; with them what the chain needs to be computed again, and the
 * public keys that signed. It is no read model: nothing rebuilds it.
 */
import type { Position, Revision, StreamName } from '@zakup/event-store/event-store';
import type { PublicSealKey, Seal } from './seal.ts';

/** A seal and where its last event stands in the log of this installation, which is not signed. */
export interface StoredSeal {
  readonly seal: Seal;
  readonly position: Position;
  readonly stream: StreamName;
  readonly revision: Revision;
}

export interface KnownSealKey extends PublicSealKey {
  /** UTC instant since which it signs, ISO 8601. */
  readonly since: string;
}

export type AddSealResult =
  | { readonly kind: 'added' }
  /** It does not follow the last seal: nothing was written. */
  | { readonly kind: 'not_next'; readonly last: StoredSeal | null }
  /** A later holder of the lease has written; nothing was. */
  | { readonly kind: 'lost_lease'; readonly fence: number };

export interface SealStore {
  /** The licence's last seal. */
  last(licenceId: string): Promise<StoredSeal | null>;
  /** Seals of a licence by number, `after` exclusive; at most `limit`, default 500. Throws `CorruptSeal`. */
  read(licenceId: string, range?: { readonly after?: number; readonly limit?: number }): Promise<readonly StoredSeal[]>;
  /**
   * Adds the one that follows the last: number, total, position and `previous` go on from it. Of several that follow the same seal one is
   * added. `fence`: of the lease under which it is written; a smaller one than was seen is refused.
   */
  add(next: StoredSeal, fence: number): Promise<AddSealResult>;
  /** Licences with a seal, in no order. */
  licences(): Promise<readonly string[]>;
  /** The licence's 32 secret bytes that its salts are made of; `fresh` when it has none yet, which it then has for ever. Throws `CorruptSalt`. */
  saltKey(licenceId: string, fresh: () => Uint8Array): Promise<Uint8Array>;
  /** Notes a key that signs from now on; one that is known stays as it is. */
  addKey(key: KnownSealKey): Promise<void>;
  /** Keys that ever signed here, in the order in which they began. */
  keys(): Promise<readonly KnownSealKey[]>;
  /** Every event up to here is sealed, or belongs to nobody; 0 at first. */
  followed(): Promise<Position>;
  /** Raises that; a smaller one, or one under a smaller fence, changes nothing. */
  follow(position: Position, fence: number): Promise<void>;
  /** The greatest position of a seal: the log must have come this far. */
  reached(): Promise<Position>;
  /** The greatest fence that was seen. */
  fence(): Promise<number>;
  close(): Promise<void>;
}

/** The store is away, or cannot serve now. */
export class SealsUnavailable extends Error {
  override readonly name = 'SealsUnavailable';
}

/** A stored seal does not fit its own hash. */
export class CorruptSeal extends Error {
  override readonly name = 'CorruptSeal';
  readonly where: string;
  readonly licenceId: string;
  readonly number: number;
  constructor(where: string, licenceId: string, number: number) {
    super(`Seal ${number} of licence ${licenceId} in ${where} does not match its hash`);
    this.where = where;
    this.licenceId = licenceId;
    this.number = number;
  }
}

/** What the chain of a licence is salted with is gone, or is no key: no seal of it can be computed again. */
export class CorruptSalt extends Error {
  override readonly name = 'CorruptSalt';
  readonly licenceId: string;
  readonly where: string;
  constructor(licenceId: string, where = 'the store of seals') {
    super(`The salt key of licence ${licenceId} in ${where} is gone or damaged`);
    this.licenceId = licenceId;
    this.where = where;
  }
}

/** Makes no salt, where there are seals that were made with one: they could never be computed again. Throws `CorruptSalt`. */
export const noFreshSalt = (licenceId: string) => (): never => {
  throw new CorruptSalt(licenceId);
};

/** What is stored of one licence's seals is damaged: the store serves all others as before. */
export const isCorrupt = (error: unknown): error is CorruptSeal | CorruptSalt =>
  error instanceof CorruptSeal || error instanceof CorruptSalt;
