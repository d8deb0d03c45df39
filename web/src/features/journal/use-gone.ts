import type { HistoryEntry } from '@zakup/contracts/history';
import { useEffect } from 'react';
import type { Filters } from '../../shared/history/journal-address.ts';
import { type Audit, useAudit } from './use-audit.ts';

const byDeletion: Filters = { field: 'deleted' };
const byActivity: Filters = { field: 'isActive' };

/** Entities whose last word is that they are gone, by the entry that says it; `entries` are newest first. */
export const goneOf = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] => {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const change = entry.changes.find(({ field }) => field === 'deleted' || field === 'isActive');
    const key = `${entry.entity.kind}:${entry.entity.id}`;
    if (change === undefined || seen.has(key)) return false;
    seen.add(key);
    return change.field === 'deleted' ? change.to === true : change.to === false;
  });
};

const useWhole = ({ complete, fetching, error, more }: Audit, wanted: boolean): void =>
  useEffect(() => {
    if (wanted && !complete && !fetching && error === null) more();
  });

/** What is gone, as far as the journal has been read: deletions and switchings-off are two answers of it. */
export const useGone = (isWanted: (gone: readonly HistoryEntry[]) => boolean) => {
  const deletions = useAudit(byDeletion);
  const switched = useAudit(byActivity);
  const both = [deletions, switched] as const;
  const gone = goneOf([...deletions.entries, ...switched.entries].sort((a, b) => b.position - a.position));
  const wanted = isWanted(gone);
  useWhole(deletions, wanted);
  useWhole(switched, wanted);
  return {
    /** Newest first. */
    gone,
    wanted,
    // The answers are two, in one order: rows of the later one would push the others down.
    loading: both.some(({ loading }) => loading),
    complete: both.every(({ complete }) => complete),
    error: deletions.error ?? switched.error,
    stale: deletions.stale ?? switched.stale,
    retry: () => {
      for (const audit of both) if (audit.error !== null) audit.retry();
    },
    lookAgain: () => {
      for (const audit of both) if (audit.stale !== null) audit.lookAgain();
    },
    refresh: (position: number) => {
      for (const audit of both) audit.bringFresh(position);
    },
  };
};
