import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleEvent } from '../contract-suite.ts';
import type { EventStore, EventToAppend, RecordedEvent, SubscriptionMessage } from '../event-store.ts';
import { CorruptEvent, EventStoreUnavailable, LogBehind } from '../event-store.ts';
import { readHeadMark, writeHeadMark } from './head-mark.ts';
import { sqliteEventStore } from './sqlite-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-faults-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const freshFile = () => join(folder, `${randomUUID()}.db`);

const appendTo = async (store: EventStore, licenceId: string, count: number, type = 'PlacementAdded') => {
  const events = Array.from({ length: count }, () => sampleEvent(licenceId, type, { mark: 'recognisable' }));
  const stream = `placement-${licenceId}~${randomUUID()}`;
  await store.append([
    { stream, expectedRevision: 'no_stream', events: events as [EventToAppend, ...EventToAppend[]] },
  ]);
  return stream;
};

/** A closed log of `count` events of one licence in one stream. */
const closedLog = async (count: number) => {
  const file = freshFile();
  const licenceId: string = randomUUID();
  const store = await sqliteEventStore({ file });
  const stream = await appendTo(store, licenceId, count);
  await store.close();
  return { file, licenceId, stream };
};

/** The whole log, as a subscriber from the beginning gets it. */
const allPartitions = async (store: EventStore): Promise<RecordedEvent[]> => {
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  for await (const message of store.subscribe({ after: 0, signal: stop.signal })) {
    if (message.kind === 'events') events.push(...message.events);
    else stop.abort();
  }
  return events;
};

const flipByte = (file: string, offset: number) => {
  const bytes = readFileSync(file);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(file, bytes);
};

const child = (file: string, licenceId: string, options: { size?: number; fileBlocks?: number } = {}) => {
  const script = fileURLToPath(new URL('./testing/appending-child.ts', import.meta.url));
  const args = ['--import', 'tsx', script, file, licenceId, String(options.size ?? 0)];
  const limit = options.fileBlocks === undefined ? '' : `ulimit -f ${options.fileBlocks}; `;
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  // The shell is replaced by the process, so that a kill reaches it.
  const started = spawn('bash', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...args], { cwd });
  const ended = new Promise<void>((resolve) => {
    started.on('close', () => resolve());
  });
  return { started, lines: createInterface({ input: started.stdout }), ended };
};

const thrownBy = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Nothing was thrown');
};

