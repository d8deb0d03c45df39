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
  readCommentText,
  readFormatText,
  readNickText,
  readPaymentText,
  readPostUrlText,
  readStatusText,
  readTopicText,
} from '@zakup/domain/placement/cell-input';
import { readLeadsCell, readPriceCell } from './cells.ts';
import { type ImportColumn, importColumns } from './columns.ts';
import { guessDateOrder, readDate } from './dates.ts';
import type { Table, TableCell, TableRow } from './file/table.ts';
import { duplicateKey, type ImportReferences, type KnownPlacement, type Named } from './import-references.ts';
import { textKey } from '@zakup/domain/text-key';

/** What an import would do: its report, and the rows that it would write. */
export interface ImportPlan {
  readonly report: ImportReport;
  readonly rows: readonly ImportRow[];
  /** Bad rows. */
  readonly failed: number;
  /** Known contractors whom rows name that it would write, in the order of the file. */
  readonly known: readonly KnownContractor[];
}

export interface KnownContractor {
  readonly contractorId: string;
  /** So many rows name them, by who buys. */
  readonly rowsByBuyer: ReadonlyMap<string, number>;
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

const asText =
  <Value>(read: (text: string) => ReadCell<Value>) =>
  (cell: TableCell): ReadCell<Value> =>
    read(String(cell));

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

/** Cells of one row, and what is wrong with them. */
class RowCells {
  readonly errors: ImportRowError[] = [];
  readonly #row: TableRow;
  readonly #indexOf: ReadonlyMap<ImportField, number>;

  constructor(row: TableRow, indexOf: ReadonlyMap<ImportField, number>) {
    this.#row = row;
    this.#indexOf = indexOf;
  }

  cell(field: ImportField): TableCell {
    return this.#row.cells[this.#indexOf.get(field) ?? -1] ?? '';
  }

  isEmpty(field: ImportField): boolean {
    return isEmpty(this.cell(field));
  }

