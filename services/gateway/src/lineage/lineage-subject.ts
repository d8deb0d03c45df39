import type { HistoryEntry, HistoryView } from '@zakup/contracts/history';
import type { LicenceRow } from '@zakup/contracts/read-models';
import type { ExplainedFigure } from '@zakup/domain/analytics/figures';
import type { Kopecks } from '@zakup/domain/money';
import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import type { Aliases } from '../read-models/aliases.ts';
import type { GoneLine } from './figure-history.ts';
import type { FoundLines } from './lineage-lines.ts';
import type { FigureFilter } from './figure-filter.ts';

export interface LineageSubject {
  readonly licence: LicenceRow;
  readonly campaignIds: readonly string[];
  /** Of all campaigns, so that it may have been in others. */
  readonly everywhere: boolean;
  readonly totalBudget: Kopecks;
  /** The participant whose budget that is; null = it is the campaign's. */
  readonly participantId: string | null;
  readonly narrowed: readonly FigureFilter[];
  /** The only placement that is asked about; null = all of them. */
  readonly only: string | null;
  readonly to: number;
  /** Entries of the history that are looked through at most; absent = as many as an answer on a screen may wait for. */
  readonly most?: number;
  readonly view: HistoryView;
}

export interface LineageSources {
  /** Of the moment that is asked for. */
  readonly documents: DocumentReader;
  readonly readStore: Pick<ReadStore, 'scanIndex'>;
  readonly aliases: Aliases;
}

/** Where a figure comes from, before it is shown. */
export interface Lineage {
  readonly figure: string;
  readonly explained: ExplainedFigure;
  readonly found: FoundLines;
  /** What is not there any more, or counts elsewhere. */
  readonly gone: readonly GoneLine[];
  readonly moved: readonly HistoryEntry[];
  readonly historyComplete: boolean;
}
