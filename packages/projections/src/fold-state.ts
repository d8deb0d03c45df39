import { Drafts, type Touch } from './drafts.ts';
import type { AnalyticsDraft } from './totals/analytics-draft.ts';
import type { EarningsDraft, Pair } from './totals/earnings-draft.ts';
import type { WorkingSet } from './working-set.ts';

/** What a fold holds in memory between two commits: all that projections read and write. */
export class FoldState {
  readonly set: WorkingSet;
  /** By campaign. */
  readonly analytics = new Drafts<AnalyticsDraft, Touch>(1_000);
  /** By campaign and person. */
  readonly earnings = new Drafts<EarningsDraft, Pair & Touch>(10_000);

  constructor(set: WorkingSet) {
    this.set = set;
  }

  /** How many documents a commit would hold now, at most. */
  size(): number {
    return this.set.size() + this.analytics.size() + this.earnings.size();
  }

  committed(): void {
    this.set.committed();
    this.analytics.committed();
    this.earnings.committed();
  }

  drop(): void {
    this.set.drop();
    this.analytics.drop();
    this.earnings.drop();
  }
}
