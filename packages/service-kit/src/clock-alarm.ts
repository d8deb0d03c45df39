/** The clock, or the last event of the log, is further ahead than events may be dated. */
export interface ClockAlarm {
  /** UTC milliseconds. */
  readonly since: number;
  /** How far ahead it is, or was when that was found. */
  readonly milliseconds: number;
}
