import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  AccessDeniedError,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  BACKWARDS,
  binaryEvent,
  DeadlineExceededError,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  MaxAppendSizeExceededError,
  type Position,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
  streamNameFilter,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { patchedClient } from '@zakup/driver-patches/eventstoredb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';
import { selfSignedCertificate } from '../support/eventstoredb-standin/self-signed.ts';
import { standInLog } from '../support/eventstoredb-standin/stand-in-log.ts';
import { type EventStoreDbStandIn, startEventStoreDbStandIn } from '../support/eventstoredb-standin/stand-in.ts';

let standIn: EventStoreDbStandIn;
let client: EventStoreDBClient;
const clients: EventStoreDBClient[] = [];

const connect = (url: string): EventStoreDBClient => {
  const made = EventStoreDBClient.connectionString(url);
  clients.push(made);
  return made;
};

beforeEach(async () => {
  standIn = await startEventStoreDbStandIn();
  client = connect(standIn.url);
});
afterEach(async () => {
  for (const each of clients.splice(0)) await each.dispose();
  await standIn.stop();
});

const event = (type = 'NoteAdded', text = 'текст', id: string = randomUUID()) =>
  jsonEvent({ id, type, data: { text }, metadata: { at: '2026-01-02T03:04:05.678Z' } });

const append = (stream: string, expectedRevision: AppendExpectedRevision = 'any', count = 1) =>
  client.appendToStream(
    stream,
    Array.from({ length: count }, () => event()),
    { expectedRevision },
  );

const all = async (events: AsyncIterable<ResolvedEvent | AllStreamResolvedEvent>) => {
  const found = [];
  for await (const resolved of events) {
    if (resolved.event !== undefined) found.push(resolved.event);
  }
  return found;
};

const revisions = async (events: AsyncIterable<ResolvedEvent>): Promise<readonly number[]> =>
  (await all(events)).map(({ revision }) => Number(revision));

const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

