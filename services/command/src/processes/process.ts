import type { RowKind } from '@zakup/contracts/read-models';
import type { RecordedEvent } from '@zakup/event-store/event-store';

/** What comes next for one subject. */
export interface Step {
  /** UTC milliseconds. */
  readonly at: number;
  /**
   * Issues an ordinary command whose id follows from the subject and the due date, so that it is never done twice, by whomever. Decides
   * on the stream: what is no longer due appends nothing. Throws when a store is away.
   */
  readonly run: (now: number) => Promise<void>;
}

/** Something that happens by itself, at an instant that the log tells. */
export interface Process {
  readonly name: string;
  /** The kind of read-model documents whose ids are its subjects. */
  readonly kind: RowKind;
  /** Those of them that something may come of: any of these; absent = all. */
  readonly where?: readonly Readonly<Record<string, string>>[];
  /** The subject for which an event may have changed what comes next; null = none. */
  readonly subjectOf: (event: RecordedEvent) => string | null;
  /** What comes next as the subject's stream tells now; null = nothing. Throws when it cannot be read. */
  readonly next: (subject: string) => Promise<Step | null>;
  /** Called when another copy may go on with all of them. */
  readonly released?: () => void;
}
