import { createYielder } from '@zakup/async/yielder';
import {
  type ImportField,
  type ImportMapping,
  type ImportReport,
  type ImportRowError,
  mostImportErrors,
} from '@zakup/contracts/imports';
import type { Problem } from '@zakup/contracts/problems';
import type { ImportRow } from '@zakup/domain/import/import-row';
import { messages } from '@zakup/domain/messages';
import { kopecks } from '@zakup/domain/money';
import { may } from '@zakup/domain/permissions';
import { parseNick } from '@zakup/domain/nick';
import { noCreative } from '@zakup/domain/placement/events';
import { withoutCreativeLabel } from '@zakup/domain/placement/labels';
import { showTopic } from '@zakup/domain/topics';
import {
  type ReadCell,
  readCommentCell,
  readFormatCell,
  readLeadsCell,
  readNickCell,
  readPaymentCell,
  readPostUrlCell,
  readPriceCell,
  readStatusCell,
  readTopicCell,
} from './cells.ts';
import { type ImportColumn, importColumns } from './columns.ts';
import { guessDateOrder, readDate } from './dates.ts';
import type { Table, TableCell, TableRow } from './file/table.ts';
import { duplicateKey, type ImportReferences, type KnownPlacement, type Named } from './import-references.ts';
import { textKey } from './text-key.ts';

/** What an import would do: its report, and the rows that it would write. */
export interface ImportPlan {
  readonly report: ImportReport;
  readonly rows: readonly ImportRow[];
  /** Bad rows. */
  readonly failed: number;
}

const samples = 3;
const longestText = 200;

const shownCell = (cell: TableCell): string => String(cell).trim().slice(0, longestText);

/** Columns as the report tells of them. */
const toldColumns = (columns: readonly ImportColumn[], { rows }: Table): ImportReport['columns'] =>
  columns.map(({ index, header, field }) => {
    const found = new Set<string>();
    for (const { cells } of rows) {
      const text = shownCell(cells[index] ?? '');
      if (text !== '') found.add(text);
      if (found.size === samples) break;
    }
    return { index, header: header.slice(0, longestText), field, samples: [...found] };
  });

const isEmpty = (cell: TableCell): boolean => typeof cell === 'string' && cell.trim() === '';

const invalidMapping = (member: string, detail: string): Problem => ({
  code: 'VALIDATION_FAILED',
  message: detail,
  errors: [{ pointer: `/mapping/${member}`, detail }],
});

/** Several columns that are to be the same field. */
const doubledColumn = (given: ImportMapping['columns'] = {}): Problem | null => {
  const seen = new Set<ImportField>();
  for (const [index, field] of Object.entries(given)) {
    if (field === null) continue;
    if (seen.has(field)) return invalidMapping(`columns/${index}`, messages.importMappingInvalid);
    seen.add(field);
  }
  return null;
};

/** Those who go by each name. */
const namesOf = (all: readonly Named[]): ReadonlyMap<string, readonly Named[]> => {
  const byName = new Map<string, Named[]>();
  for (const one of all) {
    const key = textKey(one.name);
    byName.set(key, [...(byName.get(key) ?? []), one]);
  }
  return byName;
};

/** Looks up names; what a placement has already it may keep, also what nobody could choose now. */
const nameReader = (all: readonly Named[]) => {
  const byName = namesOf(all);
  return (cell: TableCell, currentId: string | undefined, unknown: string): ReadCell<string> => {
    const found = byName.get(textKey(String(cell))) ?? [];
    if (currentId !== undefined && found.some(({ id }) => id === currentId)) return { kind: 'value', value: currentId };
    const [first, ...more] = found.filter(({ isOpen }) => isOpen);
    if (more.length > 0) return { kind: 'wrong', detail: messages.nameAmbiguous };
    return first === undefined ? { kind: 'wrong', detail: unknown } : { kind: 'value', value: first.id };
  };
};

type Judged =
  | { readonly kind: 'bad'; readonly errors: readonly ImportRowError[] }
  /** `twin`: a living placement that is equal to it. */
  | { readonly kind: 'add' | 'change'; readonly row: ImportRow; readonly twin?: string | undefined }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'duplicate'; readonly placementId: string };