  fail(field: ImportField, detail: string): undefined {
    const column = this.#indexOf.get(field) ?? null;
    this.errors.push({ row: this.#row.number, column, field, text: shownCell(this.cell(field)), detail });
    return undefined;
  }

  /** `undefined`: the cell is empty, or it is wrong and that was told. */
  read<Value>(field: ImportField, reader: (cell: TableCell) => ReadCell<Value>): Value | undefined {
    const cell = this.cell(field);
    if (isEmpty(cell)) return undefined;
    const found = reader(cell);
    return found.kind === 'value' ? found.value : this.fail(field, found.detail);
  }

  bad(): Judged {
    return { kind: 'bad', errors: this.errors };
  }
}

type Members = Omit<ImportRow, 'row' | 'placementId'>;

/** What a row says of its placement. */
interface RowMembers {
  readonly members: Members;
  /** Of the contractor that it names; undefined = it names none, or one that is not there yet. */
  readonly contractorId: string | undefined;
}

interface RowSettings {
  readonly order: 'dmy' | 'mdy' | 'ymd';
  readonly firstSerial: number;
  readonly mapping: ImportMapping & { readonly onUnknownBuyer: 'me' | 'fail' };
}

/** Judges rows one after the other. */
class RowJudge {
  readonly #references: ImportReferences;
  readonly #settings: RowSettings;
  readonly #indexOf: ReadonlyMap<ImportField, number>;
  readonly #buyerNamed: ReturnType<typeof nameReader>;
  readonly #creativeNamed: ReturnType<typeof nameReader>;
  /** Ids of living placements by what makes two of them equal. */
  readonly #living = new Map<string, string>();
  /** Ids of placements that earlier rows named. */
  readonly #seen = new Set<string>();

  constructor(references: ImportReferences, columns: readonly ImportColumn[], settings: RowSettings) {
    this.#references = references;
    this.#settings = settings;
    this.#indexOf = new Map(columns.flatMap(({ field, index }) => (field === null ? [] : [[field, index] as const])));
    this.#buyerNamed = nameReader(references.people);
    this.#creativeNamed = nameReader(references.creatives);
    const { placements, receiver } = references;
    for (const [id, { date, contractorId, price, buyerId }] of placements)
      this.#living.set(duplicateKey(date, receiver(contractorId), price, buyerId), id);
  }

  judge(row: TableRow): Judged {
    const cells = new RowCells(row, this.#indexOf);
    const found = this.#placementOf(cells);
    if (found.kind === 'bad') return cells.bad();
    const { current } = found;
    const said = this.#membersOf(cells, current);
    const verdict = this.#verdictOn(said.members, current);
    if (current !== undefined && cells.errors.length === 0) {
      const changes = this.#changesOf(said, current);
      if (Object.keys(changes).length === 0) return { kind: 'unchanged' };
      if (verdict.allowed) return { kind: 'change', row: { row: row.number, placementId: current.id, ...changes } };
    }
    if (!verdict.allowed) cells.fail('buyer', verdict.message);
    return cells.errors.length > 0 ? cells.bad() : this.#addition(row, said);
  }

  /** The placement that the row names by its id; `undefined` = none that there is. */
  #placementOf(
    cells: RowCells,
  ): { readonly kind: 'bad' } | { readonly kind: 'found'; readonly current: KnownPlacement | undefined } {
    if (cells.isEmpty('id')) return { kind: 'found', current: undefined };
    const id = String(cells.cell('id')).trim();
    if (this.#references.removed.has(id)) {
      cells.fail('id', messages.placementRemoved);
      return { kind: 'bad' };
    }
    const current = this.#references.placements.get(id);
    if (current !== undefined && this.#seen.has(id)) {
      cells.fail('id', messages.placementIdTwice);
      return { kind: 'bad' };
    }
    if (current !== undefined) this.#seen.add(id);
    return { kind: 'found', current };
  }

  #membersOf(cells: RowCells, current: KnownPlacement | undefined): RowMembers {
    const { order, firstSerial } = this.#settings;
    const nick = cells.read('contractor', asText(readNickText));
    if (current === undefined && cells.isEmpty('contractor')) cells.fail('contractor', messages.nickRequired);
    const date = cells.read('date', (cell) => {
      const day = readDate(cell, order, firstSerial);
      return day === null ? { kind: 'wrong', detail: messages.dateInvalid } : { kind: 'value', value: day };
    });
    const price = cells.read('price', readPriceCell);
    const leads = cells.read('leads', readLeadsCell);
    const creativeId = cells.read('creative', (cell) =>
      textKey(String(cell)) === textKey(withoutCreativeLabel)
        ? { kind: 'value', value: noCreative }
        : this.#creativeNamed(cell, current?.creativeId, messages.creativeNotFound),
    );
    const category = cells.read('category', (cell) =>
      current !== undefined && textKey(String(cell)) === textKey(showTopic(current.category))
        ? { kind: 'value', value: current.category }
        : readTopicText(String(cell)),
    );
    if (current === undefined && cells.isEmpty('category')) cells.fail('category', messages.chooseTopic);
    const format = cells.read('format', (cell) =>
      current !== undefined && String(cell).trim() === current.format
        ? { kind: 'value', value: current.format }
        : readFormatText(String(cell)),
    );
    const paymentStatus = cells.read('paymentStatus', asText(readPaymentText));
    const status = cells.read('status', asText(readStatusText));
    const comment = cells.read('comment', asText(readCommentText));
    const postUrl = cells.read('postUrl', asText(readPostUrlText));
    const buyerId = this.#buyerOf(cells, current);

    const members = {
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
    return { members, contractorId: nick && this.#references.contractorByNick(nick.nick) };
  }

  #buyerOf(cells: RowCells, current: KnownPlacement | undefined): string | undefined {
    const isUnnamed = cells.isEmpty('buyer');
    if (isUnnamed && current !== undefined) return undefined;
    const found = isUnnamed
      ? ({ kind: 'wrong', detail: messages.chooseBuyer } as const)
      : this.#buyerNamed(cells.cell('buyer'), current?.buyerId, messages.buyerUnknown);
    if (found.kind === 'value') return found.value;
    const isMine = this.#settings.mapping.onUnknownBuyer === 'me' && found.detail !== messages.nameAmbiguous;
    return isMine ? this.#references.person.userId : cells.fail('buyer', found.detail);
  }

  #verdictOn({ buyerId }: Members, current: KnownPlacement | undefined): ReturnType<typeof may> {
    const { person } = this.#references;
    return current === undefined
      ? may(person, 'placement.add', { buyerId: buyerId ?? person.userId })
      : may(person, 'placement.change', {
          buyerId: current.buyerId,
          ...(buyerId !== undefined && { newBuyerId: buyerId }),
        });
  }

  #changesOf({ members, contractorId }: RowMembers, current: KnownPlacement): Members {
    const isSameContractor =
      contractorId !== undefined && this.#references.receiver(current.contractorId) === contractorId;
    return changesOf(current, members, isSameContractor);
  }

