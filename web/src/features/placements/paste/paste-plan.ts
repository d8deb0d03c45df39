import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { placementFields } from '@zakup/contracts/placement-fields';
import type { Day } from '@zakup/domain/calendar';
import { messages } from '@zakup/domain/messages';
import { parseNick } from '@zakup/domain/nick';
import { isTopic } from '@zakup/domain/topics';
import { textKey } from '@zakup/domain/text-key';
import { showDate } from '../../../shared/day/shown-day.ts';
import type { PastedBlock } from '../../../shared/table/pasted-block.ts';
import { cleared, notEditable } from '../rows/block-changes.ts';
import { fieldText } from '../rows/placement-commands.ts';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import type { Choices } from '../rows/use-choices.ts';
import {
  type CellReader,
  type CellReading,
  cellReader,
  type NamedField,
  nameKey,
  type Resolved,
  type UnknownName,
} from './cell-readings.ts';
import { type PasteAt, type PastedField, type PasteLayout, pasteLayout } from './paste-layout.ts';

/** Over the rows from the active cell on, the rest below them; or each line as a placement of its own. */
export type PasteMode = 'over' | 'new';

/** Where a block is pasted: all rows of the view in its order, those of later pages included. */
export interface PasteTarget extends PasteAt {
  readonly rows: readonly PlacementRow[];
  /** The first row that stands on a later page than the paste begins on. */
  readonly pageEnd: number;
}

export interface PasteDeps {
  readonly names: Names;
  readonly choices: Choices;
  readonly today: Day;
  /** The person where they buy, else ''. */
  readonly ownBuyerId: string;
  readonly mayAdd: boolean;
  readonly editable: (row: PlacementRow) => boolean;
  /** Whether this person may make a placement of one buyer another's; of a new one both are the same. */
  readonly mayGive: (buyerId: string, newBuyerId: string) => boolean;
}

/** A cell that becomes another. */
export interface ChangedCell {
  readonly row: PlacementRow;
  readonly field: PastedField;
  readonly was: string;
  readonly becomes: string;
}

export interface RowChange {
  readonly row: PlacementRow;
  /** Members of the change, `paymentStatus` among them. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A placement to be made. */
export interface Addition {
  /** Its line in what was pasted, from 1. */
  readonly line: number;
  /** `null` = nobody has this nick yet. */
  readonly contractorId: string | null;
  readonly contractor: string;
  readonly buyerId: string;
  readonly category: string;
  readonly date: Day;
  /** Of what else was said: price, creative, format, payment, comment, link. */
  readonly members: Readonly<Partial<Record<PastedField, unknown>>>;
  /** What a new placement cannot have and gets by a change: 'Приход', status. */
  readonly later: Readonly<Record<string, unknown>>;
}

/** What is left out, and why. */
export interface SkippedCell {
  readonly where: string;
  /** As pasted. */
  readonly text: string;
  readonly reason: string;
}

export interface PastePlan {
  readonly mode: PasteMode;
  /** Cells of what is pasted. */
  readonly cells: number;
  readonly changed: readonly ChangedCell[];
  readonly changes: readonly RowChange[];
  readonly additions: readonly Addition[];
  readonly skipped: readonly SkippedCell[];
  /** Each name once, whether or not something was chosen for it, with how many cells have it. */
  readonly unknown: readonly (UnknownName & { readonly cells: number })[];
  /** Whether it may be asked if lines go over rows or become new ones. */
  readonly hasChoice: boolean;
  /** Whether it is shown before it is done. */
  readonly needsPreview: boolean;
  readonly hasHeading: boolean;
  /** Rows of later pages that it changes. */
  readonly onLaterPages: number;
}

/** As many cells are pasted without a word before. */
export const mostAtOnce = 20;

const memberOf = (field: PastedField): string => (field === 'contractorId' ? 'contractor' : field);

const isSame = (a: unknown, b: unknown): boolean => (a ?? '') === (b ?? '');

/** It may hold what cannot be chosen now, which its own text names all the same. */
const isNamed = (field: PastedField): field is NamedField => ['buyerId', 'creativeId', 'category'].includes(field);

const nickOf = (text: string): string | null => {
  const parsed = parseNick(text);
  return parsed.kind === 'nick' ? parsed.nick : null;
};

/** Reckons what a paste does, row by row. */
class PastePlanner {
  readonly changed: ChangedCell[] = [];
  readonly changes: RowChange[] = [];
  readonly additions: Addition[] = [];
  readonly skipped: SkippedCell[] = [];
  readonly unknown = new Map<string, UnknownName & { cells: number }>();
  readonly #layout: PasteLayout;
  readonly #deps: PasteDeps;
  readonly #reader: CellReader;
  readonly #byNick: ReadonlyMap<string, ContractorWire>;

  constructor(layout: PasteLayout, resolved: Resolved, deps: PasteDeps) {
    this.#layout = layout;
    this.#deps = deps;
    this.#reader = cellReader(deps.choices, resolved, deps.today);
    this.#byNick = new Map(
      [...deps.names.contractors.values()].flatMap((one) =>
        [one.adminUsername, ...(one.otherUsernames ?? [])].flatMap((nick) => {
          const spelled = nickOf(nick);
          return spelled === null ? [] : [[spelled, one] as const];
        }),
      ),
    );
  }

