import type { AppendOptions, StreamWrite } from './event-store.ts';

const wholeFromZero = (revision: number) => Number.isSafeInteger(revision) && revision >= 0;

/** Throws a TypeError for an append that no store can carry out: a stream named twice, no events, a revision below 0. */
export const checkAppend = (writes: readonly StreamWrite[], options: AppendOptions): void => {
  if (writes.length === 0) throw new TypeError('An append needs at least one write');
  if (writes.length > 1 && new Set(writes.map((write) => write.stream)).size < writes.length) {
    throw new TypeError('A stream may appear only once among the writes of an append');
  }
  for (const { stream, events, expectedRevision } of writes) {
    if (events.length < 1) throw new TypeError(`A write to ${stream} needs at least one event`);
    if (typeof expectedRevision === 'number' && !wholeFromZero(expectedRevision)) {
      throw new TypeError(`Revision ${expectedRevision} of ${stream} is not a whole number from 0`);
    }
  }
  for (const { stream, revision } of options.unchanged ?? []) {
    if (typeof revision === 'number' && !wholeFromZero(revision)) {
      throw new TypeError(`Revision ${revision} of ${stream} is not a whole number from 0`);
    }
  }
};
