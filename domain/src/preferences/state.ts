export interface Preferences {
  /** Position of the log; 0 = nothing is read. */
  readonly readUpTo: number;
}
