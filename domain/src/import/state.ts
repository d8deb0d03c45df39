import type { UndoChoice } from '../undo.ts';
import type { StoredReport } from './events.ts';

export type ImportStatus = 'running' | 'done' | 'cancelled' | 'failed';

/** How far the latest undo of an import has come. */
export interface ImportUndo {
  readonly commandId: string;
  readonly undoes: { readonly commandId: string; readonly actorId: string };
  /** Who undoes. */
  readonly by: string;
  readonly reason: string | null;
  /** Absent = nothing was in conflict when it began. */
  readonly onConflict?: UndoChoice;
  /** What an earlier undo took back comes again. */
  readonly restores: boolean;
  readonly status: 'running' | 'done' | 'failed';
  /** Why the rest was not undone; null = it was. */
  readonly code: string | null;
  readonly parts: number;
  /** How many parts were undone. */
  readonly undone: number;
  readonly placements: number;
  readonly back: number;
  readonly kept: number;
}

export interface Import {
  readonly campaignId: string;
  /** Who imports. */
  readonly by: string;
  readonly name: string;
  readonly status: ImportStatus;
  /** Why the rest was not written; null = it was. */
  readonly code: string | null;
  readonly total: number;
  readonly added: number;
  readonly changed: number;
  readonly skipped: number;
  readonly failed: number;
  readonly report: StoredReport;
  readonly parts: number;
  /** How many parts were written. */
  readonly written: number;
  /** null = it was never undone. */
  readonly undo: ImportUndo | null;
}

export interface ImportLane {
  /** Of the import that began last. */
  readonly importId: string;
  /** Imports of which an undo began after it. */
  readonly undoing: readonly string[];
}
