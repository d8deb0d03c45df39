import type { Session } from '@zakup/credentials/credentials';
import type { MomentAsked } from '@zakup/projections/past/licence-fold';
import type { FileAnswer } from '../exports/send-file.ts';
import type { LineColumns, LinesReader } from '../live/campaign-lines.ts';
import type { Scope } from '../live/scope.ts';
import type { View } from '../live/view.ts';
import type { ArrivingLoad } from '../live/whole-load.ts';
import type { Viewer } from '../http/person.ts';
import type { Answer } from '../http/answer.ts';
import type { SnapshotCache } from '../time-travel/snapshot-cache.ts';

/** A read that was admitted, as plain data: what its answer is made of in another thread. */
export interface Question {
  /** Place of the route among all; the same in every thread, as each makes them in one order. */
  readonly route: number;
  readonly viewer: Viewer;
  readonly session: Session;
  readonly params: Readonly<Record<string, string>>;
  /** The position that the answer is complete to, or of the moment. */
  readonly position: number;
  /** null = now. */
  readonly at: MomentAsked | null;
}

/** What is there of what the path names. `no_licence`: the licence was not there yet. */
export type Looked = 'found' | 'missing' | 'no_licence';

/**
 * Makes answers beside the thread that serves, from connections of its own to the same stores. Everything rejects with the signal's reason
 * once that is aborted, with what making the answer throws, and with `ReadingThreadUnavailable` when the thread ends meanwhile.
 */
export interface ReadingThread {
  /** Whether the path names something at the moment. */
  look(question: Question, signal: AbortSignal): Promise<Looked>;
  /** `query`: as the route's schema gives it out. */
  answer(question: Question, query: unknown, signal: AbortSignal): Promise<Answer | FileAnswer>;
  /**
   * All of a campaign's or a contractor's scope, as the view is shown it; resolves once its position is known. `takeLines`: for the lines of
   * all placements in it, which have come before the load ends.
   */
  scope(
    licenceId: string,
    scope: Scope,
    view: View,
    signal: AbortSignal,
    takeLines?: (lines: LineColumns) => void,
  ): Promise<ArrivingLoad>;
  readonly lines: LinesReader;
  /** Folds there; the documents can be read only there, by questions. */
  readonly past: Pick<SnapshotCache, 'at' | 'isNear'>;
  /** Starts the thread, so that the first question need not wait for it. */
  begin(): void;
  close(): Promise<void>;
}

/** The thread has ended, or was closed: it is asked again a little later. */
export class ReadingThreadUnavailable extends Error {
  override readonly name = 'ReadingThreadUnavailable';
}

/** A route as a thread knows it that only makes answers. `Context`: what it is asked in. */
export interface RegisteredRoute<Context> {
  readonly find: (context: Context) => Promise<unknown>;
  readonly missing: string;
  readonly answer: (context: Context, found: unknown, query: unknown) => Promise<Answer | FileAnswer>;
}
