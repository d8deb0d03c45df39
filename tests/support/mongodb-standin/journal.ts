import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { BSON } from 'bson';
import type { JournalEntry } from './store.ts';

export interface Journal {
  append(entry: JournalEntry): void;
  /** Hands what was appended to the operating system; called before anything is answered. */
  flush(): void;
  close(): void;
}

/** Bytes of an empty document. */
const smallest = 5;

/** What a file holds, in its order; what a killed writer left unfinished at the end is cut off. */
export const journalEntries = (file: string): readonly JournalEntry[] => {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const entries: JournalEntry[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const size = bytes.readInt32LE(at);
    if (size < smallest || at + size > bytes.length) break;
    entries.push(BSON.deserialize(bytes.subarray(at, at + size)) as JournalEntry);
    at += size;
  }
  if (at < bytes.length) {
    const handle = openSync(file, 'r+');
    ftruncateSync(handle, at);
    closeSync(handle);
  }
  return entries;
};

/** Appends to a file, so that a killed process loses nothing it has answered; power cuts are not its matter. */
export const fileJournal = (file: string): Journal => {
  const handle = openSync(file, 'a');
  let held: Uint8Array[] = [];
  const flush = (): void => {
    if (held.length === 0) return;
    const bytes = Buffer.concat(held);
    held = [];
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
  };
  return {
    append: (entry) => {
      held.push(BSON.serialize(entry, { ignoreUndefined: true }));
    },
    flush,
    close: () => {
      flush();
      closeSync(handle);
    },
  };
};

export const noJournal: Journal = { append: () => undefined, flush: () => undefined, close: () => undefined };
