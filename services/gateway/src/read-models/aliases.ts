import type { AliasesRow, AnalyticsRow, PlacementRow } from '@zakup/contracts/read-models';
import { addSums, noSums, type Sums } from '@zakup/domain/analytics/sums';
import { type MergedInto, partsOf, receiverOf } from '@zakup/domain/contractor/aliases';
import type { DocumentReader } from '@zakup/read-store/read-store';

/** Merged contractors of a licence: stored rows go on naming them, everything that is answered names the one they are a part of. */
export interface Aliases {
  /** Grows or shrinks only by a change of the licence's merges: two with the same one are the same. */
  readonly position: number;
  /** Who the contractor is now. */
  readonly receiver: (contractorId: string) => string;
  /** The ids that rows of this contractor may name, its own first. */
  readonly parts: (contractorId: string) => readonly string[];
  readonly placement: (row: PlacementRow) => PlacementRow;
  readonly analytics: (row: AnalyticsRow) => AnalyticsRow;
}

const nobody: Aliases = {
  position: 0,
  receiver: (id) => id,
  parts: (id) => [id],
  placement: (row) => row,
  analytics: (row) => row,
};

const regrouped = (mergedInto: MergedInto, groups: AnalyticsRow['byContractor']): AnalyticsRow['byContractor'] => {
  const sums = new Map<string, Sums>();
  for (const [id, own] of Object.entries(groups)) {
    const receiver = receiverOf(mergedInto, id);
    sums.set(receiver, addSums(sums.get(receiver) ?? noSums, own));
  }
  return Object.fromEntries(sums);
};

/** As the read models have it now. */
export const aliasesOf = async (readStore: DocumentReader, licenceId: string): Promise<Aliases> => {
  const doc = await readStore.get('aliases', licenceId);
  if (doc === null || doc.data === null) return nobody;
  const { mergedInto } = doc.data as unknown as AliasesRow;
  if (Object.keys(mergedInto).length === 0) return { ...nobody, position: doc.position };
  return {
    position: doc.position,
    receiver: (id) => receiverOf(mergedInto, id),
    parts: (id) => partsOf(mergedInto, id),
    placement(row) {
      const contractorId = receiverOf(mergedInto, row.contractorId);
      return contractorId === row.contractorId ? row : { ...row, contractorId };
    },
    analytics: (row) => ({ ...row, byContractor: regrouped(mergedInto, row.byContractor) }),
  };
};
