import { singleEntries } from './batch.ts';
import { type Entry, laneOf, withoutUndone } from './entry.ts';

const none: readonly Entry[] = [];

/** Entries by id, as those get them who draw them: in order of issue, all together or the changes of one lane, the same arrays while nothing changed. */
export const entryList = () => {
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  let list: readonly Entry[] = none;
  let byLane = new Map<string, readonly Entry[]>();

  return {
    /** Changing it is told by `tell`. */
    entries,
    all: (): readonly Entry[] => list,
    /** Without the command that makes the entity, which says nothing of it once that is there, and without what was undone. */
    ofLane: (lane: string): readonly Entry[] => byLane.get(lane) ?? none,
    /** Orders what there is now, and tells the listeners. */
    tell: (): void => {
      list = [...entries.values()].sort((a, b) => a.order - b.order || a.issuedAt - b.issuedAt);
      const grouped = new Map<string, Entry[]>();
      for (const entry of withoutUndone(list).flatMap(singleEntries)) {
        if (entry.creates === true) continue;
        const group = grouped.get(laneOf(entry));
        if (group) group.push(entry);
        else grouped.set(laneOf(entry), [entry]);
      }
      const previous = byLane;
      byLane = new Map();
      for (const [lane, group] of grouped) {
        const before = previous.get(lane);
        const same = before?.length === group.length && group.every((entry, index) => entry === before[index]);
        byLane.set(lane, same ? before : group);
      }
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