/** What a subscription says, in order: `stream@revision`, `checkpoint`, `caughtUp`, `fellBehind`, `error`, `end`. */
const watched = (
  subscribe: (checkpoint: (subscription: unknown, position: Position) => Promise<void>) => AllStreamSubscription,
) => {
  const said: string[] = [];
  const positions: bigint[] = [];
  const checkpoints: bigint[] = [];
  const errors: unknown[] = [];
  const waiting = new Set<{ holds: () => boolean; resolve: () => void }>();
  const say = (what: string): void => {
    said.push(what);
    for (const waiter of waiting) {
      if (!waiter.holds()) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  };
  const subscription = subscribe((_, { commit }) => {
    checkpoints.push(commit);
    say('checkpoint');
    return Promise.resolve();
  });
  subscription
    .on('data', ({ event: recorded }: AllStreamResolvedEvent) => {
      positions.push(recorded?.position.commit ?? 0n);
      say(`${recorded?.streamId}@${recorded?.revision}`);
    })
    .on('caughtUp', () => say('caughtUp'))
    .on('fellBehind', () => say('fellBehind'))
    .on('error', (error) => {
      errors.push(error);
      say('error');
    })
    .on('end', () => say('end'));
  const until = (holds: () => boolean): Promise<void> =>
    holds() ? Promise.resolve() : new Promise((resolve) => waiting.add({ holds, resolve }));
  return {
    said,
    positions,
    checkpoints,
    errors,
    subscription,
    /** Resolves when this was said so many times. */
    heard: (what: string, times = 1) => until(() => said.filter((each) => each === what).length >= times),
  };
};

const watchAll = (fromPosition: Position | typeof START | typeof END = START) =>
  watched(() => client.subscribeToAll({ fromPosition }));

const at = (position: bigint | undefined): Position => ({ commit: position ?? 0n, prepare: position ?? 0n });

describe('the stand-in for EventStoreDB: appends and reads', () => {
  test('EDS-1 an append is read back both ways with its bytes, metadata and instant', async () => {
    const before = Date.now();
    await append('note-3fab~1', 'no_stream', 3);
    expect(await revisions(client.readStream('note-3fab~1'))).toEqual([0, 1, 2]);
    expect(await revisions(client.readStream('note-3fab~1', { direction: BACKWARDS, fromRevision: END }))).toEqual([
      2, 1, 0,
    ]);
    expect(await revisions(client.readStream('note-3fab~1', { fromRevision: 1n, maxCount: 1 }))).toEqual([1]);
    expect(await revisions(client.readStream('note-3fab~1', { direction: BACKWARDS, fromRevision: 1n }))).toEqual([
      1, 0,
    ]);
    expect(await revisions(client.readStream('note-3fab~1', { fromRevision: 7n }))).toEqual([]);
    const [first] = await all(client.readStream('note-3fab~1', { maxCount: 1 }));
    expect(first).toMatchObject({ type: 'NoteAdded', data: { text: 'текст' }, isJson: true });
    expect(first?.metadata).toEqual({ at: '2026-01-02T03:04:05.678Z' });
    expect(first?.created.getTime()).toBeGreaterThanOrEqual(before);
    expect(first?.created.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('EDS-2 bytes that are not JSON come back as they were sent', async () => {
    const data = Uint8Array.from([0, 255, 10, 13, 128]);
    await client.appendToStream('foreign-1', binaryEvent({ type: 'Blob', data, metadata: data }));
    const [found] = await all(client.readStream('foreign-1'));
    expect(found?.isJson).toBe(false);
    expect(Buffer.from(found?.data as Uint8Array).equals(data)).toBe(true);
    expect(Buffer.from(found?.metadata as Uint8Array).equals(data)).toBe(true);
  });

  test('EDS-3 each event has its own position, the same in the answer, the stream, $all and a subscription', async () => {
    const first = await append('note-3fab~1', 'any', 2);
    const second = await append('note-3fab~2');
    const inStreams = [
      ...(await all(client.readStream('note-3fab~1'))),
      ...(await all(client.readStream('note-3fab~2'))),
    ];
    const positions = inStreams.map(({ position }) => position?.commit ?? 0n);
    expect([first.position?.commit, second.position?.commit]).toEqual([positions[1], positions[2]]);
    expect(inStreams.every(({ position }) => position?.commit === position?.prepare)).toBe(true);
    const inAll = (await all(client.readAll())).slice(-3).map(({ position }) => position?.commit);
    expect(inAll).toEqual(positions);
    const watch = watchAll();
    await watch.heard('caughtUp');
    expect(watch.positions.slice(-3)).toEqual(positions);
    expect(positions[1]).toBeGreaterThan((positions[0] ?? 0n) + 1n);
    expect(positions[2]).toBeGreaterThan((positions[1] ?? 0n) + 1n);
  });

  test('EDS-4 $all is read forwards from a position inclusive, backwards exclusive', async () => {
    const { position } = await append('note-3fab~1');
    await append('note-3fab~2');
    const names = async (direction: 'forwards' | 'backwards'): Promise<readonly string[]> =>
      (await all(client.readAll({ direction, fromPosition: at(position?.commit), maxCount: 2 }))).map(
        ({ streamId }) => streamId,
      );
    expect(await names('forwards')).toEqual(['note-3fab~1', 'note-3fab~2']);
    expect((await names('backwards'))[0]).toBe('$stats-127.0.0.1:2113');
    const last = await all(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
    expect(last[0]?.streamId).toBe('note-3fab~2');
  });

  test('EDS-5 an absent stream is a StreamNotFoundError', async () => {
    const error = await failure(all(client.readStream('note-3fab~none')));
    expect(error).toBeInstanceOf(StreamNotFoundError);
  });

  test.each([
    ['BatchAppend', undefined],
    ['Append', { username: 'anyone', password: 'secret' }],
  ] as const)('EDS-6 a wrong expected revision says what is there, by %s', async (_, credentials) => {
    const write = (expectedRevision: AppendExpectedRevision) =>
      client.appendToStream('note-3fab~1', event(), {
        expectedRevision,
        ...(credentials === undefined ? {} : { credentials }),
      });
    expect(await failure(write(0n))).toMatchObject({ expectedVersion: 0n, actualVersion: 'no_stream' });
    expect(await failure(write('stream_exists'))).toMatchObject({ expectedVersion: 'stream_exists' });
    expect(await write('no_stream')).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await write(0n)).toMatchObject({ nextExpectedRevision: 1n });
    expect(await write('stream_exists')).toMatchObject({ nextExpectedRevision: 2n });
    for (const expected of ['no_stream', 1n, 3n] as const) {
      const error = await failure(write(expected));
      expect(error).toBeInstanceOf(WrongExpectedVersionError);
      expect(error).toMatchObject({ streamName: 'note-3fab~1', expectedVersion: expected, actualVersion: 2n });
    }
    expect(standIn.log.stream('note-3fab~1')).toHaveLength(3);
  });

  test('EDS-7 the same ids at the same place again answer the first position and append nothing', async () => {
    const events = [event(), event()];
    const [first, second] = events;
    if (first === undefined || second === undefined) throw new Error('two events are made');
    const write = (expectedRevision: AppendExpectedRevision, those = events) =>
      client.appendToStream('note-3fab~1', those, { expectedRevision });
    const original = await write('no_stream');
    await append('note-3fab~1', 1n);
    expect(await write('no_stream')).toEqual(original);
    expect(await write('any')).toEqual(original);
    expect(await write(0n, [second])).toEqual(original);
    expect(standIn.log.stream('note-3fab~1')).toHaveLength(3);
    for (const [expected, those] of [
      ['no_stream', [first, event()]],
      ['no_stream', [second]],
      ['any', [first, event()]],
    ] as const) {
      expect(await failure(write(expected, [...those]))).toBeInstanceOf(WrongExpectedVersionError);
    }
    expect(standIn.log.stream('note-3fab~1')).toHaveLength(3);
    await client.appendToStream('note-3fab~2', events, { expectedRevision: 'no_stream' });
    expect(standIn.log.stream('note-3fab~2')).toHaveLength(2);
  });

  test.each([
    ['BatchAppend', undefined],
    ['Append', { username: 'anyone', password: 'secret' }],
  ] as const)('EDS-8 more than 1 MB in one append is refused whole, by %s', async (_, credentials) => {
    const write = (sizes: readonly number[]) =>
      client.appendToStream(
        'note-3fab~1',
        sizes.map((size) => event('NoteAdded', 'x'.repeat(size))),
        { expectedRevision: 'no_stream', ...(credentials === undefined ? {} : { credentials }) },
      );
    for (const sizes of [[1024 * 1024], [500_000, 600_000], [3_500_000, 3_500_000]]) {
      const error = await failure(write(sizes));
      expect(error).toBeInstanceOf(MaxAppendSizeExceededError);
      expect(error).toMatchObject({ maxAppendSize: 1024 * 1024 });
    }
    expect(standIn.log.stream('note-3fab~1')).toHaveLength(0);
    expect(await write([500_000, 500_000])).toMatchObject({ nextExpectedRevision: 1n });
  });

  test('EDS-9 deleting is not served', async () => {
    await append('note-3fab~1');
    for (const call of [client.deleteStream('note-3fab~1'), client.tombstoneStream('note-3fab~1')]) {
      expect(await failure(call)).toMatchObject({ code: 12 });
    }
    expect(standIn.log.stream('note-3fab~1')).toHaveLength(1);
  });
});

describe('the stand-in for EventStoreDB: subscriptions', () => {
  test('EDS-10 history, then one caughtUp, then live, with the system events among them', async () => {
    await append('note-3fab~1', 'any', 2);
    const watch = watchAll();
    await watch.heard('caughtUp');
    await append('note-4a00~1');
    standIn.log.emit('$stats-127.0.0.1:2113', '$statsCollected', {});
    await watch.heard('$stats-127.0.0.1:2113@1');
    expect(watch.said).toEqual([
      '$users@0',
      '$$$stats-127.0.0.1:2113@0',
      '$stats-127.0.0.1:2113@0',
      'note-3fab~1@0',
      'note-3fab~1@1',
      'caughtUp',
      'note-4a00~1@0',
      '$stats-127.0.0.1:2113@1',
    ]);
  });

  test('EDS-11 a subscription goes on after its position, and from the end takes only what comes', async () => {
    const { position } = await append('note-3fab~1');
    await append('note-3fab~2');
    const after = watchAll(position);
    const end = watchAll(END);
    await after.heard('caughtUp');
    await end.heard('caughtUp');
    await append('note-3fab~3');
    await after.heard('note-3fab~3@0');
    await end.heard('note-3fab~3@0');
    expect(after.said).toEqual(['note-3fab~2@0', 'caughtUp', 'note-3fab~3@0']);
    expect(end.said).toEqual(['caughtUp', 'note-3fab~3@0']);
  });

  test('EDS-12 a position beyond the end is caught up at once and skips what comes up to it', async () => {
    const head = BigInt(standIn.log.events.at(-1)?.position ?? 0);
    const watch = watchAll(at(head + 200n));
    await watch.heard('caughtUp');
    await append('note-3fab~1');
    await append('note-3fab~2');
    await append('note-3fab~3');
    await watch.heard('note-3fab~3@0');
    expect(watch.said).not.toContain('note-3fab~1@0');
    expect(watch.positions.every((position) => position > head + 200n)).toBe(true);
  });

  test.each([
    [
      'a regular expression',
      streamNameFilter({ regex: '^[a-z]+-(3f|4a)' }),
      ['note-3fab~1@0', 'note-4a00~1@0', 'other-3f~1@0'],
    ],
    ['prefixes', streamNameFilter({ prefixes: ['note-4a', 'other-'] }), ['note-4a00~1@0', 'other-3f~1@0']],
    ['a look ahead', streamNameFilter({ regex: '^(?!\\$|note-).*' }), ['other-3f~1@0']],
    ['types', eventTypeFilter({ prefixes: ['Odd'] }), ['other-3f~1@0']],
    ['system events', excludeSystemEvents(), ['note-3fab~1@0', 'note-4a00~1@0', 'note-77~1@0', 'other-3f~1@0']],
  ])('EDS-13 a filter by %s passes what it names', async (_, filter, wanted) => {
    await append('note-3fab~1');
    await append('note-4a00~1');
    await append('note-77~1');
    await client.appendToStream('other-3f~1', event('OddThing'));
    const watch = watched(() => client.subscribeToAll({ filter }));
    await watch.heard('caughtUp');
    expect(watch.said).toEqual([...wanted, 'caughtUp']);
  });

  test('EDS-14 a filtered subscription reports checkpoints for what it skipped, each interval and before caughtUp', async () => {
    await append('note-77~1', 'any', 26);
    const watch = watched((checkpointReached) =>
      client.subscribeToAll({
        filter: streamNameFilter({
          prefixes: ['note-3f'],
          maxSearchWindow: 5,
          checkpointInterval: 2,
          checkpointReached,
        }),
      }),
    );
    await watch.heard('caughtUp');
    expect(watch.said).toEqual(['checkpoint', 'checkpoint', 'checkpoint', 'caughtUp']);
    // Where the server began to read a page, five events each: only the last of these pages has not been looked through to its end.
    const begun = [5, 15, 25].map((index) => BigInt(standIn.log.events[index]?.position ?? 0));
    expect(watch.checkpoints).toEqual(begun);
    const { position } = await append('note-77~1', 'any', 10);
    await watch.heard('checkpoint', 4);
    expect(watch.checkpoints.at(-1)).toBe(position?.commit);
    await append('note-3fab~1');
    await watch.heard('note-3fab~1@0');
    const resumed = watched((checkpointReached) =>
      client.subscribeToAll({
        fromPosition: at(watch.checkpoints.at(-1)),
        filter: streamNameFilter({ prefixes: ['note-3f'], checkpointReached }),
      }),
    );
    await resumed.heard('caughtUp');
    expect(resumed.said).toEqual(['note-3fab~1@0', 'checkpoint', 'caughtUp']);
  });

  test('EDS-15 one stream is followed even before it exists, and after a revision', async () => {
    const names: string[] = [];
    const followed = client.subscribeToStream('note-3fab~1');
    const done = new Promise<void>((resolve) => {
      followed.on('data', ({ event: recorded }) => {
        names.push(`${recorded?.streamId}@${recorded?.revision}`);
        if (names.length === 2) resolve();
      });
    });
    await once(followed, 'caughtUp');
    await append('note-3fab~2');
    await append('note-3fab~1', 'any', 2);
    await done;
    expect(names).toEqual(['note-3fab~1@0', 'note-3fab~1@1']);
    const [first] = (await once(client.subscribeToStream('note-3fab~1', { fromRevision: 0n }), 'data')) as [
      ResolvedEvent,
    ];
    expect(first.event?.revision).toBe(1n);
  });

  test('EDS-16 one that falls behind loses nothing and says again when it has caught up, but keeps to itself that it fell behind', async () => {
    const watch = watchAll(END);
    await watch.heard('caughtUp');
    await append('note-3fab~1', 'any', 200);
    await watch.heard('caughtUp', 2);
    expect(watch.said.slice(0, 2)).toEqual(['caughtUp', 'note-3fab~1@0']);
    expect(watch.said).not.toContain('fellBehind');
    expect(watch.said.filter((what) => what.startsWith('note-'))).toHaveLength(200);
    standIn.faults.fallBehind();
    await watch.heard('caughtUp', 3);
    expect(watch.said.slice(-2)).toEqual(['fellBehind', 'caughtUp']);
  });

  test('EDS-17 a reader that pauses is waited for, and others are not held up by it', async () => {
    await append('note-3fab~1', 'any', 900);
    const slow = client.subscribeToAll();
    const [first] = (await once(
      slow.on('caughtUp', () => undefined),
      'data',
    )) as [AllStreamResolvedEvent];
    slow.pause();
    const quick = watchAll();
    await quick.heard('note-3fab~1@899');
    let last = first;
    const finished = new Promise<void>((resolve) => {
      slow.on('data', (resolved: AllStreamResolvedEvent) => {
        last = resolved;
        if (resolved.event?.revision === 899n) resolve();
      });
    });
    slow.resume();
    await finished;
    expect(last.event?.streamId).toBe('note-3fab~1');
  });
});

describe('the stand-in for EventStoreDB: reads through a filter', () => {
  const indexed = (index: number) => {
    const commit = BigInt(standIn.log.events[index]?.position ?? 0);
    return { commit, prepare: commit };
  };

  test('EDS-34 they pass what the filter names, either way, and look on behind the last one for another', async () => {
    await append('note-3fab~1', 'any', 2);
    await append('other-77~1', 'any', 3000);
    await append('note-3fab~1', 'any', 2);
    const patched = patchedClient(standIn.url);
    const { traffic } = standIn;
    const notes = async (options: Parameters<typeof patched.readFiltered>[0]) =>
      revisions(patched.readFiltered(options, '^note-'));
    expect(await notes({ direction: 'backwards', fromPosition: END })).toEqual([3, 2, 1, 0]);
    expect(await notes({ direction: 'forwards', fromPosition: START, maxCount: 3 })).toEqual([0, 1, 2]);
    const before = traffic.considered;
    expect(await notes({ direction: 'backwards', fromPosition: END, maxCount: 2 })).toEqual([3, 2]);
    expect(traffic.considered - before).toBeGreaterThan(3000);
    expect(await notes({ direction: 'forwards', fromPosition: indexed(3), maxCount: 1 })).toEqual([0]);
    expect(await notes({ direction: 'backwards', fromPosition: indexed(4), maxCount: 1 })).toEqual([0]);
    await patched.close();
  });

  test('EDS-35 a position inside a record is refused', async () => {
    await append('note-3fab~1', 'any', 2);
    const { commit } = indexed(3);
    const inside = { commit: commit + 1n, prepare: commit + 1n };
    expect(String(await failure(all(client.readAll({ fromPosition: inside }))))).toContain('invalid position');
    expect(await all(client.readAll({ fromPosition: indexed(3) }))).toHaveLength(2);
    expect(await all(client.readAll({ fromPosition: { commit: commit * 2n, prepare: commit * 2n } }))).toEqual([]);
  });
});

describe('the stand-in for EventStoreDB: orders to misbehave', () => {
  test('EDS-20 delay makes every answer late, in order', async () => {
    await append('note-3fab~1');
    standIn.faults.delay(120);
    const started = performance.now();
    const answers: bigint[] = [];
    const write = async (): Promise<void> => {
      answers.push((await append('note-3fab~1')).nextExpectedRevision);
    };
    const writing = Promise.all([write(), write(), write()]);
    standIn.faults.delay(60);
    await writing;
    expect(performance.now() - started).toBeGreaterThanOrEqual(59);
    expect(answers).toEqual([1n, 2n, 3n]);
    const reading = performance.now();
    expect(await revisions(client.readStream('note-3fab~1'))).toHaveLength(4);
    expect(performance.now() - reading).toBeGreaterThanOrEqual(59);
  });

  test('EDS-21 drop cuts every connection, and the next call comes through', async () => {
    const watch = watchAll();
    await watch.heard('caughtUp');
    const { reached } = standIn.faults.pauseAfter(0, /^note-3fab~held$/);
    const held = failure(append('note-3fab~held'));
    await reached;
    standIn.faults.drop();
    await watch.heard('error');
    expect(watch.errors[0]).toBeInstanceOf(UnavailableError);
    expect(await held).toBeInstanceOf(UnavailableError);
    standIn.faults.allow();
    await append('note-3fab~1', 'no_stream');
    expect(standIn.log.stream('note-3fab~held')).toHaveLength(0);
  });

  test('EDS-22 drop ends only live subscriptions: with an error or as if complete', async () => {
    for (const [how, said] of [
      ['unavailable', 'error'],
      ['complete', 'end'],
    ] as const) {
      const watch = watchAll();
      await watch.heard('caughtUp');
      standIn.faults.drop('subscriptions', how);
      await watch.heard(said);
      expect(watch.said.at(-1)).toBe(said);
    }
    expect(await append('note-3fab~1')).toMatchObject({ success: true });
  });

  test('EDS-23 reset breaks the connection after so many more messages', async () => {
    await append('note-3fab~1', 'any', 50);
    standIn.faults.reset(20);
    const watch = watchAll();
    await watch.heard('error');
    expect(watch.positions.length).toBeLessThan(20);
    expect(watch.said).not.toContain('caughtUp');
    const resumed = watchAll(watch.positions.length === 0 ? START : at(watch.positions.at(-1)));
    await resumed.heard('caughtUp');
    expect([...watch.positions, ...resumed.positions].map(Number)).toEqual(
      standIn.log.events.map(({ position }) => position),
    );
  });

  test('EDS-24 refuse fails appends and reads until allowed, and leaves subscriptions alone', async () => {
    await append('note-3fab~1');
    const watch = watchAll();
    await watch.heard('caughtUp');
    standIn.faults.refuse();
    expect(await failure(append('note-3fab~1'))).toBeInstanceOf(UnavailableError);
    expect(await failure(all(client.readStream('note-3fab~1')))).toBeInstanceOf(UnavailableError);
    expect(await failure(all(client.readAll()))).toBeInstanceOf(UnavailableError);
    standIn.log.emit('note-3fab~2', 'NoteAdded', {});
    await watch.heard('note-3fab~2@0');
    standIn.faults.allow();
    await append('note-3fab~1', 0n);
    standIn.faults.refuse('not-ready');
    const error = await failure(append('note-3fab~1'));
    expect(error).toBeInstanceOf(UnknownError);
    expect(String(error)).toContain('Server Is Not Ready');
    expect(standIn.log.stream('note-3fab~1')).toHaveLength(2);
  });

  test('EDS-25 a lost answer: the append stands, and a repeat of it is answered as the first would have been', async () => {
    await append('note-3fab~0');
    for (const [how, wanted] of [
      ['cut', UnavailableError],
      ['timeout', DeadlineExceededError],
    ] as const) {
      const stream = `note-3fab~${how}`;
      const one = event();
      const write = () => client.appendToStream(stream, one, { expectedRevision: 'no_stream' });
      const lost = standIn.faults.loseAnswer(1, how);
      expect(await failure(write())).toBeInstanceOf(wanted);
      await lost;
      expect(await write()).toMatchObject({
        nextExpectedRevision: 0n,
        position: { commit: BigInt(standIn.log.stream(stream)[0]?.position ?? 0) },
      });
      expect(standIn.log.stream(stream)).toHaveLength(1);
    }
    const silent = standIn.faults.loseAnswer(1, 'silence', /~silent$/);
    const never = append('note-3fab~silent');
    await append('note-3fab~1');
    await silent;
    expect(standIn.log.stream('note-3fab~silent')).toHaveLength(1);
    standIn.faults.drop();
    expect(await failure(never)).toBeInstanceOf(UnavailableError);
  });

  test('EDS-26 pauseAfter holds the append after so many before it is carried out', async () => {
    const pause = standIn.faults.pauseAfter(1, /^note-/);
    await append('note-3fab~1');
    const second = append('note-3fab~2');
    expect(await pause.reached).toBe('note-3fab~2');
    await append('other-3fab~1');
    expect(standIn.log.stream('note-3fab~2')).toHaveLength(0);
    pause.release();
    expect(await second).toMatchObject({ success: true });
  });

  test('EDS-27 restart keeps the port and the log and loses the connections', async () => {
    const { position } = await append('note-3fab~1');
    const watch = watchAll();
    await watch.heard('caughtUp');
    await standIn.faults.restart();
    await watch.heard('error');
    expect(await revisions(client.readStream('note-3fab~1'))).toEqual([0]);
    await append('note-3fab~1', 0n);
    const resumed = watchAll(position);
    await resumed.heard('caughtUp');
    expect(resumed.said).toEqual(['note-3fab~1@1', 'caughtUp']);
  });

  test('EDS-28 away: nobody answers until it is back on the same port', async () => {
    await append('note-3fab~1');
    await standIn.faults.away();
    expect(await failure(append('note-3fab~1'))).toMatchObject({ code: 14 });
    expect(await failure(all(client.readStream('note-3fab~1')))).toMatchObject({ code: 14 });
    await standIn.faults.back();
    await append('note-3fab~1', 0n);
  });
});

describe('the stand-in for EventStoreDB: credentials, choice and command line', () => {
  test('EDS-30 over TLS the right user may, a wrong one and nobody may not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'standin-'));
    const tls = selfSignedCertificate(Date.now());
    const authority = join(folder, 'ca.pem');
    await writeFile(authority, tls.certificate);
    const patched = await startEventStoreDbStandIn({ tls, credentials: { username: 'zakup', password: 'right' } });
    const as = (who: string): EventStoreDBClient =>
      connect(`${patched.url.replace('esdb://', `esdb://${who}`)}&tlsCAFile=${authority}`);
    const tries = async (who: string): Promise<readonly unknown[]> => [
      await failure(as(who).appendToStream('note-3fab~1', event())),
      await failure(all(as(who).readStream('note-3fab~1'))),
    ];
    expect(await tries('zakup:right@')).toEqual([null, null]);
    for (const who of ['zakup:wrong@', 'other:right@', '']) {
      for (const error of await tries(who)) expect(error).toBeInstanceOf(AccessDeniedError);
    }
    expect(patched.log.stream('note-3fab~1')).toHaveLength(1);
    for (const each of clients.splice(0)) await each.dispose();
    await patched.stop();
    await rm(folder, { recursive: true });
  });

  test('EDS-31 the server of the environment is taken, a stand-in otherwise, and none where a server is required', async () => {
    const named = await eventStoreDbServer({ EVENTSTOREDB_URL: 'esdb://db:2113?tls=false' });
    expect(named).toMatchObject({ url: 'esdb://db:2113?tls=false', kind: 'server', faults: null });
    const own = await eventStoreDbServer({ REQUIRE_SERVERS: 'mongodb' });
    expect(own.kind).toBe('stand-in');
    await connect(own.url).appendToStream('note-3fab~1', event());
    await own.stop();
    await expect(eventStoreDbServer({ REQUIRE_SERVERS: 'mongodb, eventstoredb' })).rejects.toThrow('EVENTSTOREDB_URL');
  });

  test('EDS-32 a journal gives back the same log, without an append that was never finished', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'standin-'));
    const journal = join(folder, 'journal');
    const log = standInLog({ journal });
    log.emit('note-3fab~1', 'NoteAdded', { text: 'один' });
    log.emit('note-3fab~2', 'NoteAdded', { text: 'два' });
    log.close();
    await writeFile(journal, '["note-3fab~3",17', { flag: 'a' });
    const again = standInLog({ journal });
    const shape = ({ events }: typeof log) =>
      events.map(({ data, metadata, ...rest }) => ({ ...rest, content: [...data, ...metadata] }));
    expect(shape(again)).toEqual(shape(log));
    again.emit('note-3fab~4', 'NoteAdded', {});
    again.close();
    expect(standInLog({ journal }).events).toHaveLength(log.events.length + 1);
    await rm(folder, { recursive: true });
  });

  test('EDS-33 the command prints where it listens, takes orders, and a kill loses nothing acknowledged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'standin-'));
    const script = fileURLToPath(new URL('../../scripts/standin-eventstoredb.ts', import.meta.url));
    const start = async (port: string): Promise<{ child: ChildProcess; line: () => Promise<string> }> => {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', script, '--port', port, '--file', join(folder, 'log')],
        {
          stdio: ['pipe', 'pipe', 'ignore'],
        },
      );
      if (child.stdout === null) throw new Error('its output is a pipe');
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return { child, line: async () => String((await lines.next()).value) };
    };
    const first = await start('0');
    const url = await first.line();
    expect(url).toMatch(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false$/);
    const outside = connect(url);
    await outside.appendToStream('note-3fab~1', event());
    first.child.stdin?.write('refuse\n');
    expect(await first.line()).toBe('ok refuse');
    expect(await failure(outside.appendToStream('note-3fab~1', event()))).toBeInstanceOf(UnavailableError);
    first.child.stdin?.write('allow\nemit $odd-1 $thing {"n":1}\nrestart\n');
    expect(await first.line()).toBe('ok allow');
    expect(await first.line()).toMatch(/^emitted \d+$/);
    expect(await first.line()).toBe('ok restart');
    const { position } = await outside.appendToStream('note-3fab~1', event(), { expectedRevision: 0n });
    first.child.stdin?.write('pauseAfter 0 ^note-\n');
    expect(await first.line()).toBe('ok pauseAfter');
    const cut = failure(outside.appendToStream('note-3fab~1', event()));
    expect(await first.line()).toBe('paused note-3fab~1');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect(await cut).toBeInstanceOf(UnavailableError);
    const second = await start(new URL(url).port);
    expect(await second.line()).toBe(url);
    const kept = await all(outside.readStream('note-3fab~1'));
    expect(kept.map(({ position: each }) => each?.commit).at(-1)).toBe(position?.commit);
    expect(kept).toHaveLength(2);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
    await rm(folder, { recursive: true });
  });
});
