import { canonicalText } from './canonical.ts';
import { sealDigest } from './chain.ts';
import type { Seal } from './seal.ts';
import { CorruptSeal, type StoredSeal } from './seal-store.ts';

/** A seal as files and databases keep it: its canonical text, and what shows that neither that nor the position was damaged. */
export interface SealRow {
  readonly licenceId: string;
  readonly number: number;
  readonly position: number;
  readonly text: string;
  readonly checksum: string;
}

const checksumOf = (position: number, text: string): string => sealDigest(`${position}\n${text}`);

export const rowOf = ({ seal, position }: StoredSeal): SealRow => {
  const text = canonicalText({ ...seal });
  return { licenceId: seal.licenceId, number: seal.number, position, text, checksum: checksumOf(position, text) };
};

/** Throws `CorruptSeal` when the row does not fit its checksum, or holds another seal than it says. */
export const sealOf = ({ licenceId, number, position, text, checksum }: SealRow, where: string): StoredSeal => {
  if (checksumOf(position, text) !== checksum) throw new CorruptSeal(where, licenceId, number);
  const seal = JSON.parse(text) as Seal;
  if (seal.licenceId !== licenceId || seal.number !== number) throw new CorruptSeal(where, licenceId, number);
  return { seal, position };
};
