import type { StoredChange } from './view.ts';

/** What changed in a scope, or all of it. */
export interface Read {
  readonly docs: readonly StoredChange[];
  /** Everything up to here is among them; some may be newer. */
  readonly position: number;
  readonly reset: boolean;
  /** True: found by comparing two whole contents, so that it tells of nothing that came and went between them. */
  readonly compared?: true;
  /** True: nobody was shown the earnings in it when it was read, so they have no lines. */
  readonly withoutLines?: true;
}
