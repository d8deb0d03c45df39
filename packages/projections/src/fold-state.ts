import { Drafts, type Touch } from './drafts.ts';
import type { AnalyticsDraft } from './totals/analytics-draft.ts';
import type { ContractorDraft, Use, UseDraft } from './totals/contractor-draft.ts';
import type { EarningsDraft, Pair } from './totals/earnings-draft.ts';
import type { WorkingSet } from './working-set.ts';

/** What a fold holds in memory between two commits: all that projections read and write. */
export class FoldState {
  readonly set: WorkingSet;
  /** By campaign. */
  readonly analytics = new Drafts<AnalyticsDraft, Touch>(1_000);
  /** By campaign and person. */
  readonly earnings = new Drafts<EarningsDraft, Pair & Touch>(10_000);
  readonly contractors = new Drafts<ContractorDraft, Touch>(10_000);
  /** By contractor and campaign. */
  readonly uses = new Drafts<UseDraft, Use & Touch>(10_000);

  readonly #drafts = [this.analytics, this.earnings, this.contractors, this.uses] as const;

  constructor(set: WorkingSet) {
    this.set = set;
  }

  /** How many documents a commit would hold now, at most. */
  size(): number {
    return this.#drafts.reduce((size, drafts) => size + drafts.size(), this.set.size());
  }

  committed(): void {
    this.set.committed();
    for (const drafts of this.#drafts) drafts.committed();
  }

  drop(): void {
    this.set.drop();
    for (const drafts of this.#drafts) drafts.drop();
  }
}
