import { randomUUID } from 'node:crypto';
import type { EventStore, StreamWrite } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readiness } from '../health.ts';
import { jsonLog } from '../log.ts';
import { unknownLogText } from '../refusal-text.ts';
import { goingAway } from '../testing/going-away.ts';
import { replaceable } from '../testing/replaceable.ts';
import { watchDependencies } from '../dependency-health.ts';
import { noteLog } from './log-identity.ts';
import { type LosableEventStore, logIdentityGuard } from './log-identity-guard.ts';
import { allPartitions } from './all-partitions.ts';

const write = (): StreamWrite => {
  const id = randomUUID();
  const metadata = {
    licenceId: '3f00',
    actorId: 'a',
    source: 'api',
    commandId: id,
    requestHash: '',
    at: '2030-01-01T00:00:00.000Z',
    schemaVersion: 1,
  } as const;
  return {
    stream: `thing-3f00~${id}`,
    expectedRevision: 'no_stream',
    events: [{ id, type: 'Happened', data: {}, metadata }],
  };
};

const logOf = async (events: number): Promise<EventStore> => {
  const log = inMemoryEventStore({ clock: Date.now });
  for (let made = 0; made < events; made += 1) await log.append([write()]);
  return log;
};

const behind = (head: number, source: string, bound: number): string =>
  `${head === 0 ? 'Журнала EventStoreDB events:2113 нет или он пуст' : `Журнал EventStoreDB events:2113 заканчивается на позиции ${head}`}, а по ${source} он доходил до ${bound}: похоже, на его месте старая копия или другой журнал. Пока не вернётся прежний журнал, изменения не принимаются.`;
const foreign = expect.stringMatching(/^Модели чтения собраны по другому журналу.* Пока не вернётся прежний журнал/u);

/** On a log of so many events, of which the read models tell when `noted`. */
const given = async (events: number, noted = true, onLost?: LosableEventStore['onLost']) => {
  const log = await logOf(events);
  const server = replaceable(log);
  const readStore = inMemoryReadStore({ declared: { license: [] } });
  if (noted) {
    await noteLog({ eventStore: log, readStore }, 1);
    await readStore.commit({ docs: [], checkpoint: { partition: allPartitions, position: events, fence: 1 } });
  }
  const documents = goingAway(readStore);
  const eventStore = onLost === undefined ? server.store : { ...server.store, onLost };
  const right = logIdentityGuard({
    eventStore,
    readStore: documents.store,
    where: 'EventStoreDB events:2113',
    source: 'MONGODB_URL (mongo)',
  });
  await right.ensure();
  const append = () => right.eventStore.append([write()]);
  return { log, server, right, documents, readStore, append, look: right.watched.look };
};

