import { randomFillSync } from 'node:crypto';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting } from '@zakup/event-store/sqlite/log-file';
import type { BareRow, FromBareWriter, ToBareWriter } from './bare-messages.ts';

const port = parentPort;
if (port === null) throw new Error('The bare writer runs in a worker thread');
const say = (message: FromBareWriter) => port.postMessage(message);

// The engine, the settings and the tables of the event store; nothing of its code between them and the loop.
const db = openForWriting((workerData as { file: string }).file);
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const insertStream = db.prepare('INSERT INTO streams (id, text, checksum) VALUES (?, ?, ?)');
const insertEvent = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
const insertCommand = db.prepare('INSERT INTO commands VALUES (?, ?, ?)');
const key = new Uint8Array(16);
const numbers = new Uint32Array(key.buffer);
const revisions: number[] = [];
let position = 0;

/** Returns the row's stream. */
const write = (row: BareRow): number => {
  position += 1;
  randomFillSync(key);
  const stream = row.stream ?? revisions.push(-1);
  const revision = (revisions[stream - 1] ?? -1) + 1;
  revisions[stream - 1] = revision;
  if (row.stream === undefined) {
    const text = `placement-3f00~${(numbers[0] ?? 0).toString(16).padStart(12, '0')}${position.toString(16).padStart(12, '0')}`;
    insertStream.run(stream, text, numbers[1] ?? 0);
  }
  insertEvent.run(position, stream, revision, 1, row.payload);
  insertCommand.run(key, position, position);
  return stream;
};

const loop = ({ milliseconds, size, payloads }: Extract<ToBareWriter, { kind: 'loop' }>) => {
  const transactions: number[] = [];
  const began = performance.now();
  let now = began;
  let rows = 0;
  while (now - began < milliseconds) {
    begin.run();
    for (let index = 0; index < size; index += 1) {
      const payload = payloads[rows % payloads.length];
      if (payload === undefined) throw new Error('No payload');
      const known = revisions.length;
      if (rows % 2 === 0 || known === 0) write({ payload });
      else write({ payload, stream: Math.max(1, known - (rows % 64)) });
      rows += 1;
    }
    commit.run();
    const then = now;
    now = performance.now();
    transactions.push(now - then);
  }
  say({ kind: 'looped', rows, milliseconds: now - began, transactions });
};

let queue: (readonly [number, BareRow])[] = [];
const take = (message: ToBareWriter) => {
  if (message.kind === 'loop') loop(message);
  else queue = [...queue, ...message.rows];
};

port.on('message', (message: ToBareWriter) => {
  take(message);
  while (queue.length > 0) {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      take(next.message as ToBareWriter);
    }
    const batch = queue;
    queue = [];
    begin.run();
    const rows = batch.map(([ticket, row]) => [ticket, write(row), position] as const);
    commit.run();
    say({ kind: 'written', rows });
  }
});
// Also keeps the connection from being collected: its statements do not hold it.
port.on('close', () => db.close());
say({ kind: 'ready' });
