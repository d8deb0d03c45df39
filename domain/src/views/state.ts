/** A view of a campaign's table under a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** What the address of the table says (TABLE-36), without the page; ids are of the licence, so that it fits every campaign. */
  readonly query: string;
  readonly authorId: string;
  /** UTC instants, ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Revision of the stream at which it changed last. */
  readonly revision: number;
}

/** The views of one person or of the team, in the order in which they were saved. */
export interface SavedViews {
  readonly views: readonly SavedView[];
}
