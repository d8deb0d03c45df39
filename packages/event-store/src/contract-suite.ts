import { randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type {
  AppendResult,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  Position,
  AppendedEvent,
  RecordedEvent,
  Revision,
  StreamName,
  StreamWrite,
  SubscribeOptions,
} from './event-store.ts';

/** What an adapter claims beyond the port, and how hard the suite may press it. */
export interface ContractOptions {
  /** Positions have no gaps while nobody else writes. */
  readonly gapless?: boolean;
  /** False for an adapter that checks several writes just before it makes them one by one. Default true. */
  readonly atomicAcrossStreams?: boolean;
  /** Appends somebody else's event, without this product's metadata, to a stream with such a name. Absent: nobody else can. */
  readonly stranger?: (stream: StreamName) => Promise<void>;
  /** Runs of the model test; default 25. */
  readonly modelRuns?: number;
  /** Milliseconds that one test may take, which ends only what hangs; default 180,000. */
  readonly timeout?: number;
  /** One store for all tests but the one that closes it, where to open one takes longer than most of them. Default false: each has its own. */
  readonly oneStore?: boolean;
}

/** An event with fresh ids; `overrides` replace members of its metadata. */
export const sampleEvent = (
  licenceId: string,
  type = 'PlacementAdded',
  data: EventToAppend['data'] = { price: 1500, note: 'Проверка — ✓' },
  overrides: Partial<EventToAppend['metadata']> = {},
): EventToAppend => ({
  id: randomUUID(),
  type,
  data,
  metadata: {
    licenceId,
    actorId: randomUUID(),
    source: 'screen',
    commandId: randomUUID(),
    requestHash: randomBytes(32).toString('hex'),
    at: '2026-03-01T10:00:00.123Z',
    schemaVersion: 1,
    ...overrides,
  },
});

const appended = (result: AppendResult): Extract<AppendResult, { kind: 'appended' }> => {
  if (result.kind !== 'appended') throw new Error(`Expected an append, got ${JSON.stringify(result)}`);
  return result;
};

const ids = (events: readonly EventToAppend[]) => events.map(({ id }) => id);

const rising = (events: readonly AppendedEvent[]) =>
  events.every((event, index) => index === 0 || event.position > (events[index - 1]?.position ?? 0));

/** Follows a subscription until `enough` says so; only events of one licence are kept, others may be in the log. */
const follow = async (
  store: EventStore,
  options: Omit<SubscribeOptions, 'signal'>,
  licenceId: string,
  enough: (events: readonly RecordedEvent[], caughtUpAt: Position | undefined) => boolean,
) => {
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  const batches: (readonly RecordedEvent[])[] = [];
  let caughtUpAt: Position | undefined;
  let last = options.after;
  for await (const message of store.subscribe({ ...options, signal: stop.signal })) {
    switch (message.kind) {
      case 'events': {
        for (const { position } of message.events) {
          expect(position).toBeGreaterThan(last);
          last = position;
        }
        const own = message.events.filter(({ metadata }) => metadata?.licenceId === licenceId);
        if (own.length > 0) batches.push(own);
        events.push(...own);
        break;
      }
      case 'caught_up':
        caughtUpAt = message.position;
    }
    if (enough(events, caughtUpAt)) stop.abort();
  }
  return { events, batches, caughtUpAt };
};

/**
 * The promises of the EventStore port as tests; every adapter runs them. `makeStore` gives an open store, which the suite closes. The log
 * may hold anything from before and from others: streams and licences are fresh in each test.
 */
export const eventStoreContractSuite = (
  adapter: string,
  makeStore: () => Promise<EventStore>,
  options: ContractOptions = {},
): void => {
  const {
    gapless = false,
    atomicAcrossStreams = true,
    modelRuns = 25,
    timeout = 180_000,
    oneStore = false,
    stranger,
  } = options;

  type Use = (store: EventStore, fresh: ReturnType<typeof freshNames>) => Promise<void>;
  let shared: Promise<EventStore> | null = null;
  const closeShared = async (): Promise<void> => {
    const closing = shared;
    shared = null;
    await (await closing)?.close();
  };
  /** With a store that nobody else has, nor has open: a log has one writer. */
  const withOwnStore = async (use: Use): Promise<void> => {
    await closeShared();
    const store = await makeStore();
    try {
      await use(store, freshNames());
    } finally {
      await store.close();
    }
  };
  const withStore = async (use: Use): Promise<void> => {
    if (!oneStore) return withOwnStore(use);
    shared ??= makeStore();
    return use(await shared, freshNames());
  };

  const freshNames = () => {
    const licenceId: string = randomUUID();
    const stream = (category = 'placement'): StreamName => `${category}-${licenceId}~${randomUUID()}`;
    const event = (...rest: Parameters<typeof sampleEvent> extends [string, ...infer Rest] ? Rest : never) =>
      sampleEvent(licenceId, ...rest);
    const write = (
      to: StreamName,
      expectedRevision: ExpectedRevision,
      events: StreamWrite['events'] = [event()],
    ): StreamWrite => ({ stream: to, expectedRevision, events });
    return { licenceId, stream, event, write };
  };

  describe(`EventStore contract: ${adapter}`, { timeout }, () => {
    afterAll(closeShared);

    it('ES-1 gives back every event exactly as it was appended', () =>
      withStore(async (store, { stream, event, write }) => {
        const to = stream();
        const data = {
          text: 'ё "\\\n\u2028',
          list: [1, -0.5, 1e21, null, true],
          nested: { deep: { empty: {} } },
          ['__proto__']: 1,
        };
        const events = [
          event('A', data, { causedBy: randomUUID(), source: 'system' }),
          event('B', {}, { actorId: 'admin', commandId: 'not a uuid', requestHash: '', causedBy: 'x', at: 'some day' }),
          { ...event('C', { n: Number.MAX_SAFE_INTEGER }), id: randomUUID().toUpperCase() },
        ] as const;
        const result = appended(await store.append([write(to, 'no_stream', [...events])]));
        const read = await store.read(to);
        expect(read).toMatchObject(result.events);
        expect(read.map(({ id, type, data: content, metadata }) => ({ id, type, data: content, metadata }))).toEqual(
          events,
        );
        expect(read.map(({ revision }) => revision)).toEqual([0, 1, 2]);
        expect(read.every((entry) => entry.stream === to)).toBe(true);
      }));

    it('ES-2 no_stream holds only for an absent stream', () =>
      withStore(async (store, { stream, write }) => {
        const to = stream();
        expect(await store.revision(to)).toBe('no_stream');
        expect(await store.read(to)).toEqual([]);
        expect(appended(await store.append([write(to, 'no_stream')])).revisions).toEqual([0]);
        expect(await store.append([write(to, 'no_stream')])).toEqual({ kind: 'wrong_revision', stream: to, actual: 0 });
        expect(await store.revision(to)).toBe(0);
        expect(await store.read(to)).toHaveLength(1);
      }));

    it('ES-3 a number must be the revision of the last event', () =>
      withStore(async (store, { stream, event, write }) => {
        const to = stream();
        expect(await store.append([write(to, 0)])).toEqual({ kind: 'wrong_revision', stream: to, actual: 'no_stream' });
        await store.append([write(to, 'no_stream', [event(), event()])]);
        expect((await store.append([write(to, 0)])).kind).toBe('wrong_revision');
        expect((await store.append([write(to, 2)])).kind).toBe('wrong_revision');
        expect(appended(await store.append([write(to, 1)])).revisions).toEqual([2]);
      }));

    it('ES-4 any appends without a check', () =>
      withStore(async (store, { stream, write }) => {
        const to = stream();
        expect(appended(await store.append([write(to, 'any')])).revisions).toEqual([0]);
        expect(appended(await store.append([write(to, 'any')])).revisions).toEqual([1]);
      }));

    it('ES-5 a refused append leaves nothing in stream, licence or command', () =>
      withStore(async (store, { licenceId, stream, write }) => {
        const to = stream();
        const commandKey = randomUUID();
        expect((await store.append([write(to, 3)], { commandKey })).kind).toBe('wrong_revision');
        expect(await store.revision(to)).toBe('no_stream');
        expect(await store.readLicence(licenceId)).toEqual([]);
        expect(await store.readCommand(commandKey)).toEqual([]);
        expect((await store.append([write(to, 'no_stream')], { commandKey })).kind).toBe('appended');
      }));

    it('ES-6 several writes are all made or none, as long as nobody else writes meanwhile', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        expect(store.atomicAcrossStreams).toBe(atomicAcrossStreams);
        const [one, two] = [stream(), stream('contractor')];
        await store.append([write(two, 'no_stream')]);
        const refused = await store.append([write(one, 'no_stream'), write(two, 'no_stream')]);
        expect(refused).toEqual({ kind: 'wrong_revision', stream: two, actual: 0 });
        expect(await store.revision(one)).toBe('no_stream');
        const done = appended(await store.append([write(one, 'no_stream', [event(), event()]), write(two, 0)]));
        expect(done.revisions).toEqual([1, 1]);
        expect(done.events).toHaveLength(3);
        expect(rising(done.events)).toBe(true);
        expect(done.position).toBe(done.events.at(-1)?.position);
        expect((await store.readLicence(licenceId)).slice(1)).toMatchObject(done.events);
      }));

    it('ES-29 several writes are all made or none while others write the same streams', (context) => {
      context.skip(!atomicAcrossStreams, 'this adapter makes several writes one by one');
      return withStore(async (store, { licenceId, stream, write }) => {
        const [one, two] = [stream(), stream('contractor')];
        const results = await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            store.append(
              index % 2 === 0
                ? [write(one, 'any'), write(two, index === 0 ? 'no_stream' : index / 2 - 1)]
                : [write(two, 'any')],
            ),
          ),
        );
        const events = results.flatMap((result) => (result.kind === 'appended' ? result.events : []));
        expect(await store.readLicence(licenceId)).toMatchObject(events.toSorted((a, b) => a.position - b.position));
      });
    });

    it('ES-7 unchanged must hold, and says which stream did not', () =>
      withStore(async (store, { stream, write }) => {
        const [to, campaign, absent] = [stream(), stream('campaign'), stream('licence')];
        await store.append([write(campaign, 'no_stream')]);
        const held = [
          { stream: campaign, revision: 0 },
          { stream: absent, revision: 'no_stream' },
        ] as const;
        expect((await store.append([write(to, 'no_stream')], { unchanged: held })).kind).toBe('appended');
        await store.append([write(campaign, 0)]);
        const changed = await store.append([write(to, 0)], { unchanged: held });
        expect(changed).toEqual({ kind: 'changed', stream: campaign, actual: 1 });
        const missing = await store.append([write(to, 0)], { unchanged: [{ stream: absent, revision: 4 }] });
        expect(missing).toEqual({ kind: 'changed', stream: absent, actual: 'no_stream' });
        expect(await store.revision(to)).toBe(0);
      }));

    it('ES-8 a command key is used once, whatever the revisions say', () =>
      withStore(async (store, { stream, write }) => {
        const to = stream();
        const commandKey = `person:${randomUUID()}`;
        const first = appended(await store.append([write(to, 'no_stream')], { commandKey }));
        expect(await store.append([write(to, 0)], { commandKey })).toEqual({ kind: 'command_known', commandKey });
        expect(await store.append([write(to, 'no_stream')], { commandKey })).toEqual({
          kind: 'command_known',
          commandKey,
        });
        expect(await store.readCommand(commandKey)).toMatchObject(first.events);
        expect(await store.readCommand(`${commandKey}x`)).toEqual([]);
        expect(await store.read(to)).toHaveLength(1);
      }));

    it('ES-9 of 20 appends at once under one command key exactly one succeeds', () =>
      withStore(async (store, { licenceId, stream, write }) => {
        const commandKey = randomUUID();
        const results = await Promise.all(
          Array.from({ length: 20 }, () => store.append([write(stream(), 'no_stream')], { commandKey })),
        );
        expect(results.filter(({ kind }) => kind === 'appended')).toHaveLength(1);
        expect(results.filter(({ kind }) => kind === 'command_known')).toHaveLength(19);
        expect(await store.readLicence(licenceId)).toEqual(await store.readCommand(commandKey));
      }));

    it('ES-10 reads ranges in both directions with limits', () =>
      withStore(async (store, { stream, event, write }) => {
        const to = stream();
        await store.append([write(to, 'no_stream', [event(), event(), event(), event(), event(), event()])]);
        const revisions = async (
          ...range: Parameters<EventStore['read']> extends [string, ...infer Rest] ? Rest : never
        ) => (await store.read(to, ...range)).map(({ revision }) => revision);
        expect(await revisions()).toEqual([0, 1, 2, 3, 4, 5]);
        expect(await revisions({ from: 2 })).toEqual([2, 3, 4, 5]);
        expect(await revisions({ from: 2, to: 3 })).toEqual([2, 3]);
        expect(await revisions({ to: 1 })).toEqual([0, 1]);
        expect(await revisions({ from: 3, to: 2 })).toEqual([]);
        expect(await revisions({ from: 6 })).toEqual([]);
        expect(await revisions({ to: 99, limit: 2 })).toEqual([0, 1]);
        expect(await revisions({ limit: 0 })).toEqual([]);
        expect(await revisions({ direction: 'backwards' })).toEqual([5, 4, 3, 2, 1, 0]);
        expect(await revisions({ direction: 'backwards', limit: 1 })).toEqual([5]);
        expect(await revisions({ direction: 'backwards', from: 3, to: 1 })).toEqual([3, 2, 1]);
        expect(await revisions({ direction: 'backwards', from: 99, to: 4 })).toEqual([5, 4]);
        expect(await revisions({ direction: 'backwards', from: 1, to: 2 })).toEqual([]);
      }));

    it('ES-11 reads one licence in log order between two positions', () =>
      withStore(async (store, { licenceId, stream, write }) => {
        const foreign = freshNames();
        const [one, two] = [stream(), stream('campaign')];
        await store.append([write(one, 'no_stream')]);
        await store.append([foreign.write(foreign.stream(), 'no_stream')]);
        await store.append([write(two, 'no_stream')]);
        await store.append([write(one, 0)]);
        const all = await store.readLicence(licenceId);
        expect(all.map((event) => event.stream)).toEqual([one, two, one]);
        expect(rising(all)).toBe(true);
        const [first, second, third] = all.map(({ position }) => position) as [number, number, number];
        expect(await store.readLicence(licenceId, { after: first })).toEqual(all.slice(1));
        expect(await store.readLicence(licenceId, { to: second })).toEqual(all.slice(0, 2));
        expect(await store.readLicence(licenceId, { after: first, to: second })).toEqual(all.slice(1, 2));
        expect(await store.readLicence(licenceId, { limit: 1 })).toEqual(all.slice(0, 1));
        expect(await store.readLicence(licenceId, { after: third })).toEqual([]);
        expect(await store.readLicence(randomUUID())).toEqual([]);
      }));

    it('ES-12 head is the position of the last event', () =>
      withStore(async (store, { stream, write }) => {
        const before = await store.head();
        const { position } = appended(await store.append([write(stream(), 'no_stream')]));
        expect(position).toBeGreaterThan(before);
        expect(await store.head()).toBeGreaterThanOrEqual(position);
        expect(position - before).toBe(gapless ? 1 : position - before);
      }));

    it('ES-13 append, read and subscription agree on positions, and instants never go back', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        const after = await store.head();
        const to = stream();
        const live = follow(store, { after }, licenceId, (events) => events.length === 40);
        const results: AppendedEvent[] = [];
        for (let round = 0; round < 20; round += 1) {
          results.push(...appended(await store.append([write(to, 'any', [event(), event()])])).events);
        }
        const { events } = await live;
        expect(events).toMatchObject(results);
        const stored = await store.read(to);
        expect(stored).toEqual(events);
        const instants = stored.map(({ recordedAt }) => recordedAt);
        expect(instants).toEqual([...instants].sort());
        expect(instants.every((instant) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/.test(instant))).toBe(true);
      }));

    it('ES-14 subscribers from different places see history, then live, whole and once, while appends run', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        const start = await store.head();
        const streams = [stream(), stream(), stream()];
        const total = 240;
        const positions: Position[] = [];
        for (let index = 0; index < 60; index += 1) {
          const result = await store.append([write(streams[index % 3] ?? '', 'any')]);
          positions.push(appended(result).position);
        }
        const starts = [start, positions[10] ?? 0, positions[59] ?? 0];
        const followers = starts.map((after, index) =>
          follow(
            store,
            { after, maxBatch: [500, 7, 1][index] ?? 500 },
            licenceId,
            (events) => events.length === [total, total - 11, total - 60][index],
          ),
        );
        for (let index = 0; index < 90; index += 1) {
          await Promise.all([
            store.append([write(streams[index % 3] ?? '', 'any')]),
            store.append([write(streams[(index + 1) % 3] ?? '', 'any', [event()])]),
          ]);
        }
        const all = await store.readLicence(licenceId);
        expect(all).toHaveLength(total);
        const [fromStart, fromTenth, fromNow] = await Promise.all(followers);
        expect(fromStart?.events).toEqual(all);
        expect(fromTenth?.events).toEqual(all.slice(11));
        expect(fromNow?.events).toEqual(all.slice(60));
        expect(fromTenth?.batches.every((batch) => batch.length <= 7)).toBe(true);
      }));

    it('ES-15 the events of one append arrive in one batch unless it alone is larger', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        const after = await store.head();
        const three = () => [event(), event(), event()] as [EventToAppend, ...EventToAppend[]];
        await store.append([write(stream(), 'no_stream', three())]);
        await store.append([write(stream(), 'no_stream', three())]);
        await store.append([write(stream(), 'no_stream', [...three(), ...three()])]);
        const { batches } = await follow(store, { after, maxBatch: 4 }, licenceId, (events) => events.length === 12);
        const streamsOf = batches.map((batch) => new Set(batch.map((entry) => entry.stream)).size);
        expect(batches.map((batch) => batch.length)).toEqual([3, 3, 4, 2]);
        expect(streamsOf).toEqual([1, 1, 1, 1]);
      }));

    it('ES-16 caught_up comes after all of the history, also when there is none', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        const empty = await follow(store, { after: await store.head() }, licenceId, (_, at) => at !== undefined);
        expect(empty.events).toEqual([]);
        const after = await store.head();
        const last = appended(await store.append([write(stream(), 'any', [event(), event(), event()])])).position;
        const live = await follow(store, { after }, licenceId, (events) => events.length === 3);
        expect(live.events).toHaveLength(3);
        const history = await follow(store, { after, maxBatch: 1 }, licenceId, (_, at) => at !== undefined);
        expect(history.events).toHaveLength(3);
        expect(history.caughtUpAt).toBeGreaterThanOrEqual(last);
      }));

    it('ES-36 caught_up comes also when the log grows whenever something of it is delivered', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        const after = await store.head();
        /** Resolves when followers are given it. */
        const given = async (...writes: [StreamWrite]): Promise<number> => {
          const { position } = appended(await store.append(writes));
          await follow(store, { after }, licenceId, (events) => events.at(-1)?.position === position);
          return position;
        };
        const last = await given(write(stream(), 'no_stream', [event(), event(), event()]));
        const growing = stream();
        const stop = new AbortController();
        let batches = 0;
        let caughtUpAt: number | undefined;
        for await (const message of store.subscribe({ after, signal: stop.signal })) {
          if (message.kind === 'caught_up') caughtUpAt = message.position;
          batches += 1;
          if (caughtUpAt !== undefined || batches === 20) break;
          await given(write(growing, 'any'));
        }
        expect(caughtUpAt).toBeGreaterThanOrEqual(last);
      }));

    it('ES-55 caught_up comes also to a follower that lacks more than one batch all the time', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        const after = await store.head();
        const growing = stream();
        /** Resolves when followers are given them. */
        const given = async (count: number): Promise<number> => {
          let position = 0;
          for (let index = 0; index < count; index += 1)
            ({ position } = appended(await store.append([write(growing, 'any', [event()])])));
          await follow(store, { after }, licenceId, (events) => events.at(-1)?.position === position);
          return position;
        };
        const last = await given(4);
        const stop = new AbortController();
        const caughtUpAt: number[] = [];
        let batches = 0;
        for await (const message of store.subscribe({ after, signal: stop.signal, maxBatch: 1 })) {
          if (message.kind === 'caught_up') caughtUpAt.push(message.position);
          else batches += 1;
          if (caughtUpAt.length > 0 || batches === 20) break;
          await given(3);
        }
        expect(caughtUpAt[0]).toBeGreaterThanOrEqual(last);
      }));

    it('ES-17 an aborted signal ends a waiting subscription without an error', () =>
      withStore(async (store) => {
        const stop = new AbortController();
        const messages = store.subscribe({ after: await store.head(), signal: stop.signal })[Symbol.asyncIterator]();
        expect((await messages.next()).value).toMatchObject({ kind: 'caught_up' });
        const waiting = messages.next();
        stop.abort();
        expect((await waiting).done).toBe(true);
        const late = store.subscribe({ after: 0, signal: stop.signal })[Symbol.asyncIterator]();
        expect((await late.next()).done).toBe(true);
      }));

    it('ES-18 partitions filter by what follows the dash of the stream name', () =>
      withStore(async (store) => {
        const after = await store.head();
        const tail = randomUUID().slice(2);
        const licences = ['a1', 'b2', 'c3'].map((prefix) => `${prefix}${tail}`);
        for (const licenceId of [...licences, ...licences]) {
          const stream = `placement-${licenceId}~${randomUUID()}`;
          await store.append([{ stream, expectedRevision: 'no_stream', events: [sampleEvent(licenceId)] }]);
        }
        const stop = new AbortController();
        const seen: string[] = [];
        const messages = store.subscribe({ after, partitions: ['a1', 'c3'], signal: stop.signal, maxBatch: 2 });
        for await (const message of messages) {
          if (message.kind === 'caught_up') continue;
          for (const { stream, metadata } of message.events) {
            expect(['a1', 'c3']).toContain(stream.slice(10, 12));
            if (metadata.licenceId.endsWith(tail)) seen.push(metadata.licenceId.slice(0, 2));
          }
          if (seen.length === 4) stop.abort();
        }
        expect(seen).toEqual(['a1', 'c3', 'a1', 'c3']);
      }));

    it('ES-19 events of types and shapes nobody here knows pass through untouched', () =>
      withStore(async (store, { licenceId, stream, event }) => {
        const after = await store.head();
        const foreign = stream('somebodyelses');
        const strange = event(
          '$strange-Type.v9',
          { $meta: [[]], ключ: '' },
          { schemaVersion: 900_000, actorId: 'система' },
        );
        const result = appended(await store.append([{ stream: foreign, expectedRevision: 'any', events: [strange] }]));
        const { events } = await follow(store, { after }, licenceId, (seen) => seen.length === 1);
        expect(events).toMatchObject(result.events);
        expect(events[0]).toMatchObject(strange);
      }));

    it('ES-20 64 appenders on one stream each get a revision of their own', () =>
      withStore(async (store, { stream, write }) => {
        const to = stream();
        const results = await Promise.all(Array.from({ length: 64 }, () => store.append([write(to, 'any')])));
        const revisions = results.map((result) => appended(result).revisions[0] ?? -1);
        expect([...revisions].sort((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, index) => index));
        const read = await store.read(to);
        expect(rising(read)).toBe(true);
        const span = (read.at(-1)?.position ?? 0) - (read[0]?.position ?? 0);
        expect(span).toBe(gapless ? 63 : span);
      }));

    it('ES-21 of 64 appenders expecting one revision exactly one succeeds', () =>
      withStore(async (store, { stream, write }) => {
        const to = stream();
        await store.append([write(to, 'no_stream')]);
        const results = await Promise.all(Array.from({ length: 64 }, () => store.append([write(to, 0)])));
        expect(results.filter(({ kind }) => kind === 'appended')).toHaveLength(1);
        expect(results.filter(({ kind }) => kind === 'wrong_revision')).toHaveLength(63);
        expect(await store.revision(to)).toBe(1);
      }));

    it('ES-22 64 appenders on streams of their own all succeed, 10 rounds over', () =>
      withStore(async (store, { licenceId, stream, write }) => {
        const streams = Array.from({ length: 64 }, () => stream());
        await Promise.all(
          streams.map(async (to) => {
            for (let round = 0; round < 10; round += 1) {
              const expected = round === 0 ? 'no_stream' : round - 1;
              expect(appended(await store.append([write(to, expected)])).revisions).toEqual([round]);
            }
          }),
        );
        const all = await store.readLicence(licenceId);
        expect(all).toHaveLength(640);
        expect(rising(all)).toBe(true);
      }));

    it('ES-23 close finishes what was accepted, ends waiting subscriptions and refuses the rest', () =>
      withOwnStore(async (store, { stream, write }) => {
        const signal = new AbortController().signal;
        const messages = store.subscribe({ after: await store.head(), signal })[Symbol.asyncIterator]();
        await messages.next();
        const waiting = (async () => {
          for (let next = await messages.next(); next.done !== true; next = await messages.next());
          return 'ended';
        })();
        const accepted = Array.from({ length: 10 }, () => store.append([write(stream(), 'no_stream')]));
        await store.close();
        expect((await Promise.all(accepted)).every(({ kind }) => kind === 'appended')).toBe(true);
        expect(await waiting).toBe('ended');
        await expect(store.append([write(stream(), 'no_stream')])).rejects.toMatchObject({
          name: 'EventStoreUnavailable',
        });
        await expect(store.head()).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
      }));

    it('ES-24 a malformed append is thrown back and leaves nothing', () =>
      withStore(async (store, { stream, write }) => {
        const to = stream();
        await expect(store.append([write(to, 'any'), write(to, 'any')])).rejects.toThrow(TypeError);
        await expect(store.append([write(to, -1)])).rejects.toThrow(TypeError);
        await expect(store.append([write(to, 0.5)])).rejects.toThrow(TypeError);
        await expect(store.append([] as unknown as [StreamWrite])).rejects.toThrow(TypeError);
        expect(await store.revision(to)).toBe('no_stream');
      }));

    it('ES-25 later changes to what was appended do not reach the store', () =>
      withStore(async (store, { licenceId, stream, write, event }) => {
        const after = await store.head();
        const to = stream();
        const data = { price: 1, tags: ['a'] };
        const pending = store.append([write(to, 'no_stream', [event('A', data)])]);
        data.price = 2;
        data.tags.push('b');
        await pending;
        const { events } = await follow(store, { after }, licenceId, (seen) => seen.length === 1);
        expect(events[0]?.data).toEqual({ price: 1, tags: ['a'] });
        expect((await store.read(to))[0]?.data).toEqual({ price: 1, tags: ['a'] });
      }));

    it('ES-26 an append of many and large events stays whole', () =>
      withStore(async (store, { licenceId, stream, event, write }) => {
        const after = await store.head();
        const large = Array.from({ length: 700 }, (_, index) => event('Large', { index, text: 'ж'.repeat(500) }));
        const to = stream();
        const result = appended(
          await store.append([write(to, 'no_stream', large as [EventToAppend, ...EventToAppend[]])]),
        );
        expect(result.revisions).toEqual([699]);
        const { events } = await follow(store, { after }, licenceId, (seen) => seen.length === 700);
        expect(ids(events)).toEqual(ids(large));
        expect(ids(await store.read(to, { direction: 'backwards' }))).toEqual(ids(large).toReversed());
      }));

    it('ES-27 random appends do what a list of events would do', () =>
      withStore(async (store) => {
        const streamNumber = fc.integer({ min: 0, max: 3 });
        const expectedRevision = fc.oneof(
          fc.constant('any' as const),
          fc.constant('no_stream' as const),
          fc.constant('right' as const),
          fc.integer({ min: 0, max: 4 }),
        );
        const command = fc.record({
          writes: fc.uniqueArray(
            fc.record({ stream: streamNumber, expected: expectedRevision, count: fc.integer({ min: 1, max: 3 }) }),
            { selector: ({ stream }) => stream, minLength: 1, maxLength: 3 },
          ),
          unchanged: fc.array(fc.record({ stream: streamNumber, expected: expectedRevision }), { maxLength: 1 }),
          key: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
        });

        await fc.assert(
          fc.asyncProperty(fc.array(command, { maxLength: 15 }), async (commands) => {
            const { licenceId, stream, event } = freshNames();
            const names = Array.from({ length: 4 }, () => stream());
            const model: { stream: StreamName; revision: Revision; id: string }[] = [];
            const keys = new Map<string, string[]>();
            const current = (name: StreamName) => {
              const { length } = model.filter((entry) => entry.stream === name);
              return length === 0 ? 'no_stream' : length - 1;
            };
            const meant = (name: StreamName, expected: ExpectedRevision | 'right') =>
              expected === 'right' ? current(name) : expected;

            for (const { writes, unchanged, key } of commands) {
              const wanted = writes.map(({ stream: number, expected, count }) => ({
                stream: names[number] ?? '',
                expectedRevision: meant(names[number] ?? '', expected),
                events: Array.from({ length: count }, () => event()) as [EventToAppend, ...EventToAppend[]],
              }));
              const held = unchanged.map(({ stream: number, expected }) => {
                const revision = meant(names[number] ?? '', expected === 'any' ? 'right' : expected);
                return { stream: names[number] ?? '', revision: revision === 'any' ? 'no_stream' : revision } as const;
              });
              const commandKey = key === undefined ? undefined : `${licenceId}:${key}`;
              const broken = held.find((entry) => current(entry.stream) !== entry.revision);
              const wrong = wanted.find(
                (write) => write.expectedRevision !== 'any' && write.expectedRevision !== current(write.stream),
              );
              const expectedKind =
                commandKey !== undefined && keys.has(commandKey)
                  ? 'command_known'
                  : wrong !== undefined
                    ? 'wrong_revision'
                    : broken !== undefined
                      ? 'changed'
                      : 'appended';
              const result = await store.append(wanted as readonly StreamWrite[] as [StreamWrite, ...StreamWrite[]], {
                unchanged: held,
                ...(commandKey === undefined ? undefined : { commandKey }),
              });
              expect(result.kind).toBe(expectedKind);
              if (result.kind !== 'appended') continue;
              for (const write of wanted) {
                for (const { id } of write.events) {
                  const last = current(write.stream);
                  model.push({ stream: write.stream, revision: last === 'no_stream' ? 0 : last + 1, id });
                }
              }
              if (commandKey !== undefined) keys.set(commandKey, ids(result.events));
            }

            const stored = await store.readLicence(licenceId);
            expect(stored.map((entry) => ({ stream: entry.stream, revision: entry.revision, id: entry.id }))).toEqual(
              model,
            );
            for (const name of names) {
              expect(await store.revision(name)).toBe(current(name));
              expect(await store.read(name)).toEqual(stored.filter((entry) => entry.stream === name));
            }
            for (const [key, expected] of keys) expect(ids(await store.readCommand(key))).toEqual(expected);
          }),
          { numRuns: modelRuns },
        );
      }));

    it("ES-28 somebody else's events are passed over, but keep their place in a stream", (context) => {
      context.skip(stranger === undefined, 'nobody else can write to this log');
      return withStore(async (store, { licenceId, stream, write }) => {
        const after = await store.head();
        const [own, foreign] = [stream(), stream()];
        await store.append([write(own, 'no_stream')]);
        await stranger?.(foreign);
        await stranger?.(own);
        expect(await store.append([write(own, 0)])).toEqual({ kind: 'wrong_revision', stream: own, actual: 1 });
        await store.append([write(own, 1)]);
        const expected = [0, 2];
        const revisions = (events: readonly RecordedEvent[]) => events.map(({ revision }) => revision);
        expect(revisions(await store.read(own))).toEqual(expected);
        expect(await store.read(foreign)).toEqual([]);
        expect(await store.revision(own)).toBe(2);
        expect(revisions(await store.readLicence(licenceId))).toEqual(expected);
        const { events } = await follow(store, { after }, licenceId, (seen) => seen.length === 2);
        expect(revisions(events)).toEqual(expected);
      });
    });
  });
};
