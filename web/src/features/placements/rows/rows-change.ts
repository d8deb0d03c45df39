import type { PlacementFieldName } from '@zakup/contracts/placement-fields';
import { formatNumber } from '@zakup/domain/russian';
import type { CommandDraft } from '../../../shared/outbox/entry.ts';
import { changeDraft, paymentDraft, removeDraft } from './placement-commands.ts';
import type { Names, PlacementRow } from './placement-row.ts';

/** Fields that several rows get at once, in the order in which they are offered. */
export const bulkFields = [
  'paymentStatus',
  'buyerId',
  'creativeId',
  'category',
  'format',
  'date',
  'status',
  'price',
  'leads',
] as const satisfies readonly PlacementFieldName[];
export type BulkField = (typeof bulkFields)[number];

/** What becomes of rows, and how many stay as they are for which reason. */
export interface RowsChange {
  readonly rows: readonly PlacementRow[];
  /** One for each of `rows`. */
  readonly drafts: readonly CommandDraft[];
  readonly left: ReadonlyMap<string, number>;
}

export interface RowRights {
  readonly editable: (row: PlacementRow) => boolean;
  readonly mayAddFor: (buyerId: string) => boolean;
}

const notEditable = 'эту строку нельзя править';

/** Asks of each row why it stays; `null` = it does not. */
const changeOf = (
  all: readonly PlacementRow[],
  whyLeft: (row: PlacementRow) => string | null,
  draftOf: (row: PlacementRow) => CommandDraft,
): RowsChange => {
  const rows: PlacementRow[] = [];
  const left = new Map<string, number>();
  for (const row of all) {
    const why = whyLeft(row);
    if (why === null) rows.push(row);
    else left.set(why, (left.get(why) ?? 0) + 1);
  }
  return { rows, drafts: rows.map(draftOf), left };
};

/** The same value for a field of all rows; `value` as the wire has it. */
export const withField = (
  all: readonly PlacementRow[],
  field: BulkField,
  value: unknown,
  names: Names,
  { editable, mayAddFor }: RowRights,
): RowsChange =>
  changeOf(
    all,
    (row) => {
      if (!editable(row)) return notEditable;
      if (row.placement[field] === value) return 'уже так';
      return field === 'buyerId' && !mayAddFor(String(value)) ? 'этого байера вам не поставить' : null;
    },
    (row) =>
      field === 'paymentStatus'
        ? paymentDraft(row, value === 'paid' ? 'paid' : 'unpaid')
        : changeDraft(row, { [field]: value }, names),
  );

export const withoutRows = (all: readonly PlacementRow[], { editable }: RowRights): RowsChange =>
  changeOf(all, (row) => (editable(row) ? null : notEditable), removeDraft);

/** `2 – уже так, 1 – эту строку нельзя править`; empty = none stays. */
export const leftText = ({ left }: RowsChange): string =>
  [...left].map(([why, count]) => `${formatNumber(count)} – ${why}`).join(', ');
