import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BareRow, FromBareWriter, ToBareWriter } from './bare-messages.ts';

type Looped = Extract<FromBareWriter, { kind: 'looped' }>;

/** The yardstick's writer thread: prepared inserts between BEGIN and COMMIT on the event store's settings and tables, and nothing else. */
export interface BareWriter {
  loop(wanted: Omit<Extract<ToBareWriter, { kind: 'loop' }>, 'kind'>): Promise<Looped>;
  /** Group commit: rows of one turn are sent together, rows that wait at the writer become one transaction. */
  write(row: BareRow): Promise<{ readonly stream: number; readonly position: number }>;
  close(): Promise<void>;
}

/** Begins a log of its own in `file`. */
export const bareWriter = async (file: string): Promise<BareWriter> => {
  const worker = new Worker(new URL('./bare-writer.worker.js', import.meta.url), { workerData: { file } });
  const waiting = new Map<number, (written: { stream: number; position: number }) => void>();
  let looped: (result: Looped) => void = () => undefined;
  let outbox: (readonly [number, BareRow])[] = [];
  let tickets = 0;
  const send = (message: ToBareWriter) => worker.postMessage(message, []);
  await once(worker, 'message');
  worker.on('message', (message: FromBareWriter) => {
    if (message.kind === 'looped') looped(message);
    if (message.kind !== 'written') return;
    for (const [ticket, stream, position] of message.rows) {
      waiting.get(ticket)?.({ stream, position });
      waiting.delete(ticket);
    }
  });
  const flush = () => {
    send({ kind: 'rows', rows: outbox });
    outbox = [];
  };
  return {
    loop: (wanted) =>
      new Promise((resolve) => {
        looped = resolve;
        send({ kind: 'loop', ...wanted });
      }),
    write: (row) =>
      new Promise((resolve) => {
        tickets += 1;
        if (outbox.length === 0) setImmediate(flush);
        outbox.push([tickets, row]);
        waiting.set(tickets, resolve);
      }),
    async close() {
      await worker.terminate();
    },
  };
};
