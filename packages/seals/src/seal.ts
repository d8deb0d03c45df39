import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalText } from './canonical.ts';
import { type SealFormat, sealDigest, sealFormats } from './chain.ts';

/** Attests a licence's history from its first event up to one of them. Signed: every member but the signature. */
export interface Seal {
  readonly format: SealFormat;
  readonly licenceId: string;
  /** From 1, without gaps. */
  readonly number: number;
  /** Events of the licence from its first up to `lastEventId`, and how many of them this seal adds. */
  readonly total: number;
  readonly count: number;
  readonly firstEventId: string;
  readonly lastEventId: string;
  /** Hex: the chain after the last event. */
  readonly chain: string;
  /** Hex hash of the seal before, signature included; 64 zeros for the first. */
  readonly previous: string;
  /** UTC instant, ISO 8601 with milliseconds. */
  readonly sealedAt: string;
  /** Hex SHA-256 of the 32 bytes of the public key. */
  readonly key: string;
  /** Ed25519, base64url. */
  readonly signature: string;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/u.test(value);
/** What is no day of any calendar compares with nothing: such a seal would never be late. */
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

const members: Readonly<Record<keyof Seal, (value: unknown) => boolean>> = {
  format: (value) => sealFormats.includes(value as SealFormat),
  licenceId: isText,
  number: isCount,
  total: isCount,
  count: isCount,
  firstEventId: isText,
  lastEventId: isText,
  chain: isHash,
  previous: isHash,
  sealedAt: isInstant,
  key: isHash,
  signature: isText,
};

/** Whether it has every member of a seal, each of its kind, and no other. What it attests is another question. */
export const isSeal = (value: unknown): value is Seal =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === Object.keys(members).length &&
  Object.entries(members).every(([name, fits]) => fits(Reflect.get(value, name)));

/** What `previous` of the first seal is. */
export const noSeal = '0'.repeat(64);

/** Most events in one seal, and most milliseconds that an event of a licence waits for its seal. */
export const sealEvents = 1_000;
export const sealMilliseconds = 10 * 60_000;

/** The public half of a key. */
export interface PublicSealKey {
  readonly fingerprint: string;
  /** 32 bytes in base64url. */
  readonly publicKey: string;
}

export interface SealKey extends PublicSealKey {
  readonly sign: (unsigned: Omit<Seal, 'key' | 'signature'>) => Seal;
}

const seedLength = 32;
/** What stands before the 32 bytes of a key in PKCS #8 and in SPKI (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const spki = Buffer.from('302a300506032b6570032100', 'hex');

export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex');

const signedText = (seal: Omit<Seal, 'signature'>): string => canonicalText({ ...seal, signature: undefined });

/** A key from its 32 secret bytes in base64url. Throws a RangeError when they are not 32. */
export const sealKeyOf = (secret: string): SealKey => {
  const seed = Buffer.from(secret, 'base64url');
  if (seed.length !== seedLength) throw new RangeError(`A seal key has ${seedLength} bytes, this one ${seed.length}`);
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(spki.length)
    .toString('base64url');
  const fingerprint = fingerprintOf(publicKey);
  return {
    fingerprint,
    publicKey,
    sign: (unsigned) => {
      const seal = { ...unsigned, key: fingerprint };
      return { ...seal, signature: sign(null, Buffer.from(signedText(seal)), privateKey).toString('base64url') };
    },
  };
};

const keyObject = (publicKey: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([spki, Buffer.from(publicKey, 'base64url')]), format: 'der', type: 'spki' });

/** The same bytes can be written in several ways, of which one counts. */
const isPlainBase64url = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

/** Whether the seal bears the signature of this key. */
export const isSignedBy = (seal: Seal, { fingerprint, publicKey }: PublicSealKey): boolean =>
  seal.key === fingerprint &&
  fingerprintOf(publicKey) === fingerprint &&
  isPlainBase64url(publicKey) &&
  isPlainBase64url(seal.signature) &&
  verify(null, Buffer.from(signedText(seal)), keyObject(publicKey), Buffer.from(seal.signature, 'base64url'));

/** Hex hash by which the next seal names this one. */
export const hashOfSeal = (seal: Seal): string => sealDigest(canonicalText({ ...seal }));