  change(row: PlacementRow, cells: readonly string[]): void {
    const { names, editable } = this.#deps;
    const where = `${row.nick}, ${showDate(row.placement.date)}`;
    const body: Record<string, unknown> = {};
    const mayEdit = editable(row);
    for (const [at, column] of this.#layout.columns.entries()) {
      const text = cells[at];
      if (text === undefined || column.kind === 'none') continue;
      const { field } = column;
      const was = this.#shown(row, field);
      if (isNamed(field) && textKey(text) === textKey(was)) continue;
      const found = this.#reader.read(field, text);
      const reading = mayEdit ? this.#noted(found) : found;
      const value = reading.kind === 'empty' ? cleared[field] : reading.kind === 'value' ? reading.value : undefined;
      if (reading.kind === 'value' || (reading.kind === 'empty' && field in cleared)) {
        if (this.#isSo(row, field, value)) continue;
        const refused = mayEdit ? this.#refusal(row, field, value) : notEditable;
        if (refused !== null) {
          this.#skip(where, field, text, refused);
          continue;
        }
        body[memberOf(field)] = value;
        this.changed.push({
          row,
          field,
          was,
          becomes: field === 'contractorId' ? String(value) : fieldText(field, value, names),
        });
      } else {
        const label = placementFields[field].label;
        const reason = reading.kind === 'empty' ? `поле «${label}» не бывает пустым` : reading.detail;
        this.#skip(where, field, text, mayEdit ? reason : notEditable);
      }
    }
    if (Object.keys(body).length > 0) this.changes.push({ row, body });
  }

  add(cells: readonly string[], line: number): void {
    const where = `Строка ${line}`;
    const said: Partial<Record<PastedField, unknown>> = {};
    let isWhole = true;
    for (const [at, column] of this.#layout.columns.entries()) {
      const text = cells[at] ?? '';
      if (column.kind === 'none') continue;
      const reading = this.#noted(this.#reader.read(column.field, text));
      if (reading.kind === 'value') said[column.field] = reading.value;
      else if (reading.kind !== 'empty') {
        this.#skip(where, column.field, text, reading.detail);
        // Without a creative it is a placement all the same.
        if (column.field !== 'creativeId') isWhole = false;
      }
    }
    if (!isWhole) return;
    const addition = this.#addition(said, line, (field, reason) => this.#skip(where, field, '', reason));
    if (addition !== null) this.additions.push(addition);
  }

  /** Columns that go nowhere, each once. */
  skipColumns(): void {
    for (const [at, column] of this.#layout.columns.entries()) {
      if (column.kind === 'field') continue;
      const texts = this.#layout.rows.map((cells) => cells[at]?.trim() ?? '').filter((text) => text !== '');
      const [text] = texts;
      const title = column.title === null || column.title === '' ? `Столбец ${at + 1}` : `Столбец «${column.title}»`;
      if (text !== undefined) this.skipped.push({ where: title, text, reason: column.reason });
    }
  }

  skipLine(cells: readonly string[], line: number, reason: string): void {
    this.skipped.push({
      where: `Строка ${line}`,
      text: cells.filter((text) => text.trim() !== '').join(' · '),
      reason,
    });
  }

  #addition(
    { contractorId: nick, buyerId, category, date, leads, status, ...members }: Partial<Record<PastedField, unknown>>,
    line: number,
    refuse: (field: PastedField, reason: string) => void,
  ): Addition | null {
    const { ownBuyerId, today, mayGive } = this.#deps;
    if (typeof nick !== 'string') {
      refuse('contractorId', messages.nickRequired);
      return null;
    }
    const contractor = this.#byNick.get(nickOf(nick) ?? '') ?? null;
    const buyer = this.#orChosen(
      'buyerId',
      buyerId ?? (ownBuyerId === '' ? undefined : ownBuyerId),
      messages.chooseBuyer,
    );
    const usual = contractor !== null && isTopic(contractor.category) ? contractor.category : undefined;
    const topic = this.#orChosen('category', category ?? usual, messages.chooseTopic);
    if (buyer === null) refuse('buyerId', messages.chooseBuyer);
    else if (topic === null) refuse('category', messages.chooseTopic);
    else if (!mayGive(buyer, buyer)) refuse('buyerId', messages.onlyOwnPlacements);
    else
      return {
        line,
        contractorId: contractor?.id ?? null,
        contractor: nick,
        buyerId: buyer,
        category: topic,
        date: typeof date === 'string' ? date : today,
        members,
        later: {
          ...(typeof leads === 'number' && leads > 0 && { leads }),
          ...(status !== undefined && status !== 'PENDING' && { status }),
        },
      };
    return null;
  }

  /** What a new row must have, chosen for all that do not say it; `null` = nothing was. */
  #orChosen(field: 'buyerId' | 'category', said: unknown, detail: string): string | null {
    if (typeof said === 'string') return said;
    const reading = this.#noted(this.#reader.named({ field, text: '' }, detail));
    return reading.kind === 'value' ? String(reading.value) : null;
  }

  /** The reading, its name noted where it is unknown or was chosen for. */
  #noted(reading: CellReading): CellReading {
    const name = reading.kind === 'unknown' ? reading.name : reading.kind === 'value' ? reading.chosenFor : undefined;
    if (name === undefined) return reading;
    const key = nameKey(name);
    const known = this.unknown.get(key);
    if (known === undefined) this.unknown.set(key, { ...name, cells: 1 });
    else known.cells += 1;
    return reading;
  }

  #shown(row: PlacementRow, field: PastedField): string {
    return field === 'contractorId' ? row.nick : fieldText(field, row.placement[field], this.#deps.names);
  }

  #isSo(row: PlacementRow, field: PastedField, value: unknown): boolean {
    return field === 'contractorId' ? nickOf(row.nick) === nickOf(String(value)) : isSame(row.placement[field], value);
  }

  #refusal({ placement: { buyerId } }: PlacementRow, field: PastedField, value: unknown): string | null {
    return field !== 'buyerId' || this.#deps.mayGive(buyerId, String(value)) ? null : messages.onlyOwnPlacements;
  }

  #skip(where: string, field: PastedField, text: string, reason: string): void {
    this.skipped.push({ where: `${where}: ${placementFields[field].label}`, text, reason });
  }
}

