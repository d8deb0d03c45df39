import type { DomainEvent } from '../decider.ts';
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
  | DomainEvent<'ImportCancelled', Readonly<Record<string, never>>>;

/** Which import of a campaign began last: there is one at a time. Stream `importlane-<licenceId>~<campaignId>`. */
export type ImportLaneEvent = DomainEvent<'ImportLaneTaken', { readonly importId: string }>;
