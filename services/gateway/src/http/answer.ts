import type { Taken } from '../exports/send-file.ts';

/** What a read answers in JSON. */
export interface Answer {
  readonly data: object;
  /** Members repeated beside `data`. */
  readonly top?: object;
  /** Up to where everything is in it, where that is further than the context says. */
  readonly position?: number;
  /** For the audit (AUTH-90): what of it is shown on request alone. */
  readonly taken?: Taken | undefined;
}
