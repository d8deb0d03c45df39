import type { RecordedEvent } from '../recorded-event.ts';

/** What a command has in the log although it was never fulfilled: a race was lost between two of its streams. */
export interface PartialCommand {
  /** Events that stand, in log order. */
  readonly events: readonly RecordedEvent[];
  /** Events of attempts that were abandoned, in log order: to be taken back by compensating events, and never the command's again. */
  readonly abandoned: readonly RecordedEvent[];
  /** Another one after each further attempt at the command. */
  readonly planToken: number;
}

/**
 * Of a store that is not atomic across streams. What a command has written already stands: its streams are decided on as they were just
 * before its own events. A write whose very events stand at its place is made already and not made again, whatever came after them; so
 * the next append holds them too. When they are not wanted any more, the command is abandoned first, then they are taken back.
 */
export interface Unfinished {
  /** The partial writes of the command; null when its key was never used. For one that is fulfilled, what `readCommand` gives. */
  findPartial(commandKey: string): Promise<PartialCommand | null>;
  /** Nothing that stands will be the command's any more. False when somebody has gone on with the command since `planToken`. */
  abandon(commandKey: string, planToken: number): Promise<boolean>;
}
