import type { PlacementFieldName } from '@zakup/contracts/placement-fields';
import { noCreative } from '@zakup/domain/placement/events';
import { batchDraft, maxBatchSize, type PartDraft } from '../../../shared/outbox/batch.ts';
import type { CommandDraft } from '../../../shared/outbox/entry.ts';
import type { GridColumn } from '../../../shared/table/grid-column.ts';
import { type CellBlock, columnsOf, type FillDirection, rowsOf } from '../../../shared/table/grid-range.ts';
import { changedField, fieldOfColumn } from '../columns/field-columns.ts';
import { changeDraft, paymentDraft } from './placement-commands.ts';
import type { Names, PlacementRow } from './placement-row.ts';

type Column = GridColumn<PlacementRow>;

/** What a cell is to become; `refused` says why it stays. */
type Wanted =
  | { readonly kind: 'value'; readonly member: string; readonly value: unknown }
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nobody sets it, or it is so already. */
  | { readonly kind: 'nothing' };

const nothing: Wanted = { kind: 'nothing' };
const refused = (reason: string): Wanted => ({ kind: 'refused', reason });

/** What an empty cell holds where a field may be empty. */
export const cleared: Partial<Record<PlacementFieldName, unknown>> = {
  price: 0,
  leads: 0,
  creativeId: noCreative,
  comment: '',
  postUrl: null,
};

export interface BlockChange {
  /** One for each placement that changes, one more where its payment does. */
  readonly drafts: readonly CommandDraft[];
  readonly cells: number;
  readonly skipped: number;
  /** Each once. */
  readonly reasons: readonly string[];
}

export interface BlockDeps {
  readonly editable: (row: PlacementRow) => boolean;
  readonly names: Names;
}

export const notEditable = 'эту строку нельзя править';

/** The commands that give a placement these members, `paymentStatus` by its own. */
export const draftsFor = (row: PlacementRow, body: Readonly<Record<string, unknown>>, names: Names): CommandDraft[] => {
  const { paymentStatus, ...change } = body;
  return [
    ...(Object.keys(change).length > 0 ? [changeDraft(row, change, names)] : []),
    ...(paymentStatus === undefined ? [] : [paymentDraft(row, paymentStatus === 'paid' ? 'paid' : 'unpaid')]),
  ];
};

/** Asks of each cell what it is to become, and makes a command of each row. */
const changeOf = (
  rows: readonly PlacementRow[],
  columns: readonly Column[],
  wantedOf: (row: PlacementRow, column: Column) => Wanted,
  { editable, names }: BlockDeps,
): BlockChange => {
  const reasons = new Set<string>();
  const drafts: CommandDraft[] = [];
  let cells = 0;
  let skipped = 0;
  for (const row of rows) {
    const body: Record<string, unknown> = {};
    const mayEdit = editable(row);
    for (const column of columns) {
      const wanted = wantedOf(row, column);
      if (wanted.kind === 'nothing') continue;
      if (mayEdit && wanted.kind === 'value') {
        body[wanted.member] = wanted.value;
        cells += 1;
      } else {
        reasons.add(wanted.kind === 'refused' ? wanted.reason : notEditable);
        skipped += 1;
      }
    }
    drafts.push(...draftsFor(row, body, names));
  }
  return { drafts, cells, skipped, reasons: [...reasons] };
};

const isSame = (a: unknown, b: unknown): boolean => (a ?? '') === (b ?? '');

/** What Delete leaves of a block: cells that may be empty are. */
export const clearedBlock = (block: CellBlock<PlacementRow>, deps: BlockDeps): BlockChange =>
  changeOf(
    rowsOf(block),
    columnsOf(block),
    (row, { id, header }) => {
      const field = fieldOfColumn.get(id);
      if (field === undefined || field === 'costPerLead') return nothing;
      if (!(field in cleared)) return refused(`Поле «${header}» не бывает пустым`);
      const value = cleared[field];
      return isSame(row.placement[field], value) ? nothing : { kind: 'value', member: field, value };
    },
    deps,
  );

/** The value of another row in the same column. */
const copiedDown = (from: PlacementRow, row: PlacementRow, { id }: Column): Wanted => {
  const field = fieldOfColumn.get(id);
  if (field === undefined || field === 'costPerLead') return nothing;
  if (isSame(from.placement[field], row.placement[field])) return nothing;
  const isUnknown = !['paid', 'unpaid'].includes(from.placement.paymentStatus);
  if (field === 'paymentStatus' && isUnknown) return refused('Такой оплаты не поставить');
  if (field === 'contractorId') return { kind: 'value', member: 'contractor', value: from.nick };
  return { kind: 'value', member: field, value: from.placement[field] };
};

/** The value of another column of the row, where this one reads it. */
const copiedRight = (from: Column, row: PlacementRow, column: Column): Wanted => {
  const member = changedField(column.id);
  if (column.id === from.id || fieldOfColumn.get(column.id) === undefined || column.id === 'cpl') return nothing;
  const [given, taken] = [from.editor?.(row), column.editor?.(row)];
  const unfit = refused(`«${from.header}» не подходит для поля «${column.header}»`);
  if (member === null || given?.kind !== 'text' || taken?.kind !== 'text') return unfit;
  const parsed = taken.parse(given.initial);
  if (!parsed.ok) return unfit;
  return isSame(parsed.value, row.placement[member]) ? nothing : { kind: 'value', member, value: parsed.value };
};

/** What a fill makes of a block: its first row in those below, or its first column in those to the right. */
export const filledBlock = (block: CellBlock<PlacementRow>, direction: FillDirection, deps: BlockDeps): BlockChange => {
  const [rows, columns] = [rowsOf(block), columnsOf(block)];
  const [firstRow, firstColumn] = [rows[0], columns[0]];
  if (firstRow === undefined || firstColumn === undefined) return { drafts: [], cells: 0, skipped: 0, reasons: [] };
  return direction === 'down'
    ? changeOf(rows.slice(1), columns, (row, column) => copiedDown(firstRow, row, column), deps)
    : changeOf(rows, columns.slice(1), (row, column) => copiedRight(firstColumn, row, column), deps);
};

/** One command of all of them; `null` = they are too many, or none. */
export const oneCommand = (drafts: readonly PartDraft[], label: string): CommandDraft | null => {
  const [first] = drafts;
  if (first === undefined || drafts.length > maxBatchSize) return null;
  const { target } = first;
  return drafts.length === 1 && !('part' in target) ? { ...first, target } : batchDraft(drafts, label);
};