describe('the log that it was', () => {
  test('RLOG-1 an empty one in its place is told, and neither read nor written until the right one is back', async () => {
    const { log, server, right, append, look } = await given(3);
    expect(await look()).toBeNull();
    server.now = await logOf(0);
    expect(await look()).toBe(behind(0, 'MONGODB_URL (mongo)', 3));
    const { eventStore } = right;
    await expect(append()).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    await expect(eventStore.read('thing-3f00~a')).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    await expect(eventStore.readCommand('key')).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await server.now.head()).toBe(0);
    server.now = log;
    expect(await look()).toBeNull();
    expect(await append()).toMatchObject({ kind: 'appended', position: 4 });
  });

  test('RLOG-2 so is another one, however long, and one whose stream bears the same name', async () => {
    const { server, append, look } = await given(3);
    server.now = await logOf(9);
    expect(await look()).toEqual(foreign);
    await expect(append()).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await server.now.head()).toBe(9);
  });

  test('RLOG-3 and an older copy of it, by what this process has seen', async () => {
    const { log, server, right, append, look } = await given(2);
    const older = await logOf(0);
    for await (const message of log.subscribe({ after: 0, signal: AbortSignal.timeout(5_000) })) {
      for (const { stream, id, type, data, metadata } of message.kind === 'events' ? message.events : [])
        await older.append([{ stream, expectedRevision: 'no_stream', events: [{ id, type, data, metadata }] }]);
      if ((await older.head()) === 2) break;
    }
    await append();
    expect(await look()).toBeNull();
    server.now = older;
    expect(await look()).toBe(behind(2, 'сведениям этого процесса', 3));
    await expect(right.ensure()).rejects.toMatchObject({ name: 'LogBehind' });
  });

  test('RLOG-4 before the read models tell of any, it is known by the event that it began with', async () => {
    const { server, append, look } = await given(0, false);
    await append();
    expect(await look()).toBeNull();
    server.now = await logOf(5);
    expect(await look()).toEqual(foreign);
  });

  test('RLOG-5 after the connection was lost nothing is acknowledged before it was looked at', async () => {
    let lose = (): void => undefined;
    const { log, server, append } = await given(3, true, (listener) => {
      lose = listener;
    });
    server.now = await logOf(9);
    lose();
    await expect(append()).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await server.now.head()).toBe(9);
    expect(await log.head()).toBe(3);
  });

  test('RLOG-6 nor after a call that the server did not answer', async () => {
    const { server, append } = await given(3);
    server.away = true;
    await expect(append()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    server.now = await logOf(9);
    server.away = false;
    await expect(append()).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await server.now.head()).toBe(9);
  });

  test('RLOG-7 an append under way when it is noticed is not acknowledged', async () => {
    const { server, append, look } = await given(3);
    const before = server.now;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.now = { ...before, append: (writes) => held.then(() => before.append(writes)) };
    const appended = append();
    server.now = await logOf(9);
    expect(await look()).toEqual(foreign);
    release();
    await expect(appended).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
  });

  test('RLOG-8 who follows it is cut off, and goes on where it was once the right one is back', async () => {
    const { log, server, right, append, look } = await given(1);
    const signal = AbortSignal.timeout(10_000);
    const first = right.eventStore.subscribe({ after: 0, signal })[Symbol.asyncIterator]();
    expect((await first.next()).value).toMatchObject({ kind: 'events' });
    expect((await first.next()).value).toEqual({ kind: 'caught_up', position: 1 });
    const next = first.next();
    server.now = await logOf(9);
    expect(await look()).toEqual(foreign);
    await expect(next).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    await expect(right.eventStore.subscribe({ after: 1, signal })[Symbol.asyncIterator]().next()).rejects.toMatchObject(
      { name: 'EventStoreUnavailable' },
    );
    server.now = log;
    expect(await look()).toBeNull();
    await append();
    const told: number[] = [];
    for await (const message of right.eventStore.subscribe({ after: 1, signal })) {
      if (message.kind === 'caught_up') continue;
      told.push(...message.events.map(({ position }) => position));
      break;
    }
    expect(told).toEqual([2]);
  });

  test('RLOG-9 read models that were folded anew from it make it the right one', async () => {
    const { server, readStore, append, look } = await given(3);
    const other = await logOf(2);
    server.now = other;
    expect(await look()).toBe(behind(2, 'MONGODB_URL (mongo)', 3));
    await readStore.clear();
    expect(await look()).toEqual(foreign);
    await noteLog({ eventStore: other, readStore }, 2);
    expect(await look()).toBeNull();
    expect(await append()).toMatchObject({ position: 3 });
  });

  test('RLOG-10 read models that are away say nothing of the log', async () => {
    const { documents, append, look } = await given(3);
    documents.away = true;
    await expect(look()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(await append()).toMatchObject({ position: 4 });
  });

  test.each([
    ['further', 9],
    ['less far', 1],
  ])(
    'RLOG-11 replaced between two questions of a look by the right one, its having come %s is nothing of that one',
    async (_how, events) => {
      const { log, server, append, look } = await given(3);
      const other = await logOf(events);
      server.now = other;
      expect(await look()).not.toBeNull();
      const head = async (): Promise<number> => {
        const last = await other.head();
        server.now = log;
        return last;
      };
      server.now = { ...other, head };
      await look();
      expect(await look()).toBeNull();
      expect(await look()).toBeNull();
      expect(await append()).toMatchObject({ kind: 'appended', position: 4 });
    },
  );

  test('RLOG-12 nor is that of one that takes its place during a look', async () => {
    const { log, server, look } = await given(3);
    const other = await logOf(9);
    const read: EventStore['read'] = async (...asked) => {
      const found = await log.read(...asked);
      server.now = other;
      return found;
    };
    server.now = { ...log, read };
    await look();
    expect(await look()).toEqual(foreign);
    server.now = log;
    expect(await look()).toBeNull();
    expect(await look()).toBeNull();
  });

  test('RLOG-13 a look that had begun before the connection was lost lets nothing pass into what is behind the next one', async () => {
    let lose = (): void => undefined;
    const { log, server, append, look } = await given(3, true, (listener) => {
      lose = listener;
    });
    const other = await logOf(9);
    const read: EventStore['read'] = async (...asked) => {
      const found = await log.read(...asked);
      await held;
      return found;
    };
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      server.now = { ...log, read: (...range) => (resolve(), read(...range)) };
    });
    const looking = look();
    await asked;
    lose();
    server.now = other;
    const appended = append();
    release();
    await looking;
    await expect(appended).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await other.head()).toBe(9);
  });
});

describe('a log that does not tell which it is', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const never = (): Promise<never> => new Promise(() => undefined);
  const silent: EventStore['subscribe'] = ({ signal }) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true }),
        ),
    }),
  });

  test.each(['head', 'read', 'subscribe'] as const)(
    'RLOG-14 when it never answers %s, it is not ready soon, and is again soon after the right one is back',
    async (silence) => {
      const { log, server, right, append } = await given(3);
      const ready = readiness({});
      const stop = await watchDependencies({
        watched: [right.watched],
        readiness: ready,
        log: jsonLog({ level: 'silent' }),
      });
      const other = await logOf(9);
      // Asked for its first event only where that of the right one is not found.
      server.now = silence === 'subscribe' ? { ...other, subscribe: silent } : { ...log, [silence]: never };
      await vi.advanceTimersByTimeAsync(4_000);
      expect(ready.state()).toEqual({ kind: 'not_ready', reasons: { log: unknownLogText } });
      server.now = log;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(ready.state()).toEqual({ kind: 'ready' });
      expect(await append()).toMatchObject({ position: 4 });
      stop();
    },
  );

  test('RLOG-15 what was told from the right one stays so until it is back', async () => {
    const { log, server, look } = await given(3);
    server.now = await logOf(9);
    expect(await look()).toEqual(foreign);
    server.away = true;
    expect(await look()).toEqual(foreign);
    server.away = false;
    server.now = log;
    expect(await look()).toBeNull();
  });

  test('RLOG-16 after it did not answer a look, nothing is acknowledged before the next one', async () => {
    const { server, append, look } = await given(3);
    server.away = true;
    await expect(look()).rejects.toMatchObject({ name: 'StoreUnavailable' });
    server.now = await logOf(9);
    server.away = false;
    await expect(append()).rejects.toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await server.now.head()).toBe(9);
  });
});
