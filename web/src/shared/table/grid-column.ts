import type { ReactNode } from 'react';
import type { Parsed } from '../form/parsed.ts';

export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
}

/** How a cell is edited. The value that comes out goes to `onSave` as it is. */
export type CellEditor =
  | {
      readonly kind: 'text';
      readonly initial: string;
      readonly parse: (text: string) => Parsed;
      readonly inputMode?: 'text' | 'decimal' | 'numeric';
      /** Help below the field, e.g. a calendar; `choose` saves the text it gives. */
      readonly popup?: (draft: string, choose: (text: string) => void) => ReactNode;
    }
  | { readonly kind: 'choice'; readonly value: string; readonly options: readonly ChoiceOption[] }
  /** Edited elsewhere: the grid only opens it. */
  | { readonly kind: 'dialog'; readonly open: () => void };

/** What a cell gives to a spreadsheet. */
export type CopiedCell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  /** `YYYY-MM-DD`. */
  | { readonly kind: 'day'; readonly day: string };

export interface GridColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** The header is for those who listen only: the cells say by themselves what they are. */
  readonly quiet?: true;
  /** Width in px where there is room for all; what is left over, or lacks, is shared in proportion. */
  readonly width: number;
  /** In px: never narrower, the table scrolls sideways instead; `width` unless said otherwise. */
  readonly least?: number;
  /** Width in px in a wide window, where what it shows has room and more would only part it from the next; absent = it grows. */
  readonly most?: number;
  /** Its part of what is left over in a wide window; `width` unless said otherwise. */
  readonly grows?: number;
  /** Width in px that the person chose; it takes the place of all the others. */
  readonly chosen?: number;
  readonly align?: 'end';
  /** Stays in sight when the table scrolls sideways; only for the first columns. */
  readonly pinned?: boolean;
  /** Always the last, and as wide as it is. */
  readonly fixed?: true;
  /** Makes the column sortable; texts that a person reads are compared as in a dictionary. */
  readonly sortBy?: (row: Row) => string | number;
  readonly dictionary?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** What the cell shows, as a value: when it changes from outside, the cell flashes. */
  readonly value: (row: Row) => unknown;
  /** The figure that its cells show, and how an earlier value is written beside it after another's change. */
  readonly figure?: { readonly of: (row: Row) => string; readonly was: (value: unknown) => string };
  /** What it gives to a spreadsheet; absent = nothing. */
  readonly copied?: (row: Row) => CopiedCell;
  /** `null` = this row's cell cannot be edited. */
  readonly editor?: (row: Row) => CellEditor | null;
  /** What Enter and Space do on a cell that is a button (payment, delete). */
  readonly act?: (row: Row) => void;
  /** `act` turns something on and off: Space on a selection within the column is told to the owner of the table as one. */
  readonly isSwitch?: true;
  /** What Space does on an editable cell: opens what it names. */
  readonly open?: (row: Row) => void;
}

export interface GridSorting {
  readonly columnId: string;
  readonly order: 'asc' | 'desc';
}

/** Part of the sorted rows; `number` from 1. */
export interface GridPage {
  readonly number: number;
  readonly size: number;
  /** The rows are those of this page, the others are still on their way. */
  readonly isCut?: boolean;
}

/** The cell the person stands in. */
export interface GridPlace {
  readonly rowId: string;
  readonly columnId: string;
  readonly editing: boolean;
}

/** Somebody else in a cell. */
export interface CellColleague {
  readonly columnId: string;
  readonly userId: string;
  readonly name: string;
  readonly mode: 'viewing' | 'editing';
}

/** Who changed a cell, `age` milliseconds ago. */
export interface ChangeAuthor {
  readonly userId: string;
  readonly name: string;
  readonly age: number;
}

/** What is to be said about one cell. `note` is shown below it. */
export interface CellMark {
  readonly kind: 'pending' | 'unsaved' | 'rejected' | 'conflict';
  readonly note: ReactNode;
}

export interface TotalsCell {
  readonly columnId: string;
  /** How many columns it covers. */
  readonly span: number;
  readonly content: ReactNode;
}
