import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { report, type Slice } from './world/figure.ts';
import { fillLog } from './world/long-log.ts';

// P9: from the start of the process to `/readyz` 200 after `kill -9` with 1,000,000 events in the log, beside a process that opens
// the bare file and reads its tail. Both from the start of a Node process, one after the other on the same killed files.

const events = 1_000_000;
const mostSeconds = 150;
const runs = 3;
const slicesPerRun = 5;
const port = 20_000 + (process.pid % 20_000);

const server = fileURLToPath(new URL('../../services/standalone/dist/main.js', import.meta.url));
const bareTail = fileURLToPath(new URL('./bare-tail.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'zakup-bench-'));
const log = join(folder, 'events.db');

const isReady = (): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/readyz' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });

/** Milliseconds from the start of the process until it says that it is ready. */
const startServer = async (): Promise<{ readonly child: ChildProcess; readonly milliseconds: number }> => {
  const began = performance.now();
  const child = spawn(process.execPath, [server], {
    env: { ...process.env, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'warn', ADMIN_PASSWORD: 'bench-password' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('The server did not start');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { child, milliseconds: performance.now() - began };
};

const kill = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

const readTail = async (): Promise<number> => {
  const began = performance.now();
  const child = spawn(process.execPath, [bareTail, log], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const milliseconds = performance.now() - began;
  await once(child, 'exit');
  return milliseconds;
};

try {
  // The server makes its data folder; only the log is then filled without it.
  const maker = await startServer();
  const made = once(maker.child, 'exit');
  maker.child.kill('SIGTERM');
  await made;
  const eventStore = await sqliteEventStore({ file: log });
  await fillLog(eventStore, events, mostSeconds);
  const position = await eventStore.head();
  await eventStore.close();
  // How fast a projector is, is P6; here its read models are told to have come as far as the log.
  const readStore = sqliteReadStore({ file: join(folder, 'read-models.db'), declared: declaredFields });
  await readStore.commit({ docs: [], checkpoint: { partition: 'all', position, fence: 1 } });
  await readStore.close();
  await kill((await startServer()).child);

  for (let run = 0; run < runs; run += 1) {
    const slices: Slice[] = [];
    for (let index = 0; index < slicesPerRun; index += 1) {
      const beside = await readTail();
      const { child, milliseconds } = await startServer();
      await kill(child);
      slices.push({ ours: milliseconds, beside });
    }
    report([{ row: 'P9', kind: 'time', unit: 'ms', slices }], { events: position });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
