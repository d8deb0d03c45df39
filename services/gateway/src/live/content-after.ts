import { yieldToEventLoop } from '@zakup/async/event-loop';
import { isDeepStrictEqual } from 'node:util';
import type { Read } from './scope-read.ts';
import { keyOf } from './scope-reader.ts';
import type { StoredChange } from './view.ts';

/** Documents that are compared before others get their turn. */
const slice = 500;

/**
 * What came after one whole content of a scope until another one; null when clients that hold the first cannot be brought to the second by
 * positions, as something differs that none tells of.
 */
export const changesAfter = async (before: Read, after: Read): Promise<Read | null> => {
  const left = new Map(before.docs.map((change) => [keyOf(change), change]));
  const docs: StoredChange[] = [];
  for (const [index, change] of after.docs.entries()) {
    if (index % slice === slice - 1) await yieldToEventLoop();
    const known = left.get(keyOf(change));
    left.delete(keyOf(change));
    if (change.position > (known ?? before).position) docs.push(change);
    else if (known === undefined || !isDeepStrictEqual(known, change)) return null;
  }
  if (left.size > 0 && after.position === before.position) return null;
  const gone = [...left.values()].map(({ doc }) => ({ doc, gone: true, position: after.position }));
  return {
    docs: [...docs, ...gone].toSorted((a, b) => a.position - b.position),
    position: after.position,
    reset: false,
  };
};