// Every opening starts a thread, which takes its time on a busy machine.
describe('SQLite event store under faults', () => {
  it('ES-40 durability settings are in force as read back', async () => {
    const store = await sqliteEventStore({ file: freshFile() });
    expect(store.settings).toEqual({ journalMode: 'wal', synchronous: 2, pageSize: 8192, walAutocheckpoint: 8000 });
    await store.close();
  });

  it('ES-41 after each of 5 kills every acknowledged append is there once and whole', async () => {
    const file = freshFile();
    const licenceId: string = randomUUID();
    const acknowledged: string[] = [];
    for (let kill = 0; kill < 5; kill += 1) {
      const { started, lines, ended } = child(file, licenceId);
      let seen = 0;
      lines.on('line', (line) => {
        const [word, ...ids] = line.split(' ');
        if (word !== 'acknowledged') return;
        acknowledged.push(...ids);
        seen += 1;
        if (seen === 7 + kill * 31) started.kill('SIGKILL');
      });
      await ended;

      const store = await sqliteEventStore({ file });
      const events = await allPartitions(store);
      expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
      const ids = events.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
      expect(events.map(({ type }) => type)).toEqual(events.map((_, index) => (index % 2 === 0 ? 'One' : 'Two')));
      expect(await store.readLicence(licenceId)).toEqual(events);
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThan(400);
  });

  it('ES-42 a failed write acknowledges nothing, and nothing after it', async () => {
    const file = freshFile();
    const licenceId: string = randomUUID();
    const { lines, ended } = child(file, licenceId, { size: 4000, fileBlocks: 1024 });
    const acknowledged: string[] = [];
    const refusals: string[] = [];
    lines.on('line', (line) => {
      const [word, ...ids] = line.split(' ');
      if (word === 'acknowledged') acknowledged.push(...ids);
      else refusals.push(line);
    });
    await ended;
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.every((line) => line.includes('EventStoreUnavailable') && line.includes(file))).toBe(true);
    const store = await sqliteEventStore({ file });
    const ids = new Set((await allPartitions(store)).map(({ id }) => id));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    await appendTo(store, licenceId, 1);
    await store.close();
  });

  it('ES-43 a changed byte in an event is found by every read, naming file and position', async () => {
    const { file, licenceId, stream } = await closedLog(3);
    const second = readFileSync(file).indexOf('recognisable');
    flipByte(file, second);
    const store = await sqliteEventStore({ file });
    const reads = [
      store.read(stream),
      store.read(stream, { direction: 'backwards' }),
      store.readLicence(licenceId),
      allPartitions(store),
    ];
    for (const read of reads) {
      const error = await thrownBy(read);
      expect(error).toBeInstanceOf(CorruptEvent);
      expect(error).toMatchObject({ where: file, position: 3 });
    }
    expect(await store.read(stream, { to: 1 })).toHaveLength(2);
    await store.close();
  });

  it('ES-44 a file that is no log is refused by name: garbage, another database, cut off, a newer version', async () => {
    const garbage = freshFile();
    writeFileSync(garbage, 'not a database '.repeat(2000));
    const other = freshFile();
    const otherDb = openDatabase(other);
    otherDb.exec('CREATE TABLE somebody_elses (id INTEGER)');
    otherDb.close();
    const { file: cut } = await closedLog(200);
    writeFileSync(cut, readFileSync(cut).subarray(0, 30_000));
    const { file: newer } = await closedLog(1);
    const newerDb = openDatabase(newer);
    newerDb.exec('PRAGMA user_version = 99');
    newerDb.close();
    for (const [file, reason] of [
      [garbage, /not a database/],
      [other, /another kind/],
      [cut, /cut off/],
      [newer, /version 99, newer than version 1/],
    ] as const) {
      const error = await thrownBy(sqliteEventStore({ file }));
      expect(error).toBeInstanceOf(EventStoreUnavailable);
      expect(error.message).toContain(file);
      expect(error.message).toMatch(reason);
    }
  });

  it('ES-45 a folder that is missing is refused by name', async () => {
    const file = join(folder, 'absent', 'events.db');
    const error = await thrownBy(sqliteEventStore({ file }));
    expect(error).toBeInstanceOf(EventStoreUnavailable);
    expect(error.message).toContain(file);
  });

  it('ES-46 a file that cannot be written is refused by name', async () => {
    // In a process of its own, which gives root's rights away: root may write everything.
    const open = mkdtempSync(join(tmpdir(), 'zakup-readonly-'));
    chmodSync(open, 0o777);
    const file = join(open, 'events.db');
    copyFileSync((await closedLog(1)).file, file);
    chmodSync(file, 0o444);
    const script = fileURLToPath(new URL('./testing/opening-child.ts', import.meta.url));
    const started = spawn(process.execPath, ['--import', 'tsx', script, file]);
    let said = '';
    started.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await once(started, 'close');
    rmSync(open, { recursive: true });
    expect(said).toContain(`EventStoreUnavailable: Event log ${file}: `);
  });

  it('ES-47 an older copy put back is behind the head mark, and stays refused', async () => {
    const { file, licenceId } = await closedLog(5);
    const copy = `${file}.copy`;
    copyFileSync(file, copy);
    const store = await sqliteEventStore({ file });
    await appendTo(store, licenceId, 3);
    await store.close();
    expect(readHeadMark(file)).toBe(8);
    copyFileSync(copy, file);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const error = await thrownBy(sqliteEventStore({ file }));
      expect(error).toBeInstanceOf(LogBehind);
      expect(error).toMatchObject({ where: file, head: 5, knownBound: 8 });
    }
    rmSync(file);
    expect(await thrownBy(sqliteEventStore({ file }))).toBeInstanceOf(LogBehind);
    expect(existsSync(file)).toBe(false);
  });

  it('ES-48 a bound known elsewhere holds as well, and says where it came from', async () => {
    const { file } = await closedLog(5);
    const known = [{ position: 6, source: 'the read store' }];
    const error = await thrownBy(sqliteEventStore({ file, knownBounds: known }));
    expect(error).toBeInstanceOf(LogBehind);
    expect(error.message).toContain('the read store has seen 6');
    const store = await sqliteEventStore({ file, knownBounds: [{ position: 5, source: 'the read store' }] });
    expect(await store.head()).toBe(5);
    await store.close();
  });

  it('ES-49 a damaged head mark is refused by name', async () => {
    const { file } = await closedLog(5);
    writeHeadMark(file, 5);
    flipByte(`${file}.head`, 0);
    const error = await thrownBy(sqliteEventStore({ file }));
    expect(error.message).toContain(`${file}.head`);
  });

  it('ES-50 a changed bit in the -wal that would drop later commits is refused by name', async () => {
    const file = freshFile();
    const licenceId: string = randomUUID();
    const store = await sqliteEventStore({ file });
    for (let round = 0; round < 8; round += 1) await appendTo(store, licenceId, 3);
    // Copies of the open log stand for what a kill leaves.
    const image = () => {
      const copy = freshFile();
      copyFileSync(file, copy);
      copyFileSync(`${file}-wal`, `${copy}-wal`);
      return copy;
    };
    const [whole, flipped, header] = [image(), image(), image()];
    await store.close();

    const opened = await sqliteEventStore({ file: whole });
    expect(await opened.head()).toBe(24);
    await opened.close();
    flipByte(`${flipped}-wal`, Math.floor(statSync(`${flipped}-wal`).size / 2));
    flipByte(`${header}-wal`, 18);
    for (const damaged of [flipped, header]) {
      // Twice: the first refusal must not move what is left of the WAL into the file.
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const error = await thrownBy(sqliteEventStore({ file: damaged }));
        expect(error).toBeInstanceOf(EventStoreUnavailable);
        expect(error.message).toContain(`${damaged}-wal`);
      }
    }
  });

  it('ES-51 a reader beside the open store sees what was acknowledged', async () => {
    const file = freshFile();
    const store = await sqliteEventStore({ file });
    const other = openDatabase(file, { readOnly: true });
    const count = other.prepare('SELECT count(*) AS events FROM events');
    for (let round = 1; round <= 5; round += 1) {
      await appendTo(store, randomUUID(), 2);
      expect(count.get()).toMatchObject({ events: round * 2 });
    }
    other.close();
    await store.close();
  });

  it('ES-52 a subscriber far behind reads the log again and catches up anew', async () => {
    const { file, licenceId } = await closedLog(1);
    const store = await sqliteEventStore({ file });
    const stop = new AbortController();
    const messages = store.subscribe({ after: 0, signal: stop.signal, maxBatch: 100 })[Symbol.asyncIterator]();
    await messages.next();
    expect((await messages.next()).value).toEqual({ kind: 'caught_up', position: 1 });
    for (let round = 0; round < 20; round += 1) await appendTo(store, licenceId, 500);
    const positions: number[] = [];
    const message = async (): Promise<SubscriptionMessage | undefined> => (await messages.next()).value ?? undefined;
    let latest = await message();
    for (; latest?.kind === 'events'; latest = await message()) {
      positions.push(...latest.events.map(({ position }) => position));
    }
    expect(positions).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 2));
    expect(latest).toEqual({ kind: 'caught_up', position: 10_001 });
    stop.abort();
    await store.close();
  });

  it('ES-53 an event takes no more bytes on disk than as a line of JSON', async () => {
    const file = freshFile();
    const store = await sqliteEventStore({ file });
    const licenceId: string = randomUUID();
    const actors = Array.from({ length: 20 }, () => randomUUID());
    let lines = 0;
    for (let placement = 0; placement < 1000; placement += 1) {
      const stream = `placement-${licenceId}~${randomUUID()}`;
      const events = Array.from({ length: 3 }, (_, index) =>
        sampleEvent(
          licenceId,
          'PlacementPriceChanged',
          { price: 1000 + index },
          { actorId: actors[placement % 20] ?? '' },
        ),
      ) as [EventToAppend, ...EventToAppend[]];
      const commandKey = `${actors[placement % 20]}:${randomUUID()}`;
      const result = await store.append([{ stream, expectedRevision: 'no_stream', events }], { commandKey });
      if (result.kind !== 'appended') throw new Error(result.kind);
      for (const event of result.events) lines += JSON.stringify(event).length + 1;
    }
    await store.close();
    expect(statSync(file).size).toBeLessThanOrEqual(lines);
  });

  it('ES-54 recordedAt does not go back with the clock, also over a restart', async () => {
    const file = freshFile();
    const licenceId: string = randomUUID();
    for (const now of [5000, 1000]) {
      const store = await sqliteEventStore({ file, clock: () => now });
      await appendTo(store, licenceId, 1);
      await store.close();
    }
    const store = await sqliteEventStore({ file });
    const instants = (await store.readLicence(licenceId)).map(({ recordedAt }) => recordedAt);
    expect(instants).toEqual(['1970-01-01T00:00:05.000Z', '1970-01-01T00:00:05.000Z']);
    await store.close();
  });
});
