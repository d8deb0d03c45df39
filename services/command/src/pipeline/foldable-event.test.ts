import { randomUUID } from 'node:crypto';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import type { AccessEvent } from '@zakup/domain/access/events';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import type { ChannelEvent } from '@zakup/domain/channel/events';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessEntry } from '../auth/access-entry.ts';
import { partialWrites } from '../compensation/partial-writes.ts';
import { handleCommand } from './handle-command.ts';
import { type CommandLog, hidingCodes } from './hidden-codes.ts';
import { streamCache } from './stream-cache.ts';

describe('an event that could not be folded', () => {
  let eventStore: CommandLog;
  beforeEach(() => {
    eventStore = hidingCodes(inMemoryEventStore({ clock: () => 0 }), testCodes);
  });

  const emit = (event: object) =>
    handleCommand(
      { eventStore, cache: streamCache(eventStore), partialWrites },
      {
        licenceId: 'a1',
        actorId: 'p',
        commandId: randomUUID(),
        requestHash: () => '',
        source: 'api',
        at: '2026-11-21T09:00:00.000Z',
      },
      null,
      async (session) => {
        await session.load(channelDecider, 'c1');
        session.emit(channelDecider, 'c1', [event as ChannelEvent]);
        return null;
      },
    );
  const created = { type: 'ChannelCreated', data: { name: 'Один', avatar: null } };

  test('EVT-2050 one with a member too many or too few is not appended, the same without is', async () => {
    await expect(emit({ ...created, data: { ...created.data, colour: 'red' } })).rejects.toThrow('ChannelCreated');
    await expect(emit({ ...created, data: { name: 'Один' } })).rejects.toThrow('ChannelCreated');
    expect(await eventStore.head()).toBe(0);
    expect((await emit(created)).kind).toBe('done');
    expect((await eventStore.read('channel-a1~c1')).map(({ type, data }) => ({ type, data }))).toEqual([created]);
  });

  test('EVT-2051 one of a type that the catalog does not know, or of another kind of stream, is not appended', async () => {
    await expect(emit({ ...created, type: 'ChannelPainted' })).rejects.toThrow('ChannelPainted');
    await expect(emit({ type: 'PlacementMarkedPaid', data: {} })).rejects.toThrow('PlacementMarkedPaid');
    expect(await eventStore.head()).toBe(0);
  });

  test('EVT-2052 an entry of the audit is held against the catalog as well', () => {
    const entryOf = (data: object) =>
      accessEntry({ licenceId: 'a1', personId: 'p' }, [{ type: 'SignedOut', data } as AccessEvent], {
        actorId: 'p',
        commandId: 'c',
        at: 0,
        newId: () => 'e',
      });
    expect(entryOf({ sessionId: 's' }).events).toHaveLength(1);
    expect(() => entryOf({ sessionId: 's', colour: 'red' })).toThrow('SignedOut');
  });
});
