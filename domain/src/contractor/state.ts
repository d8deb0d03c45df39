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

/** On which list of the licence a contractor stands, and why. */
export type ContractorVerdict = {
  readonly list: 'white' | 'black';
  /** 1 to 200 characters. */
  readonly reason: string;
};

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
  /** Absent = on no list. */
  readonly verdict?: ContractorVerdict;
  /** Who it became a part of by a merge; absent = itself. */
  readonly mergedInto?: string;
  /** Who was merged into it, in order; absent = nobody. */
  readonly received?: readonly Received[];
}

/** A contractor that was merged into another, as it came. */
export interface Received {
  readonly contractorId: string;
  /** Canonical nicks that it held: its own, and those it had received. */
  readonly nicks: readonly string[];
}
