import { currentEarnings } from '@zakup/contracts/earlier-earnings';
import { currentPlacement } from '@zakup/contracts/earlier-placements';
import type { EarningsRow, PlacementRow, RowByKind, RowKind } from '@zakup/contracts/read-models';
import type { Query, ReadDocument, DocumentReader } from '@zakup/read-store/read-store';

/** A document's data by its kind; projections write nothing else under these kinds. Throws for a document of another kind. */
export const dataOf = <Kind extends RowKind>(kind: Kind, doc: ReadDocument): RowByKind[Kind] => {
  if (doc.kind !== kind) throw new Error(`Document ${doc.kind}/${doc.id} is no ${kind}`);
  const row = doc.data as unknown as RowByKind[Kind];
  if (kind === 'earnings') return currentEarnings(row as EarningsRow) as RowByKind[Kind];
  if (kind === 'placement') return currentPlacement(row as PlacementRow) as RowByKind[Kind];
  return row;
};

/** A document of the licence; null when it does not exist, is deleted or belongs to another licence. */
export const docOf = async (
  readStore: DocumentReader,
  kind: RowKind,
  id: string,
  licenceId: string,
): Promise<ReadDocument | null> => {
  const doc = await readStore.get(kind, id);
  return doc === null || doc.deleted || doc.licenceId !== licenceId ? null : doc;
};

/** What `docOf` finds, as a row. */
export const rowOf = async <Kind extends RowKind>(
  readStore: DocumentReader,
  kind: Kind,
  id: string,
  licenceId: string,
): Promise<RowByKind[Kind] | null> => {
  const doc = await docOf(readStore, kind, id, licenceId);
  return doc === null ? null : dataOf(kind, doc);
};

/** Rows of the licence that fit, in the query's order. */
export const rowsOf = async <Kind extends RowKind>(
  readStore: DocumentReader,
  kind: Kind,
  licenceId: string,
  query: Query = {},
): Promise<RowByKind[Kind][]> => {
  const { docs } = await readStore.query(kind, { ...query, licenceId });
  return docs.map((doc) => dataOf(kind, doc));
};
