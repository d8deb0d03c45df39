import type { WholeApi } from '../calls/whole-api.ts';
import { declaredFields } from '@zakup/contracts/read-models';
import type { LiveClient } from '@zakup/gateway/testing/live-client';
import { rebuildAll } from '@zakup/projector/rebuild';
import { runProjector } from '@zakup/projector/run-projector';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { ReadStore } from '@zakup/read-store/read-store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from '../calls/team.ts';
import { keysIn, opened, type Watchable, watchable } from '../calls/watchable.ts';
import { contentOf } from './live-everybody/watcher.ts';

describe('the read models are replaced while people watch', () => {
  let team: Team;
  let live: Watchable;
  let readStore: ReadStore;
  const stop = new Set<() => Promise<unknown>>();
  const follow = ({ eventStore }: WholeApi, of = readStore) => {
    const { signal } = new AbortController();
    const projector = runProjector({
      eventStore,
      readStore: of,
      partition: 'all',
      fence: 1,
      signal,
      now: Date.now,
      spacing: 0,
    });
    stop.add(() => projector.stop());
    return projector;
  };
  beforeEach(async () => {
    team = await givenTeam();
    readStore = inMemoryReadStore({ declared: declaredFields });
    const { api } = team;
    await follow(api).waitFor(await api.eventStore.head());
    live = await watchable({ ...api.gateway, readStore });
  });
  afterEach(async () => {
    await live.close();
    for (const end of stop) await end();
    stop.clear();
    await team.api.close();
  });

  const scopesOf = () => [
    'workspace',
    'me',
    `campaign:${team.campaign.id}`,
    `contractor:${team.placement.contractorId}`,
  ];
  const watching = async (): Promise<LiveClient> => {
    const client = await live.connect(team.actors.MEDIA_BUYER.token);
    client.socket.on('reset', ({ scope }) => void client.subscribe(scope));
    await opened(client, ...scopesOf());
    return client;
  };
  const equalsFreshLoad = async (client: LiveClient): Promise<void> => {
    const fresh = await watching();
    for (const scope of scopesOf()) await client.until(() => contentOf(client, scope) === contentOf(fresh, scope));
    fresh.close();
  };
  const changed = async (price: number): Promise<number> => {
    await team.done('PATCH', `/placements/${team.placement.id}`, { price });
    return team.api.eventStore.head();
  };

  test('LFZ-3 a rebuild that takes the place resets every scope, once, and what is held is a fresh load; what comes later comes live', async () => {
    const client = await watching();
    for (const end of stop) await end();
    stop.clear();
    await rebuildAll({ eventStore: team.api.eventStore, readStore, now: Date.now });
    await client.until(() => scopesOf().every((scope) => client.resets.includes(scope)));
    await equalsFreshLoad(client);
    const projector = follow(team.api);
    const head = await changed(777);
    await projector.waitFor(head);
    const campaign = `campaign:${team.campaign.id}`;
    await client.until(() => (client.replica(campaign).position ?? 0) >= head);
    await equalsFreshLoad(client);
    expect(client.resets.toSorted()).toEqual(scopesOf().toSorted());
  });

  test('LFZ-4 a document that was put right comes by a reset of the scopes it is in, and what is held is a fresh load', async () => {
    const client = await watching();
    const campaign = `campaign:${team.campaign.id}`;
    const row = await readStore.get('placement', team.placement.id);
    const checkpoint = await readStore.checkpoint('all');
    if (row === null || checkpoint === null) throw new Error('Nothing is folded');
    const docs = [{ ...row, data: { ...row.data, leads: 4_321 } }];
    const floors = row.scopes.map((scope) => ({ licenceId: row.licenceId, scope }));
    expect(await readStore.commit({ docs, checkpoint, floors, repair: true })).toEqual({ kind: 'committed' });
    await client.until(() => client.resets.includes(campaign));
    await client.until(() => contentOf(client, campaign).includes('4321'));
    await equalsFreshLoad(client);
    expect(client.resets).not.toContain('workspace');
  });

  test('LFZ-5 read models of yesterday: a position beyond them is answered with a reset and all of yesterday, and what follows makes it today', async () => {
    const campaign = `campaign:${team.campaign.id}`;
    const yesterday = inMemoryReadStore({ declared: declaredFields });
    const before = follow(team.api, yesterday);
    await before.waitFor(await team.api.eventStore.head());
    await before.stop();
    const client = await watching();
    const today = await changed(888);
    await client.until(() => (client.replica(campaign).position ?? 0) >= today);
    client.close();
    const restored = await watchable({ ...team.api.gateway, readStore: yesterday, patience: 0 });
    stop.add(() => restored.close());
    const back = await restored.connect(team.actors.MEDIA_BUYER.token);
    back.socket.on('reset', ({ scope }) => void back.subscribe(scope));
    expect(await back.subscribe(campaign, today)).toMatchObject({ ok: true, reset: true });
    await back.until(() => keysIn(back, campaign).length > 0);
    expect(contentOf(back, campaign)).not.toContain('"price":888');
    await follow(team.api, yesterday).waitFor(today);
    await back.until(() => contentOf(back, campaign).includes('"price":888'));
    const fresh = await restored.connect(team.actors.MEDIA_BUYER.token);
    await opened(fresh, campaign);
    expect(contentOf(back, campaign)).toBe(contentOf(fresh, campaign));
  });
});
