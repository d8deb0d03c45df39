import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredFields } from '@zakup/contracts/read-models';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { rebuildAll } from '@zakup/projector/rebuild';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { openDatabase } from '@zakup/sqlite/engine';
import { report, type Slice } from './world/figure.ts';
import { fillLog } from './world/long-log.ts';

// P6: all read models of a filled log built anew beside those that are read, persisted, beside a bare scan of the log's bytes with
// JSON.parse and a fold into a Map.

const wanted = 1_000_000;
/** Seconds after which the filling of the log is cut off; how many events it came to stands in the results. */
const mostSeconds = 150;
/** Fewer events for a first look: `BENCH_EVENTS=100000`. */
const events = Number(process.env['BENCH_EVENTS'] ?? wanted);
const sliceCount = 2;

const folder = await mkdtemp(join(tmpdir(), 'bench-p6-'));
const file = join(folder, 'events.db');
const eventStore = await sqliteEventStore({ file, clock: Date.now });
await fillLog(eventStore, events, mostSeconds);
const head = await eventStore.head();
const readStore = sqliteReadStore({ file: join(folder, 'read-models.db'), declared: declaredFields });

const ours = async (): Promise<number> => {
  const began = performance.now();
  const position = await rebuildAll({
    eventStore,
    readStore,
    now: Date.now,
    onParked: ({ licenceId }) => {
      throw new Error(`Licence ${licenceId} was not folded`);
    },
  });
  if (position !== head) throw new Error(`The rebuild ended at ${position} of ${head}`);
  return head / ((performance.now() - began) / 1_000);
};

/** The same events as plain JSON in a plain table. */
const bare = join(folder, 'bare.db');
const copyPlain = async (): Promise<void> => {
  const database = openDatabase(bare);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE events (position INTEGER PRIMARY KEY, event TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO events VALUES (?, ?)');
  const stop = new AbortController();
  for await (const message of eventStore.subscribe({ after: 0, signal: stop.signal, maxBatch: 1_000 })) {
    if (message.kind === 'caught_up') break;
    database.exec('BEGIN');
    for (const event of message.events) insert.run(event.position, JSON.stringify(event));
    database.exec('COMMIT');
  }
  stop.abort();
  database.close();
};

/** Keeps the last of each member that events carry, by stream: the least that any fold does. */
const beside = (): number => {
  const database = openDatabase(bare, { readOnly: true });
  const began = performance.now();
  const page = database.prepare('SELECT position, event FROM events WHERE position > ? ORDER BY position LIMIT 1000');
  const folded = new Map<string, object>();
  for (let after = 0; ; ) {
    const rows = page.all(after) as readonly { readonly position: number; readonly event: string }[];
    const last = rows.at(-1);
    if (last === undefined) break;
    for (const row of rows) {
      const { stream, data } = JSON.parse(row.event) as { readonly stream: string; readonly data: object };
      folded.set(stream, { ...folded.get(stream), ...data });
    }
    after = last.position;
  }
  const rate = head / ((performance.now() - began) / 1_000);
  database.close();
  if (folded.size === 0) throw new Error('Nothing was folded');
  return rate;
};

await copyPlain();
beside();
const slices: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) slices.push({ ours: await ours(), beside: beside() });
report([{ row: 'P6', kind: 'rate', unit: 'events/s', slices }], { events: head });
await readStore.close();
await eventStore.close();
await rm(folder, { recursive: true, force: true });
process.exit(0);
