export interface Note {
  readonly id: string;
  /** Revision of the contractor's stream at which the note was added. */
  readonly revision: number;
  readonly note: string;
  readonly authorId: string;
  /** The author's name as it was then. */
  readonly authorName: string;
  /** UTC instant, ISO 8601. */
  readonly createdAt: string;
}

export interface Contractor {
  /** Canonical, lower case, without `@`; one per licence. */
  readonly nick: string;
  /** `@` + the nick as first spelled. */
  readonly adminUsername: string;
  readonly channelName: string;
  readonly category: string;
  readonly isActive: boolean;
  /** True while made on the fly by a placement and not edited since. */
  readonly automatic: boolean;
  /** Oldest first. */
  readonly notes: readonly Note[];
}
