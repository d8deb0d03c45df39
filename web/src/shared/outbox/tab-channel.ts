import type { UntargetedEntry } from './entry.ts';

export type TabMessage =
  | { readonly type: 'put'; readonly entry: UntargetedEntry }
  | { readonly type: 'removed'; readonly id: string }
  /** To the tab that sends: do not wait for the next attempt. */
  | { readonly type: 'flush' };

/** Talk between the tabs of one box. */
export interface TabChannel {
  readonly post: (message: TabMessage) => void;
  /** Returns the end of listening. */
  readonly listen: (listener: (message: TabMessage) => void) => () => void;
}
