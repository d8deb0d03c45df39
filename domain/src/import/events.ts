import type { DomainEvent } from '../decider.ts';
import type { UndoChoice } from '../undo.ts';
import type { ImportRow } from './import-row.ts';

/** What the import found in its file, as JSON; its shape is `ImportReport` of the contracts. */
export type StoredReport = { readonly [member: string]: Json };
type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** What is wrong with a row, as the report tells it. */
export type RowError = {
  readonly row: number;
  readonly column: number | null;
  readonly field: string | null;
  readonly text: string;
  readonly detail: string;
};

/**
 * An import of placements, written part by part. Stream `import-<licenceId>~<importId>`: begun, the parts of its rows behind each other, then
 * what became of them.
 */
export type ImportEvent =
  | DomainEvent<
      'ImportStarted',
      {
        readonly campaignId: string;
        /** Of the file. */
        readonly name: string;
        readonly report: StoredReport;
        /** Rows of the file; those that were left out, and those that were bad, before anything was written. */
        readonly total: number;
        readonly skipped: number;
        readonly failed: number;
        /** How many parts of rows there are. */
        readonly parts: number;
        /** The import before it in the campaign. */
        readonly replaces?: string;
      }
    >
  | DomainEvent<'ImportRowsStaged', { readonly rows: readonly ImportRow[] }>
  | DomainEvent<
      'ImportRowsWritten',
      {
        /** Which part, from 0. */
        readonly part: number;
        readonly added: number;
        readonly changed: number;
        readonly skipped: number;
        readonly failed: number;
        readonly errors: readonly RowError[];
      }
    >
  | DomainEvent<'ImportFinished', Readonly<Record<string, never>>>
  /** Nothing more of it may be written; the rows that are left are bad for this reason. */
  | DomainEvent<'ImportFailed', { readonly code: string; readonly failed: number }>
  | DomainEvent<'ImportCancelled', Readonly<Record<string, never>>>
  /** What it wrote, or what an undo of it took back, is to go back part by part, the last part first. */
  | DomainEvent<
      'ImportUndoStarted',
      {
        /** Of the undo. */
        readonly commandId: string;
        /** The command that is undone: the import's, or of an undo of it. */
        readonly undoes: { readonly commandId: string; readonly actorId: string };
        /** What an undo took back comes again. */
        readonly restores: boolean;
        /** How many parts go back, and placements in them. */
        readonly parts: number;
        readonly placements: number;
        readonly reason?: string;
        /** What becomes of placements that somebody changed since the undone command; absent = there was none. */
        readonly onConflict?: UndoChoice;
      }
    >
  | DomainEvent<
      'ImportPartUndone',
      {
        /** Which part of the undo, from 0. */
        readonly part: number;
        /** Placements that are as they were; those that stay, as somebody changed them since or they may not be changed. */
        readonly back: number;
        readonly kept: number;
      }
    >
  /** Nothing more of it may go back. */
  | DomainEvent<'ImportUndoFailed', { readonly code: string }>;

/**
 * Which import of a campaign began last: there is one at a time. `undoing`: imports whose undo has begun and may still be running; none
 * begins meanwhile. Stream `importlane-<licenceId>~<campaignId>`.
 */
export type ImportLaneEvent = DomainEvent<
  'ImportLaneTaken',
  { readonly importId: string; readonly undoing?: readonly string[] }
>;
