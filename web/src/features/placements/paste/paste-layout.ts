import { fieldOfHeading } from '@zakup/contracts/column-headings';
import type { ImportField } from '@zakup/contracts/imports';
import { type PlacementFieldName, placementFields } from '@zakup/contracts/placement-fields';
import { readDay } from '@zakup/domain/day-input';
import type { Day } from '@zakup/domain/calendar';
import { parseLeadsExpression, parsePriceExpression } from '@zakup/domain/amount-expression';
import { parseNick } from '@zakup/domain/nick';
import { readFormatText, readPaymentText, readTopicText } from '@zakup/domain/placement/cell-input';
import { textKey } from '@zakup/domain/text-key';
import type { GridColumn } from '../../../shared/table/grid-column.ts';
import type { CellBlock } from '../../../shared/table/grid-range.ts';
import type { PastedBlock } from '../../../shared/table/pasted-block.ts';
import { fieldOfColumn } from '../columns/field-columns.ts';
import type { PlacementRow } from '../rows/placement-row.ts';

/** A field that a cell can set. */
export type PastedField = Exclude<PlacementFieldName, 'costPerLead' | 'campaignId'>;

/** Where a column of what was pasted goes. */
export type PasteColumn =
  | { readonly kind: 'field'; readonly field: PastedField }
  /** `title`: how it is called, where anybody calls it. */
  | { readonly kind: 'none'; readonly title: string | null; readonly reason: string };

/** What was pasted, without its heading, and where each of its columns goes. */
export interface PasteLayout {
  readonly rows: readonly (readonly string[])[];
  readonly columns: readonly PasteColumn[];
  /** Its first line named the columns. */
  readonly hasHeading: boolean;
  /** Which column is which was told by what stands in it. */
  readonly isGuessed: boolean;
}

type Block = Extract<PastedBlock, { readonly kind: 'block' }>;
export type PasteAt = Pick<CellBlock<PlacementRow>, 'columns' | 'top' | 'bottom' | 'left' | 'right'>;

const none = (title: string | null, reason: string): PasteColumn => ({ kind: 'none', title, reason });
const toField = (field: PastedField): PasteColumn => ({ kind: 'field', field });

const isSet = (field: PlacementFieldName): field is PastedField => placementFields[field].undoable !== null;

const fieldOfImport: Readonly<Record<Exclude<ImportField, 'id'>, PastedField>> = {
  date: 'date',
  contractor: 'contractorId',
  price: 'price',
  leads: 'leads',
  creative: 'creativeId',
  category: 'category',
  format: 'format',
  buyer: 'buyerId',
  paymentStatus: 'paymentStatus',
  status: 'status',
  comment: 'comment',
  postUrl: 'postUrl',
};

const namedField = (heading: string): PastedField | null => {
  const field = fieldOfHeading(heading);
  return field === null || field === 'id' ? null : fieldOfImport[field];
};

const widthOf = (rows: Block['rows']): number => rows.reduce((most, { length }) => Math.max(most, length), 0);

/** The first line where it names columns: at least two of them and half of what it says, or the one in which the paste begins. */
const isHeading = (cells: readonly string[], width: number, first: PlacementFieldName | undefined): boolean => {
  const said = cells.filter((cell) => cell.trim() !== '');
  const named = said.flatMap((cell) => namedField(cell) ?? []);
  if (width === 1) return named[0] !== undefined && named[0] === first;
  return new Set(named).size >= 2 && named.length * 2 >= said.length;
};

/** Of all columns that show a field only CPL is set by nobody. */
const countsItself = 'CPL считается сам';

const byHeading = (cells: readonly string[], width: number): readonly PasteColumn[] => {
  const taken = new Set<PastedField>();
  return Array.from({ length: width }, (_, at) => {
    const title = cells[at]?.trim() ?? '';
    const field = namedField(title);
    if (field !== null && !taken.has(field)) {
      taken.add(field);
      return toField(field);
    }
    if (field !== null) return none(title, 'такой столбец уже есть левее');
    return none(title, textKey(title) === 'cpl' ? countsItself : 'нет такого столбца');
  });
};

const byPlace = (columns: readonly GridColumn<PlacementRow>[], left: number, width: number): readonly PasteColumn[] =>
  Array.from({ length: width }, (_, at) => {
    const column = columns[left + at];
    const field = column && fieldOfColumn.get(column.id);
    if (column === undefined || field === undefined) return none(null, 'правее таблицы');
    return isSet(field) ? toField(field) : none(column.header, countsItself);
  });

/** What a column of a list holds when all of its cells are so; the first that fits. */
const signs: readonly (readonly [PastedField, (text: string, today: Day) => boolean])[] = [
  [
    'contractorId',
    (text) => /^(?:@|(?:https?:\/\/)?(?:t|telegram)\.me\/[^/]+\/?$)/iu.test(text) && parseNick(text).kind === 'nick',
  ],
  ['postUrl', (text) => /^(?:https?:\/\/)?(?:t|telegram)\.me\/./iu.test(text)],
  ['date', (text, today) => !/^\d+[.,]\d$/u.test(text) && readDay(text, today) !== null],
  ['format', (text) => readFormatText(text).kind === 'value'],
  ['price', (text) => parsePriceExpression(text) !== null],
  ['leads', (text) => parseLeadsExpression(text) !== null],
  ['category', (text) => readTopicText(text).kind === 'value'],
  ['paymentStatus', (text) => readPaymentText(text).kind === 'value'],
];

const byContent = (rows: Block['rows'], width: number, today: Day): readonly PasteColumn[] => {
  const taken = new Set<PastedField>();
  return Array.from({ length: width }, (_, at) => {
    const texts = rows.map((cells) => cells[at] ?? '').filter((text) => text !== '');
    const found = signs.find(([field, fits]) => !taken.has(field) && texts.every((text) => fits(text, today)));
    if (found === undefined || texts.length === 0) return none(null, 'не понятно, что это за столбец');
    taken.add(found[0]);
    return toField(found[0]);
  });
};

/** `length`, or that of the range where it is a multiple: what is pasted on a range is repeated over it. */
const repeated = (length: number, ofRange: number): number =>
  ofRange > length && ofRange % length === 0 ? ofRange : length;

/** Finds out what was pasted: by its heading, in a list without one by its cells, else by the columns of the table from the left of the range on. */
export const pasteLayout = ({ rows, isGuessed }: Block, at: PasteAt, today: Day): PasteLayout => {
  const width = widthOf(rows);
  const [first = [], ...below] = rows;
  const begin = at.columns[at.left];
  if (below.length > 0 && isHeading(first, width, begin && fieldOfColumn.get(begin.id)))
    return { rows: below, columns: byHeading(first, width), hasHeading: true, isGuessed: false };
  if (isGuessed) {
    const columns = byContent(rows, width, today);
    if (columns.some((column) => column.kind === 'field' && column.field === 'contractorId'))
      return { rows, columns, hasHeading: false, isGuessed: true };
  }
  const [tall, wide] = [repeated(rows.length, at.bottom - at.top + 1), repeated(width, at.right - at.left + 1)];
  const spread = Array.from({ length: tall }, (_, row) => {
    const cells = rows[row % rows.length] ?? [];
    return wide === width ? cells : Array.from({ length: wide }, (__, column) => cells[column % width] ?? '');
  });
  return { rows: spread, columns: byPlace(at.columns, at.left, wide), hasHeading: false, isGuessed: false };
};
