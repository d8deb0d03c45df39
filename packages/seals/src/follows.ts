import { hashOfSeal, noSeal } from './seal.ts';
import type { StoredSeal } from './seal-store.ts';

/** Whether a seal may be added behind the last one. */
export const followsSeal = (last: StoredSeal | null, { seal, position }: StoredSeal): boolean =>
  seal.count >= 1 &&
  seal.number === (last?.seal.number ?? 0) + 1 &&
  seal.total === (last?.seal.total ?? 0) + seal.count &&
  (last === null || seal.format >= last.seal.format) &&
  seal.previous === (last === null ? noSeal : hashOfSeal(last.seal)) &&
  position > (last?.position ?? 0);
