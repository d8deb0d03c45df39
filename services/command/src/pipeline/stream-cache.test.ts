import { testCodes } from '@zakup/credentials/testing/test-codes';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CommandLog, hidingCodes } from './hidden-codes.ts';
import { foldStream, streamCache } from './stream-cache.ts';

describe('remembered streams', () => {
  let eventStore: CommandLog;
  const reads: string[] = [];
  beforeEach(() => {
    reads.length = 0;
    const store = hidingCodes(inMemoryEventStore({ clock: () => 0 }), testCodes);
    eventStore = {
      ...store,
      read: (stream, options) => {
        reads.push(stream);
        return store.read(stream, options);
      },
    };
  });

  const metadata = {
    licenceId: 'a1',
    actorId: 'p',
    source: 'api',
    commandId: 'c',
    requestHash: 'h',
    schemaVersion: 1,
    at: '2026-11-21T09:00:00.000Z',
  } as const;
  let count = 0;
  const append = async (stream: string, name: string) => {
    count += 1;
    const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    const known = await eventStore.revision(stream);
    const data = known === 'no_stream' ? { name, avatar: null } : { name };
    const type = known === 'no_stream' ? 'ChannelCreated' : 'ChannelRenamed';
    const result = await eventStore.append([
      { stream, expectedRevision: 'any', events: [{ id, type, data, metadata }] },
    ]);
    return result.kind === 'appended' ? result.events : [];
  };
  const channel = 'channel-a1~c1';

  test('CM-30 a stream is read once, and carried forward by what this process appends', async () => {
    const cache = streamCache(eventStore);
    await append(channel, 'Один');
    await cache.load(channelDecider, channel, false);
    cache.remember(await append(channel, 'Два'));
    expect(await cache.load(channelDecider, channel, false)).toMatchObject({
      state: { name: 'Два' },
      revision: 1,
      position: 2,
    });
    expect(reads).toEqual([channel]);
  });

  test('CM-31 a fresh load adds what others appended; events out of turn are not folded', async () => {
    const cache = streamCache(eventStore);
    await append(channel, 'Один');
    await cache.load(channelDecider, channel, false);
    await append(channel, 'Чужое');
    cache.remember(await append(channel, 'Третье'));
    expect((await cache.load(channelDecider, channel, false)).revision).toBe(0);
    expect(await cache.load(channelDecider, channel, true)).toMatchObject({ state: { name: 'Третье' }, revision: 2 });
  });

  test('CM-34 a stream that ends later than its own events tell was written by strangers: the next append goes behind them', async () => {
    const cache = streamCache(eventStore);
    const first = await append(channel, 'Один');
    await cache.load(channelDecider, channel, false);
    cache.endsAt(channel, 2);
    expect(await cache.load(channelDecider, channel, true)).toMatchObject({ state: { name: 'Один' }, revision: 2 });
    const behind = (await append(channel, 'Два')).map((event) => ({ ...event, revision: 3 }));
    cache.remember(behind);
    expect(await cache.load(channelDecider, channel, false)).toMatchObject({ state: { name: 'Два' }, revision: 3 });
    expect(foldStream(channelDecider, [...first, ...behind])).toMatchObject({ state: { name: 'Два' }, revision: 3 });
  });

  test('CM-32 the least recently used stream is forgotten first', async () => {
    const cache = streamCache(eventStore, 2);
    const streams = ['channel-a1~c1', 'channel-a1~c2', 'channel-a1~c3'];
    for (const stream of streams) await append(stream, 'Канал');
    for (const stream of streams) await cache.load(channelDecider, stream, false);
    reads.length = 0;
    await cache.load(channelDecider, 'channel-a1~c3', false);
    await cache.load(channelDecider, 'channel-a1~c1', false);
    expect(reads).toEqual(['channel-a1~c1']);
  });

  test('CM-33 a name that no stream can have is absent and neither read nor remembered', async () => {
    const cache = streamCache(eventStore);
    for (const id of ['', '..', 'x~y', 'c1~', '~c1', 'c1/', 'c1\n', '-c1', '__proto__', 'é', 'x'.repeat(65)]) {
      const loaded = await cache.load(channelDecider, `channel-a1~${id}`, false);
      expect(loaded).toMatchObject({ state: null, revision: -1, position: 0 });
    }
    expect(reads).toEqual([]);
  });
});
