import type { ImportField, ImportMapping, ImportReport } from '@zakup/contracts/imports';
import { importFields, longestMendedCell } from '@zakup/contracts/imports';
import { placementFields } from '@zakup/contracts/placement-fields';

const labels: Readonly<Record<ImportField, string>> = {
  id: 'ID размещения',
  date: placementFields.date.label,
  contractor: placementFields.contractorId.label,
  price: placementFields.price.label,
  leads: placementFields.leads.label,
  creative: placementFields.creativeId.label,
  category: placementFields.category.label,
  format: placementFields.format.label,
  buyer: placementFields.buyerId.label,
  paymentStatus: placementFields.paymentStatus.label,
  status: placementFields.status.label,
  comment: placementFields.comment.label,
  postUrl: placementFields.postUrl.label,
};

/** Characters of an encoded mapping: what an address may have in all is about twice as much. */
const longestMapping = 6_000;

/** What a column of a file may hold; a blank value = nothing of it is taken. */
export const fieldOptions: readonly (readonly [value: string, label: string])[] = [
  ['', 'Не брать'],
  ...importFields.map((field) => [field, labels[field]] as const),
];

export const fieldLabel = (field: ImportField): string => labels[field];

/**
 * The mapping after a cell was mended: the text stands in the place of what is in the file. `null` = it is too long, or there are more of them
 * than one address holds.
 */
export const withCell = (
  mapping: ImportMapping,
  { row, column }: { readonly row: number; readonly column: number },
  text: string,
): ImportMapping | null => {
  if (text.length > longestMendedCell) return null;
  const { cells = {} } = mapping;
  const mended = { ...mapping, cells: { ...cells, [row]: { ...cells[row], [column]: text } } };
  return encodeURIComponent(JSON.stringify(mended)).length > longestMapping ? null : mended;
};

/** So many cells were mended. */
export const mendedCells = ({ cells = {} }: ImportMapping): number =>
  Object.values(cells).reduce((all, one) => all + Object.keys(one).length, 0);

/** The mapping after the person said what a column holds; whatever held it before holds nothing. */
export const withColumn = (
  mapping: ImportMapping,
  { columns }: Pick<ImportReport, 'columns'>,
  index: number,
  field: ImportField | null,
): ImportMapping => ({
  ...mapping,
  columns: Object.fromEntries(
    columns.map((column) => {
      if (column.index === index) return [column.index, field];
      return [column.index, column.field === field ? null : column.field];
    }),
  ),
});
