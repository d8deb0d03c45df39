import { createServer, type Server } from 'node:http';
import type { Call } from '@zakup/contracts/calls/call';
import { type CallName, calls } from '@zakup/contracts/calls/calls';
import { gatewayApp } from '@zakup/gateway/app';
import type { ReadingThread } from '@zakup/gateway/reading-thread/reading-thread';
import { byThread, threadInPlace } from '@zakup/gateway/testing/thread-in-place';
import { readGuard } from '@zakup/gateway/http/limits/read-guard';
import { problemHandler } from '@zakup/service-kit/problem-middleware';
import { listening } from '@zakup/service-kit/listening';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples, type Sent } from './examples.ts';
import { givenTeam, type Team } from './team.ts';

/** Every read of a person. */
const reads = Object.entries(calls as Readonly<Record<string, Call>>)
  .filter(([, { service, realm }]) => service === 'gateway' && realm === 'person')
  .map(([name]) => name as CallName);

/** What is costly, and made by the thread. */
const costly: readonly CallName[] = [
  'GET /campaigns/{id}/export',
  'GET /audit/{position}/moves',
  'GET /campaigns/{id}/events',
  'GET /campaigns/{id}/earnings',
  'GET /reports/salary',
  'GET /reports/salary/events',
  'GET /reports/salary/lineage',
  'GET /reports/salary/lineage/export',
  'GET /campaigns/{id}/lineage',
  'GET /campaigns/{id}/lineage/export',
  'GET /contractors/{id}/lineage',
  'GET /creatives/{id}/lineage',
  'GET /creatives/{id}/lineage/export',
  'GET /contractors/{id}/lineage/export',
  'GET /license/lineage',
  'GET /license/lineage/export',
  'GET /license/history-bundle',
  'GET /license/export',
];

describe('answers that a thread makes', () => {
  let team: Team;
  let inPlace: ReturnType<typeof threadInPlace>;
  let server: Server;
  let address: string;
  let answered = 0;
  let long: string;

  beforeAll(async () => {
    team = await givenTeam();
    const { gateway } = team.api;
    const { id } = (await team.done('POST', '/campaigns', { name: 'Длинная', channelId: team.campaign.channelId }))
      .campaign;
    long = id;
    const item = {
      op: 'add',
      campaignId: long,
      buyerId: team.actors.MEDIA_BUYER.id,
      contractor: '@kitchen',
      price: 7,
      category: 'Кулинария',
    };
    for (const from of [0, 500]) {
      const items = Array.from({ length: 500 }, (_, index) => ({ ...item, leads: (from + index) % 9 }));
      await team.done('POST', '/placements/batch', { items });
    }
    await team.api.followed();
    inPlace = threadInPlace(() => gateway);
    const counted: ReadingThread = {
      ...inPlace.thread,
      answer(...asked) {
        answered += 1;
        return inPlace.thread.answer(...asked);
      },
    };
    const app = express();
    app.use('/api', gatewayApp({ ...byThread(gateway, counted), guard: readGuard() }));
    app.use(problemHandler(gateway.log));
    server = createServer(app);
    address = await listening(server, { port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    server.close();
    await inPlace.thread.close();
    await team.api.close();
  });

  const got = async (from: string, path: string) => {
    const response = await fetch(`${from}/api${path}`, { headers: { Authorization: `Bearer ${team.owner.token}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    // A problem names the request that it is of.
    const body = response.ok ? bytes.toString('base64') : { ...JSON.parse(bytes.toString()), instance: '' };
    const told = ['content-type', 'content-disposition', 'retry-after', 'zakup-at'];
    if (response.ok) told.push('content-length', 'etag', 'cache-control');
    return { status: response.status, headers: told.map((name) => response.headers.get(name)), body };
  };
  /** Asks both; answers whether the thread made it. */
  const same = async (path: string): Promise<boolean> => {
    const here = await got(team.api.address, path);
    const before = answered;
    expect([path, await got(address, path)]).toEqual([path, here]);
    return answered > before;
  };
  const pathOf = ({ path }: Call, { params = {}, query = {} }: Sent, more: Readonly<Record<string, string>> = {}) =>
    `${path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => params[name] ?? '')}?${new URLSearchParams({ ...query, ...more }).toString()}`;

  test('THR-1620 are what this thread would answer, in every byte and for every read; all that is costly is made there, and nothing else', async () => {
    const made: CallName[] = [];
    for (const name of reads) {
      const path = pathOf(calls[name], await examples[name](team, team.owner));
      await team.api.followed();
      if (await same(path)) made.push(name);
    }
    expect(made).toEqual(costly);
  });

  test('THR-1621 of a moment they are the same too, all made by the thread, and so are the refusals', async () => {
    const head = await team.api.eventStore.head();
    const time = new Date(team.api.clock()).toISOString();
    const ofThePast = reads.filter((name) => calls[name].at);
    expect(ofThePast.length).toBeGreaterThan(15);
    for (const name of ofThePast) {
      const sent = await examples[name](team, team.owner);
      await team.api.followed();
      const then = String(await team.api.eventStore.head());
      expect([name, await same(pathOf(calls[name], sent, { at: then }))]).toEqual([name, true]);
      expect([name, await same(pathOf(calls[name], sent, { at: '1' }))]).toEqual([name, false]);
    }
    const report = `/campaigns/${team.campaign.id}/analytics`;
    // What happens at the very instant may still come.
    team.api.advance(1);
    expect(await same(`${report}?at=${time}`)).toBe(true);
    for (const refused of [
      `${report}?at=${head + 1_000_000}`,
      `${report}?at=then`,
      `${report}?at=${head}&after=1`,
      `${report}?at=${head}&other=1`,
      `/campaigns/nobody/analytics?at=${head}`,
      '/campaigns/nobody/lineage?figure=spent',
      `/campaigns/${team.campaign.id}/lineage?figure=nothing`,
      `/campaigns/${team.campaign.id}/lineage?figure=spent&cursor=nothing`,
    ])
      expect([refused, await same(refused)]).toEqual([refused, false]);
  });

  test('THR-1622 long ones are the same, whether written, or taken as a file in many parts', async () => {
    const at = await team.api.eventStore.head();
    const sizes: number[] = [];
    for (const path of [
      `/campaigns/${long}/earnings`,
      `/campaigns/${long}/earnings?at=${at}`,
      `/campaigns/${long}/lineage?figure=spent&pageSize=100`,
      `/campaigns/${long}/placements?at=${at}`,
      `/campaigns/${long}/export?format=csv`,
      `/campaigns/${long}/export?format=xlsx`,
      `/campaigns/${long}/lineage/export?figure=spent&format=csv`,
      `/campaigns/${long}/events`,
      '/license/export',
      '/license/history-bundle',
    ]) {
      await same(path);
      sizes.push(String((await got(address, path)).body).length);
    }
    expect(sizes.filter((size) => size > 200_000).length).toBeGreaterThan(2);
    const head = await fetch(`${address}/api/campaigns/${long}/export?format=csv`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${team.owner.token}` },
    });
    expect(head.status).toBe(200);
  });
});
