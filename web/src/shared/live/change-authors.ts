import type { Change, ChangedBy, PatchedChange } from '@zakup/contracts/socket';
import type { Replica } from '../replica/replica.ts';

/** Who changed a value, `age` milliseconds ago. */
export interface ValueAuthor extends ChangedBy {
  readonly age: number;
}

interface Note {
  readonly by: ChangedBy;
  /** The document as it was. */
  readonly before: object;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Milliseconds for which it is kept who changed a row: what is told of a change is told at once. */
export const authorKept = 3000;

/** What one person changed of a row within so many milliseconds may be drawn at once, and is one change. */
const oneChange = 50;

/** Whose hands changed placements a moment ago, by what came with the changes. */
export const changeAuthors = ({ replica, now }: { readonly replica: Replica; readonly now: () => number }) => {
  /** By placement, the oldest first. */
  const notes = new Map<string, Note>();

  return {
    /** Takes changes that are about to be given to the replica. */
    hear(docs: readonly (Change | PatchedChange)[]): void {
      const at = now();
      for (const [id, note] of notes) {
        if (at - note.at <= authorKept) break;
        notes.delete(id);
      }
      for (const { kind, id, position, by } of docs) {
        // The same change comes in each scope that holds the row: only the first one changes it here.
        if (kind !== 'placement' || position <= replica.seen('placement', id)) continue;
        const earlier = notes.get(id);
        notes.delete(id);
        const isOne = earlier?.by.userId === by?.userId && at - (earlier?.at ?? 0) <= oneChange;
        const before = (isOne && earlier?.before) || replica.get('placement', id);
        if (by !== undefined && before !== null) notes.set(id, { by, before, at });
      }
    },

    /** Who made of a placement's member what it is now; null where that was not just now, or is not known. */
    of(placementId: string, member: string): ValueAuthor | null {
      const note = notes.get(placementId);
      const doc = replica.get('placement', placementId);
      if (note === undefined || doc === null) return null;
      const age = Math.max(0, now() - note.at);
      const valueIn = (from: object): unknown => (from as Readonly<Record<string, unknown>>)[member];
      if (age > authorKept || valueIn(note.before) === valueIn(doc)) return null;
      return { ...note.by, age };
    },
  };
};
