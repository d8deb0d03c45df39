import type { HistoryFacts } from '@zakup/contracts/history';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import type { DocumentKind, EntityKind } from './documents.ts';
import type { FoldState } from './fold-state.ts';
import type { RowChange } from './rows/row-projection.ts';

/** An event of a stream that has no row. */
export interface Fact {
  readonly category: string;
  /** Of the stream. */
  readonly id: string;
  readonly event: RecordedEvent;
  /** What the event says; null = this version cannot read it. */
  readonly facts: HistoryFacts | null;
}

/** What is made of events, beside their rows. It keeps nothing itself: everything is in the state that it is given. */
export interface Projection {
  readonly name: string;
  /** The version of the read models since which the same events give the documents that they give now. */
  readonly version: number;
  /** The kinds of documents that it writes. */
  readonly writes: readonly DocumentKind[];
  /** Rows, and what projections before it in the list write, are as they are after the change. Undefined = nothing is to be done. */
  readonly apply: (change: RowChange, state: FoldState) => Promise<void> | undefined;
  /** Takes the facts of streams of these categories too. */
  readonly facts?: {
    readonly of: readonly string[];
    readonly apply: (fact: Fact, state: FoldState) => Promise<void> | undefined;
  };
  /** Writes what it has drafted since the last time into the working set. */
  readonly settle?: (state: FoldState) => Promise<void>;
  /** Before rows of these kinds change, it settles: what it drafted until then is by what they were. */
  readonly settleBefore?: readonly EntityKind[];
}
