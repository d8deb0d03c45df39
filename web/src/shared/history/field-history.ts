import type { HistoryEntry } from '@zakup/contracts/history';
import { isCreation } from './journal-labels.ts';

/** The entries that touched a field, without what else they changed, and the one that made the entity, whether or not it gave a value. */
export const historyOfField = (entries: readonly HistoryEntry[], field: string): readonly HistoryEntry[] =>
  entries.flatMap((entry) => {
    const changes = entry.changes.filter((change) => change.field === field);
    if (changes.length > 0) return [{ ...entry, changes }];
    return isCreation(entry) ? [{ ...entry, changes: [{ field, from: null, to: null }] }] : [];
  });
