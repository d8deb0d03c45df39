/** One slice of ours and one of the yardstick, made one right after the other. */
export interface Slice {
  readonly ours: number;
  readonly beside: number;
}

/** One row of a run's outcome. */
export interface Measured {
  /** `P1a`, or `P3 p99` where a figure has several rows; `WP`: the whole path. */
  readonly row: string;
  /** Rate: more is better, and the ratio falls short below its goal. Time: the other way round. */
  readonly kind: 'rate' | 'time';
  readonly unit: string;
  /** The kind of server both were measured on, where there is one. */
  readonly on?: 'server' | 'stand-in';
  readonly slices: readonly Slice[];
}

/** A program of its own measures one figure once; this hands its outcome to the program that started it. */
export const report = (rows: readonly Measured[], notes: Readonly<Record<string, unknown>> = {}): void => {
  process.stdout.write(`${JSON.stringify({ rows, notes })}\n`);
};
