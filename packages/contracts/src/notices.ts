/**
 * What services note for each other in the read store, beside the read models: how the work on them goes.
 */

export const noticeNames = {
  rebuild: 'rebuild',
  rebuildRequest: 'rebuild_request',
  selfCheck: 'self_check',
  compared: 'compared',
  damage: 'damage',
  sealing: 'sealing',
  witness: 'witness',
  lag: 'lag',
} as const;

/** Somebody asked for all read models to be built anew. */
export interface RebuildRequest {
  readonly id: string;
  /** UTC milliseconds. */
  readonly at: number;
}

/** How far a content is that is built beside the one that is read, or was built last. */
export interface RebuildNotice {
  /** The request that it answers; null = another version of the projections needed it. */
  readonly request: string | null;
  readonly version: string;
  /** UTC milliseconds: begun, or gone on with; and when it took the place, null while it is built. */
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** Folded since then. */
  readonly events: number;
  /** Places in the log: where it went on, how far it is, the end. */
  readonly from: number;
  readonly position: number;
  readonly head: number;
}

/** What the comparisons of stored documents with their events have come to. Times are UTC milliseconds. */
export interface SelfCheckNotice {
  readonly at: number;
  readonly licences: number;
  readonly documents: number;
  readonly differences: number;
  readonly healed: number;
  readonly found: readonly {
    readonly at: number;
    readonly licenceId: string;
    readonly documents: readonly { readonly kind: string; readonly id: string; readonly what: string }[];
    readonly healed: number;
  }[];
}

/** Stored documents were compared with every event up to the position: whoever projects next goes on from there. */
export interface ComparedNotice {
  readonly position: number;
}

/** Readers have just met documents of these licences that are damaged: whoever projects looks at them at once. */
export interface DamageNotice {
  /** Another one each time. */
  readonly id: string;
  readonly licences: readonly string[];
}

/** Licences whose log no longer holds what their last seal attests: no further seal is made on it. */
export interface SealingNotice {
  readonly refused: readonly {
    readonly licenceId: string;
    /** Of that seal, and where its last event was. */
    readonly number: number;
    readonly position: number;
    /** Position from which it attests, and when it was found (UTC milliseconds); absent in notes of earlier versions. */
    readonly from?: number;
    readonly at?: number;
  }[];
  /** When the last seal was made, UTC milliseconds; null or absent = none is known. */
  readonly last?: number | null;
}

/** Whether somebody elsewhere is told of the seals, and since when that fails (UTC milliseconds); null = it does not. */
export interface WitnessNotice {
  readonly watching: boolean;
  readonly failingSince: number | null;
}

/** One minute of projecting. Times are UTC milliseconds. */
export interface LagMinute {
  /** Its beginning. */
  readonly at: number;
  /** That the log recorded in it, and that were projected then or later. */
  readonly events: number;
  /**
   * The longest, in milliseconds, that anything projected in it took from its record in the log until the commit of its read models, or that
   * anything not yet committed had waited at its end; 0 = there was nothing to do, null = nobody was at work. What was recorded before the work began is not counted: it waited for that.
   */
  readonly lagMilliseconds: number | null;
}

/** The last hour of projecting. */
export interface LagNotice {
  /** Events are counted from here on, UTC milliseconds. */
  readonly since: number;
  /** Oldest first, the present one last; those of which nothing is known are not among them. */
  readonly minutes: readonly LagMinute[];
}
