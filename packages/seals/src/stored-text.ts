import { canonicalText } from './canonical.ts';
import { sealDigest } from './chain.ts';
import { isSeal, type Seal } from './seal.ts';
import { CorruptSalt, CorruptSeal, type StoredSeal } from './seal-store.ts';

/** A seal as files and databases keep it: its canonical text, and what shows that neither that nor its place was damaged. */
export interface SealRow {
  readonly licenceId: string;
  readonly number: number;
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly text: string;
  readonly checksum: string;
}

const checksumOf = ({ position, stream, revision, text }: Omit<SealRow, 'licenceId' | 'number' | 'checksum'>): string =>
  sealDigest(canonicalText([position, stream, revision, text]));

export const rowOf = ({ seal, ...place }: StoredSeal): SealRow => {
  const text = canonicalText({ ...seal });
  const { licenceId, number } = seal;
  return { licenceId, number, ...place, text, checksum: checksumOf({ ...place, text }) };
};

/** Characters of a seal's text: it has fewer than a thousand, and whoever has the file may have written any number. */
const longestText = 10_000;

const sealIn = (text: string): Seal | null => {
  try {
    const value: unknown = text.length > longestText ? null : JSON.parse(text);
    return isSeal(value) ? value : null;
  } catch {
    return null;
  }
};

/** Throws `CorruptSeal` when the row does not fit its checksum, is no seal, or holds another one than it says. */
export const sealOf = (row: SealRow, where: string): StoredSeal => {
  const { licenceId, number, position, stream, revision, text, checksum } = row;
  const seal = typeof text === 'string' && checksumOf(row) === checksum ? sealIn(text) : null;
  if (seal?.licenceId !== licenceId || seal.number !== number) throw new CorruptSeal(where, licenceId, number);
  return { seal, position, stream, revision };
};

/** Bytes of a salt key. */
const saltLength = 32;

/** Throws `CorruptSalt` when it is no salt key. */
export const saltOf = (key: unknown, where: string, licenceId: string): Uint8Array => {
  if (key instanceof Uint8Array && key.length === saltLength) return key;
  throw new CorruptSalt(licenceId, where);
};
