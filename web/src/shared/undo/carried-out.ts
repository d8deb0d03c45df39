import { batchIdOf, type Entry, undoPath } from '../outbox/entry.ts';
import type { Outbox } from '../outbox/outbox.ts';

/** A change of placements that its maker can undo. */
export const isOwnChange = ({ path, target, id }: Entry): boolean =>
  path !== undoPath && target.kind === 'placement' && batchIdOf(id) === id;

/** Keeps own changes that the server carried out from now on, which leave the outbox: whoever learns from it comes later. */
export const carriedOut = (
  outbox: Pick<Outbox, 'entries' | 'subscribe'>,
): { readonly entries: () => readonly Entry[]; readonly stop: () => void } => {
  const kept = new Map<string, Entry>();
  const look = (): void => {
    for (const entry of outbox.entries())
      if (entry.state.kind === 'acknowledged' && isOwnChange(entry)) kept.set(entry.id, entry);
  };
  look();
  return { entries: () => [...kept.values()], stop: outbox.subscribe(look) };
};