/** Judges rows one after the other. */
const rowJudge = (
  references: ImportReferences,
  columns: readonly ImportColumn[],
  {
    order,
    firstSerial,
    mapping,
  }: {
    readonly order: 'dmy' | 'mdy' | 'ymd';
    readonly firstSerial: number;
    readonly mapping: ImportMapping & { readonly onUnknownBuyer: 'me' | 'fail' };
  },
) => {
  const { person, placements, removed, contractorByNick, receiver } = references;
  const indexOf = new Map(columns.flatMap(({ field, index }) => (field === null ? [] : [[field, index] as const])));
  const buyerNamed = nameReader(references.people);
  const creativeNamed = nameReader(references.creatives);
  const living = new Map<string, string>();
  for (const [id, { date, contractorId, price, buyerId }] of placements)
    living.set(duplicateKey(date, receiver(contractorId), price, buyerId), id);
  const seen = new Set<string>();

  return ({ number, cells }: TableRow): Judged => {
    const errors: ImportRowError[] = [];
    const cellOf = (field: ImportField): TableCell => cells[indexOf.get(field) ?? -1] ?? '';
    const fail = (field: ImportField | null, detail: string): undefined => {
      const column = field === null ? null : (indexOf.get(field) ?? null);
      errors.push({ row: number, column, field, text: field === null ? '' : shownCell(cellOf(field)), detail });
      return undefined;
    };
    /** `undefined`: the cell is empty, or it is wrong and that was told. */
    const read = <Value>(field: ImportField, reader: (cell: TableCell) => ReadCell<Value>): Value | undefined => {
      const cell = cellOf(field);
      if (isEmpty(cell)) return undefined;
      const found = reader(cell);
      return found.kind === 'value' ? found.value : fail(field, found.detail);
    };

    const id = isEmpty(cellOf('id')) ? undefined : String(cellOf('id')).trim();
    if (id !== undefined && removed.has(id)) {
      fail('id', messages.placementRemoved);
      return { kind: 'bad', errors };
    }
    const current = id === undefined ? undefined : placements.get(id);
    if (id !== undefined && current !== undefined && seen.has(id)) {
      fail('id', messages.placementIdTwice);
      return { kind: 'bad', errors };
    }
    if (id !== undefined && current !== undefined) seen.add(id);

    const nick = read('contractor', readNickCell);
    if (current === undefined && isEmpty(cellOf('contractor'))) fail('contractor', messages.nickRequired);
    const date = read('date', (cell) => {
      const day = readDate(cell, order, firstSerial);
      return day === null ? { kind: 'wrong', detail: messages.dateInvalid } : { kind: 'value', value: day };
    });
    const price = read('price', readPriceCell);
    const leads = read('leads', readLeadsCell);
    const creativeId = read('creative', (cell) =>
      textKey(String(cell)) === textKey(withoutCreativeLabel)
        ? { kind: 'value', value: noCreative }
        : creativeNamed(cell, current?.creativeId, messages.creativeNotFound),
    );
    const category = read('category', (cell) =>
      current !== undefined && textKey(String(cell)) === textKey(showTopic(current.category))
        ? { kind: 'value', value: current.category }
        : readTopicCell(cell),
    );
    if (current === undefined && isEmpty(cellOf('category'))) fail('category', messages.chooseTopic);
    const format = read('format', (cell) =>
      current !== undefined && String(cell).trim() === current.format
        ? { kind: 'value', value: current.format }
        : readFormatCell(cell),
    );
    const paymentStatus = read('paymentStatus', readPaymentCell);
    const status = read('status', readStatusCell);
    const comment = read('comment', readCommentCell);
    const postUrl = read('postUrl', readPostUrlCell);
    const buyerId = ((): string | undefined => {
      const cell = cellOf('buyer');
      if (isEmpty(cell) && current !== undefined) return undefined;
      const found = isEmpty(cell)
        ? ({ kind: 'wrong', detail: messages.chooseBuyer } as const)
        : buyerNamed(cell, current?.buyerId, messages.buyerUnknown);
      if (found.kind === 'value') return found.value;
      if (mapping.onUnknownBuyer === 'me' && found.detail !== messages.nameAmbiguous) return person.userId;
      return fail('buyer', found.detail);
    })();

    const wish = {
      ...(nick !== undefined && { contractor: nick.adminUsername }),
      ...(buyerId !== undefined && { buyerId }),
      ...(category !== undefined && { category }),
      ...(date !== undefined && { date }),
      ...(format !== undefined && { format }),
      ...(price !== undefined && { price }),
      ...(leads !== undefined && { leads }),
      ...(creativeId !== undefined && { creativeId }),
      ...(paymentStatus !== undefined && { paymentStatus }),
      ...(status !== undefined && { status }),
      ...(comment !== undefined && { comment }),
      ...(postUrl !== undefined && { postUrl }),
    };
    const contractorId = nick === undefined ? undefined : contractorByNick(nick.nick);
    const verdict =
      current === undefined
        ? may(person, 'placement.add', { buyerId: buyerId ?? person.userId })
        : may(person, 'placement.change', {
            buyerId: current.buyerId,
            ...(buyerId !== undefined && { newBuyerId: buyerId }),
          });
    if (current !== undefined && errors.length === 0) {
      const changes = changesOf(
        current,
        wish,
        contractorId !== undefined && receiver(current.contractorId) === contractorId,
      );
      if (Object.keys(changes).length === 0) return { kind: 'unchanged' };
      if (verdict.allowed) return { kind: 'change', row: { row: number, placementId: current.id, ...changes } };
    }
    if (!verdict.allowed) fail('buyer', verdict.message);
    if (errors.length > 0) return { kind: 'bad', errors };
    const day = date ?? references.today;
    const twin =
      contractorId === undefined
        ? undefined
        : living.get(duplicateKey(day, contractorId, price ?? kopecks(0), buyerId ?? ''));
    if (twin !== undefined && mapping.onDuplicate !== 'add') return { kind: 'duplicate', placementId: twin };
    return { kind: 'add', row: { row: number, ...wish, date: day }, twin };
  };
};

