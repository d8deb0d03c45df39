import type { AlreadyWritten } from './session-state.ts';

/** What is known of a command's partial writes, for its next decision. */
export interface PartialState {
  readonly alreadyWritten: ReadonlyMap<string, AlreadyWritten>;
  /** For the append; absent = nothing is known. */
  readonly planToken?: number;
}

/** What a command has in the log without having been fulfilled, on a store that is not atomic across streams. */
export interface PartialWrites {
  /** Before anybody has looked. */
  readonly unknown: PartialState;
  /** Reads them; what somebody has abandoned is taken back first. */
  find(): Promise<PartialState>;
  /** Whether nobody has gone on with the command since they were last found. */
  isUnchanged(): Promise<boolean>;
  /**
   * Abandons what was last found and takes it back by compensating events. False when somebody has gone on with the command
   * since: they must be found again.
   */
  takeBack(): Promise<boolean>;
}
