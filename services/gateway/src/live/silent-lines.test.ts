import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LiveClient } from '../testing/live-client.ts';
import { campaignRow, docOf } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const scope = 'campaign:campaign';
let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

/** The client library's socket of the transport, which a test may stop reading. */
const lineOf = ({ socket }: LiveClient) =>
  (socket.io.engine.transport as unknown as { readonly ws: { pause(): void; resume(): void } }).ws;

/** Ids of who is shown to a client, as soon as these many are. */
const shownTo = ({ socket, presences }: LiveClient, count: number): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const look = (): void => {
      const ids = presences.at(-1)?.people.map(({ userId }) => userId) ?? [];
      if (ids.length !== count) return;
      socket.off('presence', look);
      resolve(ids);
    };
    socket.on('presence', look);
    look();
  });

it('GW-78 whose line dies without a word is gone from the others’ screens within five seconds and back with it; who said it once and keeps quiet stays', async () => {
  await world.commit(docOf(licenceId).campaign(campaignRow({ id: 'campaign' })));
  const enter = async (userId: string): Promise<LiveClient> => {
    const client = await world.connect((await world.signIn(userId)).token);
    expect(await client.subscribe(scope)).toMatchObject({ ok: true });
    return client;
  };
  const [one, quiet, two] = [await enter('buyer'), await enter('analyst'), await enter('lead')];
  for (const client of [one, quiet]) client.socket.emit('presence', { scope, focus: null });
  expect(await shownTo(two, 2)).toEqual(['buyer', 'analyst']);
  const lived = scheduledTime();
  lineOf(one).pause();
  expect(await shownTo(two, 1)).toEqual(['analyst']);
  expect(lived.stop()).toBeLessThan(5_000);
  lineOf(one).resume();
  expect(await shownTo(two, 2)).toEqual(['buyer', 'analyst']);
  expect(one.socket.connected).toBe(true);
});