  #addition({ number }: TableRow, { members, contractorId }: RowMembers): Judged {
    const { date: day = this.#references.today, price = kopecks(0), buyerId = '' } = members;
    const twin =
      contractorId === undefined ? undefined : this.#living.get(duplicateKey(day, contractorId, price, buyerId));
    if (twin !== undefined && this.#settings.mapping.onDuplicate !== 'add')
      return { kind: 'duplicate', placementId: twin };
    return { kind: 'add', row: { row: number, ...members, date: day }, twin };
  }
}

/** The members that are not as the placement has them. */
const changesOf = (
  current: KnownPlacement,
  { contractor, ...members }: Members,
  isSameContractor: boolean,
): Members => ({
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

const countRow = (known: Map<string, Map<string, number>>, contractorId: string, buyerId: string): void => {
  const byBuyer = known.get(contractorId) ?? new Map<string, number>();
  byBuyer.set(buyerId, (byBuyer.get(buyerId) ?? 0) + 1);
  known.set(contractorId, byBuyer);
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
  const judge = new RowJudge(references, columns, {
    order,
    firstSerial: table.firstSerial,
    mapping: { ...mapping, onUnknownBuyer },
  });
  const rows: ImportRow[] = [];
  const errors: ImportRowError[] = [];
  const duplicates: { readonly row: number; readonly placementId: string }[] = [];
  const newNicks = new Set<string>();
  const known = new Map<string, Map<string, number>>();
  let [errorCount, failed, skipped] = [0, 0, 0];
  for (const row of table.rows) {
    const judged = judge.judge(row);
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
        const { contractor, buyerId, placementId = '' } = judged.row;
        const nick = contractor === undefined ? null : parseNick(contractor);
        if (nick?.kind !== 'nick') break;
        const contractorId = references.contractorByNick(nick.nick);
        if (contractorId === undefined) newNicks.add(nick.nick);
        else countRow(known, contractorId, buyerId ?? references.placements.get(placementId)?.buyerId ?? '');
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
  return {
    report,
    rows,
    failed,
    known: [...known].map(([contractorId, rowsByBuyer]) => ({ contractorId, rowsByBuyer })),
  };
};

/** What is wrong with the mapping for this person; null = nothing. */
export const mappingRefused = (mapping: ImportMapping, { person, people }: ImportReferences): Problem | null => {
  const buys = people.some(({ id, isOpen }) => id === person.userId && isOpen);
  if (mapping.onUnknownBuyer === 'me' && !buys) return invalidMapping('onUnknownBuyer', messages.importerIsNoBuyer);
  return doubledColumn(mapping.columns);
};
