import { canonicalText } from './canonical.ts';
import { sealDigest } from './chain.ts';
import type { Seal } from './seal.ts';
import { CorruptSeal, type StoredSeal } from './seal-store.ts';

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

/** Throws `CorruptSeal` when the row does not fit its checksum, or holds another seal than it says. */
export const sealOf = (row: SealRow, where: string): StoredSeal => {
  const { licenceId, number, position, stream, revision, text, checksum } = row;
  if (checksumOf(row) !== checksum) throw new CorruptSeal(where, licenceId, number);
  const seal = JSON.parse(text) as Seal;
  if (seal.licenceId !== licenceId || seal.number !== number) throw new CorruptSeal(where, licenceId, number);
  return { seal, position, stream, revision };
};