/** The members that are not as the placement has them. */
const changesOf = (
  current: KnownPlacement,
  { contractor, ...members }: Omit<ImportRow, 'row' | 'placementId'>,
  isSameContractor: boolean,
): Omit<ImportRow, 'row' | 'placementId'> => ({
  ...Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => (current as unknown as Readonly<Record<string, unknown>>)[name] !== value,
    ),
  ),
  ...(contractor !== undefined && !isSameContractor && { contractor }),
});

/** The ids that rows of the table name. */
export const idsIn = (table: Table, columns: readonly ImportColumn[]): readonly string[] => {
  const column = columns.find(({ field }) => field === 'id');
  if (column === undefined) return [];
  const ids = table.rows.map(({ cells }) => String(cells[column.index] ?? '').trim());
  return [...new Set(ids.filter((id) => id !== ''))];
};

/** Judges every row of a table; others have their turn meanwhile. Nothing is written. */
export const planImport = async (
  table: Table,
  mapping: ImportMapping,
  references: ImportReferences,
): Promise<ImportPlan> => {
  const yieldIfDue = createYielder();
  const columns = importColumns(table, mapping.columns);
  const dates = columns.find(({ field }) => field === 'date');
  const guessed = guessDateOrder(dates === undefined ? [] : table.rows.map(({ cells }) => cells[dates.index] ?? ''));
  const dateOrder = mapping.dateOrder ?? guessed;
  const { person, people } = references;
  const buys = people.some(({ id, isOpen }) => id === person.userId && isOpen);
  const { onUnknownBuyer = buys ? 'me' : 'fail' } = mapping;
  const order = dateOrder === 'ambiguous' ? 'dmy' : dateOrder;
  const judge = rowJudge(references, columns, {
    order,
    firstSerial: table.firstSerial,
    mapping: { ...mapping, onUnknownBuyer },
  });
  const rows: ImportRow[] = [];
  const errors: ImportRowError[] = [];
  const duplicates: { readonly row: number; readonly placementId: string }[] = [];
  const newNicks = new Set<string>();
  let [errorCount, failed, skipped] = [0, 0, 0];
  for (const row of table.rows) {
    const judged = judge(row);
    switch (judged.kind) {
      case 'bad':
        failed += 1;
        errorCount += judged.errors.length;
        errors.push(...judged.errors.slice(0, mostImportErrors - errors.length));
        break;
      case 'unchanged':
        skipped += 1;
        break;
      case 'duplicate':
        skipped += 1;
        duplicates.push({ row: row.number, placementId: judged.placementId });
        break;
      case 'add':
      case 'change': {
        rows.push(judged.row);
        if (judged.twin !== undefined) duplicates.push({ row: row.number, placementId: judged.twin });
        const nick = judged.row.contractor === undefined ? null : parseNick(judged.row.contractor);
        if (nick?.kind === 'nick' && references.contractorByNick(nick.nick) === undefined) newNicks.add(nick.nick);
        break;
      }
    }
    await yieldIfDue();
  }
  const willChange = rows.filter(({ placementId }) => placementId !== undefined).length;
  const report: ImportReport = {
    rows: table.rows.length,
    columns: toldColumns(columns, table),
    encoding: table.encoding,
    separator: table.separator,
    dateOrder,
    willAdd: rows.length - willChange,
    willChange,
    willSkip: skipped,
    errors,
    errorCount,
    newContractors: newNicks.size,
    duplicates,
  };
  return { report, rows, failed };
};

/** What is wrong with the mapping for this person; null = nothing. */
export const mappingRefused = (mapping: ImportMapping, { person, people }: ImportReferences): Problem | null => {
  const buys = people.some(({ id, isOpen }) => id === person.userId && isOpen);
  if (mapping.onUnknownBuyer === 'me' && !buys) return invalidMapping('onUnknownBuyer', messages.importerIsNoBuyer);
  return doubledColumn(mapping.columns);
};
