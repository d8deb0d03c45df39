import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import { writeHeadMark } from './head-mark.ts';
import { engineSettings, openForWriting, unavailable } from './log-file.ts';
import type { LogWriter } from './log-writer.ts';
import { logWriter } from './log-writer.ts';
import type { FromWriter, PackedAppend, ToWriter } from './writer-messages.ts';

const mostEvents = 512;
const mostCharacters = 1_000_000;
const tickMs = 500;
const checkpointAfterEvents = 1000;
const sqliteFull = 13;

const { file, marked } = workerData as { file: string; marked: number };
const port = parentPort;
if (port === null) throw new Error('The event writer runs in a worker thread');

const say = (message: FromWriter) => port.postMessage(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const isFull = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === sqliteFull;

const start = () => {
  const db = openForWriting(file);
  return { db, writer: logWriter(db), settings: engineSettings(db) };
};

const serve = ({ db, writer, settings }: ReturnType<typeof start>) => {
  let queue: PackedAppend[] = [];
  let now = 0;
  let closing = false;
  let broken: string | undefined;
  let lastMarked = marked;
  let headAtTick = writer.head();
  let headAtCheckpoint = 0;

  const take = (message: ToWriter) => {
    switch (message.kind) {
      case 'append':
        queue = queue.length === 0 ? [...message.appends] : [...queue, ...message.appends];
        now = message.now;
        return;
      case 'close':
        closing = true;
    }
  };

  const takeWaiting = () => {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      take(next.message as ToWriter);
    }
  };

  /** The front of the queue as far as one transaction goes; an append that alone exceeds it goes alone. */
  const nextBatch = (): PackedAppend[] => {
    let events = 0;
    let characters = 0;
    let taken = 0;
    for (const [, writes] of queue) {
      for (const [, , packed] of writes) {
        events += packed.length;
        for (const event of packed) characters += event[2].length;
      }
      if (taken > 0 && (events > mostEvents || characters > mostCharacters)) break;
      taken += 1;
    }
    const batch = queue.slice(0, taken);
    queue = queue.slice(taken);
    return batch;
  };

  const fail = (appends: readonly PackedAppend[], error: unknown) => {
    // What a failed commit left in the operating system's cache cannot be known: only a restart reads it anew.
    let final = !isFull(error);
    try {
      writer.recover();
    } catch {
      final = true;
    }
    if (final) broken = reasonOf(error);
    say({ kind: 'failed', tickets: appends.map(([ticket]) => ticket), reason: reasonOf(error), final });
  };

  const commit = (log: LogWriter, batch: readonly PackedAppend[]) => {
    if (broken !== undefined) {
      say({ kind: 'failed', tickets: batch.map(([ticket]) => ticket), reason: broken, final: true });
      return;
    }
    try {
      say({ kind: 'committed', ...log.commit(batch, now) });
    } catch (error) {
      fail(batch, error);
    }
  };

  const mark = () => {
    const head = writer.head();
    if (broken !== undefined || head <= lastMarked) return;
    writeHeadMark(file, head);
    lastMarked = head;
  };

  /** Between bursts: says how far the log has come, and moves the WAL into the file while nobody waits. */
  const tick = () => {
    const head = writer.head();
    const idle = head === headAtTick;
    headAtTick = head;
    try {
      mark();
      if (idle && broken === undefined && head - headAtCheckpoint >= checkpointAfterEvents) {
        db.exec('PRAGMA wal_checkpoint(PASSIVE)');
        headAtCheckpoint = head;
      }
    } catch (error) {
      fail([], error);
    }
  };

  const timer = setInterval(tick, tickMs);

  const finish = () => {
    clearInterval(timer);
    try {
      mark();
      // Not left to the last connection's close: statements not yet collected would keep that from happening.
      if (broken === undefined) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    } finally {
      say({ kind: 'closed' });
      port.close();
    }
  };

  port.on('message', (message: ToWriter) => {
    take(message);
    takeWaiting();
    while (queue.length > 0) {
      commit(writer, nextBatch());
      takeWaiting();
    }
    if (closing) finish();
  });
  say({ kind: 'ready', head: writer.head(), settings });
};

let started: ReturnType<typeof start> | undefined;
try {
  started = start();
} catch (error) {
  const { file: refused, fault, reason } = unusableFile(file, unavailable(file, error).cause);
  say({ kind: 'refused', file: refused, fault, reason });
}
if (started !== undefined) serve(started);
