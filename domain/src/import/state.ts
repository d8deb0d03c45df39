import type { StoredReport } from './events.ts';

export type ImportStatus = 'running' | 'done' | 'cancelled' | 'failed';

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
}

export interface ImportLane {
  /** Of the import that began last. */
  readonly importId: string;
}
