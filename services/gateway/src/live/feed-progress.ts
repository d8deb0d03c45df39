import { limits } from '../http/limits/limits.ts';

/** How far a feed is: its deliveries move it, what is loaded and who is caught up is judged by it. */
export interface FeedProgress {
  /** Everything up to here was broadcast. */
  position: number;
  /** Where something was last broadcast. */
  changedAt: number;
  /** Raised whenever what was sent before may no longer be exact. */
  epoch: number;
}

/** Whether what comes after `since` may be as much as everything: it is where nothing has come so far yet. */
export const isWhole = (since: number | undefined, position: number): boolean =>
  since === undefined || since > position || position - since > limits.farBehind;