const isBlankLine = (cells: readonly string[]): boolean => cells.every((text) => text.trim() === '');

/** Whose cell of a line names its contractor; −1 = none does. */
const nickColumn = ({ columns }: PasteLayout): number =>
  columns.findIndex((column) => column.kind === 'field' && column.field === 'contractorId');

/** Lines that each name somebody else than the row they would go over are placements of their own. */
const bringsNewRows = (layout: PasteLayout, { rows, top }: PasteTarget): boolean => {
  const at = nickColumn(layout);
  return layout.rows.every((cells, line) => {
    if (isBlankLine(cells)) return true;
    const nick = nickOf(cells[at] ?? '');
    const row = rows[top + line];
    return nick !== null && (row === undefined || nickOf(row.nick) !== nick);
  });
};

/** Lines that set the nick of a row to another. */
const renamesRows = (layout: PasteLayout, { rows, top }: PasteTarget): boolean => {
  const at = nickColumn(layout);
  return layout.rows.some((cells, line) => {
    const row = rows[top + line];
    const nick = nickOf(cells[at] ?? '');
    return row !== undefined && nick !== null && nickOf(row.nick) !== nick;
  });
};

/**
 * What a paste would do, cell by cell. `mode`: as the person chose it; `null` = lines that each name somebody else than the row they would go over become
 * new placements, anything else goes over the rows from the active cell on, and below the last of them becomes new ones.
 */
export const planPaste = (
  block: Extract<PastedBlock, { readonly kind: 'block' }>,
  target: PasteTarget,
  { mode: chosen = null, resolved = new Map() }: { readonly mode?: PasteMode | null; readonly resolved?: Resolved },
  deps: PasteDeps,
): PastePlan => {
  const layout = pasteLayout(block, target, deps.today);
  const isRecord =
    deps.mayAdd && nickColumn(layout) >= 0 && layout.columns.filter(({ kind }) => kind === 'field').length > 1;
  const hasChoice = isRecord && target.top < target.rows.length && renamesRows(layout, target);
  const mode = chosen ?? (hasChoice && bringsNewRows(layout, target) ? 'new' : 'over');
  const planner = new PastePlanner(layout, resolved, deps);
  const rowsBelow = mode === 'new' ? [] : target.rows.slice(target.top);
  let onLaterPages = 0;
  for (const [at, cells] of layout.rows.entries()) {
    if (isBlankLine(cells)) continue;
    const row = rowsBelow[at];
    if (row !== undefined) {
      planner.change(row, cells);
      if (target.top + at >= target.pageEnd) onLaterPages += 1;
    } else if (deps.mayAdd && nickColumn(layout) >= 0) planner.add(cells, at + 1);
    else
      planner.skipLine(
        cells,
        at + 1,
        deps.mayAdd ? `ниже таблицы: ${messages.nickRequired.toLowerCase()}` : 'ниже таблицы',
      );
  }
  planner.skipColumns();
  const { changed, changes, additions, skipped } = planner;
  const unknown = [...planner.unknown.values()];
  const cells = layout.rows.reduce((sum, one) => sum + (isBlankLine(one) ? 0 : one.length), 0);
  return {
    mode,
    cells,
    changed,
    changes,
    additions,
    skipped,
    unknown,
    hasChoice,
    hasHeading: layout.hasHeading,
    onLaterPages,
    needsPreview:
      cells > mostAtOnce ||
      hasChoice ||
      layout.hasHeading ||
      layout.isGuessed ||
      onLaterPages > 0 ||
      additions.length > 0 ||
      unknown.length > 0,
  };
};
