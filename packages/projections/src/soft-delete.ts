import type { Position } from '@zakup/event-store/event-store';
import type { DocumentData, DocumentKey, HideableKind } from './documents.ts';
import { type ReadKnown, readingKnown } from './known-documents.ts';
import type { WorkingSet } from './working-set.ts';

/** The private document that keeps the data of one that readers must not see now but that may come back. */
const hiddenKey = <Kind extends HideableKind>({ kind, id, licenceId }: DocumentKey<Kind>) => ({
  kind: `removed_${kind}` as const,
  id,
  licenceId,
});

export interface SoftDeletable<Kind extends HideableKind> {
  readonly data: DocumentData[Kind];
  readonly hidden: boolean;
}

/** The event that the document begins with is about to be folded. */
export const beginSoftDeletable = (set: WorkingSet, key: DocumentKey<HideableKind>): void => {
  set.begin(key);
  set.begin(hiddenKey(key));
};

/** A document that readers see, or else the kept data of a hidden one. */
export const knownSoftDeletable = <Kind extends HideableKind>(
  read: ReadKnown,
  key: DocumentKey<Kind>,
): SoftDeletable<Kind> | null => {
  const shown = read(key);
  if (shown !== null) return { data: shown, hidden: false };
  const kept = read(hiddenKey(key));
  return kept === null ? null : { data: kept as unknown as DocumentData[Kind], hidden: true };
};

/** The same, also where it has to be looked for. */
export const getSoftDeletable = <Kind extends HideableKind>(
  set: WorkingSet,
  key: DocumentKey<Kind>,
): SoftDeletable<Kind> | null | Promise<SoftDeletable<Kind> | null> =>
  readingKnown(set, (read) => knownSoftDeletable(read, key));

export interface SoftDeletableChange<Kind extends HideableKind> extends SoftDeletable<Kind> {
  readonly position: Position;
  readonly scopes: readonly string[];
  /** Whether it was hidden before; null = it is new. */
  readonly wasHidden: boolean | null;
}

const moveSoftDeletable = async <Kind extends HideableKind>(
  set: WorkingSet,
  key: DocumentKey<Kind>,
  { position, scopes, data, hidden, wasHidden }: SoftDeletableChange<Kind>,
): Promise<void> => {
  const { kind, id, licenceId } = key;
  if (hidden) {
    await set.put({
      ...hiddenKey(key),
      position,
      scopes: [],
      data: data as unknown as DocumentData[`removed_${Kind}`],
    });
    if (wasHidden === false) await set.remove(key, position);
    return;
  }
  await set.put({ kind, id, licenceId, position, scopes, data });
  if (wasHidden === true) await set.remove(hiddenKey(key), position);
};

/** Writes the data where it belongs now, and takes it away from where it was; undefined = it is done already. */
export const putSoftDeletable = <Kind extends HideableKind>(
  set: WorkingSet,
  key: DocumentKey<Kind>,
  change: SoftDeletableChange<Kind>,
): Promise<void> | undefined => {
  if (change.hidden || change.wasHidden === true) return moveSoftDeletable(set, key, change);
  const { kind, id, licenceId } = key;
  const { position, scopes, data } = change;
  return set.put({ kind, id, licenceId, position, scopes, data });
};

/** Deletes the document and what is kept of it. */
export const removeSoftDeletable = async (
  set: WorkingSet,
  key: DocumentKey<HideableKind>,
  position: Position,
): Promise<void> => {
  await set.remove(key, position);
  await set.remove(hiddenKey(key), position);
};
