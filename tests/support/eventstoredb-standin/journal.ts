import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { ProposedEvent } from './stand-in-log.ts';

export interface JournalledAppend {
  readonly stream: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly events: readonly ProposedEvent[];
}

export interface Journal {
  /** What the file held when it was opened. */
  readonly kept: readonly JournalledAppend[];
  /** Handed to the operating system before it returns: survives `kill -9` of this process, not a power cut. */
  keep(append: JournalledAppend): void;
  close(): void;
}

type StoredEvent = readonly [id: string, type: string, contentType: string, data: string, metadata: string];
type StoredAppend = readonly [stream: string, created: number, events: readonly StoredEvent[]];

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

const lineOf = ({ stream, created, events }: JournalledAppend): string => {
  const stored: StoredAppend = [
    stream,
    created,
    events.map(({ id, type, contentType, data, metadata }) => [id, type, contentType, base64(data), base64(metadata)]),
  ];
  return `${JSON.stringify(stored)}\n`;
};

const appendOf = (line: string): JournalledAppend => {
  const [stream, created, events] = JSON.parse(line) as StoredAppend;
  return {
    stream,
    created,
    events: events.map(([id, type, contentType, data, metadata]) => ({
      id,
      type,
      contentType,
      data: Buffer.from(data, 'base64'),
      metadata: Buffer.from(metadata, 'base64'),
    })),
  };
};

/** One line for each append. An unfinished last line was never acknowledged and is cut off. */
export const openJournal = (path: string): Journal => {
  const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const whole = content.lastIndexOf(0x0a) + 1;
  if (whole < content.length) truncateSync(path, whole);
  const kept = content
    .subarray(0, whole)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(appendOf);
  const file = openSync(path, 'a');
  return {
    kept,
    keep: (append) => {
      const bytes = Buffer.from(lineOf(append));
      let written = 0;
      while (written < bytes.length) written += writeSync(file, bytes, written);
    },
    close: () => closeSync(file),
  };
};
