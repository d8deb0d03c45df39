import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { webhookReceiver } from '@zakup/command/testing/webhook-receiver';
import { postDelivery } from '@zakup/command/webhook/post-delivery';
import { runWebhooks, type Webhooks } from '@zakup/command/webhook/run-webhooks';
import { webhookTests } from '@zakup/command/webhook/webhook-tests';
import { messages } from '@zakup/domain/messages';
import { appMetrics } from '@zakup/service-kit/metrics';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from './team.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let team: Team;
let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
let running: Webhooks | null;

beforeEach(async () => {
  team = await givenTeam();
  receiver = await webhookReceiver();
  running = null;
}, 60_000);
afterEach(async () => {
  await running?.stop();
  await receiver.close();
  await team.api.close();
});

/** As a process of its own: nothing of it is left when it stops, but what is in the stores. */
const begin = (more: Partial<Parameters<typeof runWebhooks>[0]> = {}): Webhooks => {
  const { deps, eventStore, time } = team.api;
  running = runWebhooks({
    eventStore: deps.eventStore,
    cache: deps.cache,
    partialWrites: deps.partialWrites,
    log: eventStore,
    book: team.api.credentials.webhooks,
    codes: deps.cache.codes,
    now: deps.now,
    wait: time.wait,
    readOnly: deps.readOnly,
    allowPrivate: true,
    signal: new AbortController().signal,
    ...more,
  });
  team.api.onWebhooksChanged(running.changed);
  return running;
};

const stop = async (): Promise<void> => {
  await running?.stop();
  running = null;
};

const make = async (more: object = {}) => {
  const { webhook, secret } = await team.done('POST', '/webhooks', { url: receiver.url, events: ['*'], ...more });
  return { id: webhook.id, webhook, secret };
};
const channel = async (name: string): Promise<string> => (await team.done('POST', '/channels', { name })).channel.id;
const rename = (id: string, name: string) => team.done('PUT', `/channels/${id}`, { name });
const ofBook = async (id: string) => {
  const { webhooks } = team.api.credentials;
  return { webhook: await webhooks.webhook(team.licence.id, id), deliveries: await webhooks.deliveries(id) };
};
/** Time goes by, and what is due is done. */
const wait = async (milliseconds: number): Promise<void> => {
  team.api.advance(milliseconds);
  await turn();
  await running?.idle();
};

describe('a webhook', () => {
  test('WHK-2910 tells of what comes after it, signed with the secret that was shown once', async () => {
    begin();
    await channel('Раньше');
    const { id, webhook, secret } = await make({ events: ['ChannelCreated'] });
    expect(webhook).toMatchObject({
      url: receiver.url,
      events: ['ChannelCreated'],
      campaignId: null,
      status: 'active',
    });
    const made = await channel('Позже');
    const [{ headers, text, body }] = (await receiver.first(1)) as [(typeof receiver.received)[number]];
    const [, seconds = '', digest = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/u.exec(String(headers['zakup-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')).toBe(digest);
    expect(headers['zakup-delivery']).toBe(body.id);
    expect(Object.keys(body)).toEqual(['id', 'position', 'type', 'at', 'licenceId', 'actor', 'entity', 'data']);
    expect(body).toMatchObject({
      type: 'ChannelCreated',
      licenceId: team.licence.id,
      actor: { id: team.owner.id, name: 'Анна' },
      entity: { kind: 'channel', id: made },
      data: { name: 'Позже', avatar: null },
    });
    await running?.idle();
    const { deliveries } = await team.done('GET', `/webhooks/${id}/deliveries`);
    expect(deliveries).toMatchObject([
      {
        position: body.position,
        id: body.id,
        type: 'ChannelCreated',
        tries: [{ status: 200, error: null }],
        next: null,
      },
    ]);
    const { webhooks } = await team.done('GET', '/webhooks');
    expect(webhooks).toMatchObject([{ id, status: 'active', lastDelivery: { status: 200, position: body.position } }]);
    expect(JSON.stringify(webhooks)).not.toContain(secret);
    expect(receiver.received).toHaveLength(1);
  });

  test('WHK-2911 leaves neither address nor secret in the log, and keeps both hidden', async () => {
    const { id, secret } = await make({ url: `${receiver.url}?token=hidden-token` });
    const log = JSON.stringify(await team.api.eventStore.readLicence(team.licence.id));
    expect(log).toContain('WebhookCreated');
    expect(log).not.toContain('hidden-token');
    expect(log).not.toContain(secret);
    const { webhook } = await ofBook(id);
    expect(JSON.stringify(webhook)).not.toMatch(new RegExp(`hidden-token|${secret}`, 'u'));
  });

  test('WHK-2912 holds back later events of an entity whose event failed, and no others; tries again after 1 s, then 2', async () => {
    begin();
    const [first, second] = [await channel('А'), await channel('Б')];
    const { id } = await make();
    receiver.answers((response, { body }) => {
      response.statusCode = body.entity.id === first ? 500 : 200;
      response.end();
    });
    await rename(first, 'А1');
    await receiver.first(1);
    await rename(first, 'А2');
    await rename(second, 'Б1');
    await receiver.first(2);
    await running?.idle();
    const told = () => receiver.received.map(({ body }) => body.data['name']);
    expect(told()).toEqual(['А1', 'Б1']);
    await wait(999);
    expect(told()).toEqual(['А1', 'Б1']);
    await wait(1);
    expect(told()).toEqual(['А1', 'Б1', 'А1']);
    receiver.answers((response) => response.end());
    await wait(1_999);
    expect(told()).toHaveLength(3);
    await wait(1);
    expect(told()).toEqual(['А1', 'Б1', 'А1', 'А1', 'А2']);
    const ids = receiver.received
      .filter(({ body }) => body.data['name'] === 'А1')
      .map(({ headers }) => headers['zakup-delivery']);
    expect(new Set(ids).size).toBe(1);
    const { deliveries } = await ofBook(id);
    expect(deliveries.map(({ tries, due }) => [tries.map(({ status }) => status), due])).toEqual([
      [[500, 500, 200], null],
      [[200], null],
      [[200], null],
    ]);
  });

  test('WHK-2913 goes on where it was when the process ended in the middle: nothing is lost, what was taken is not told again', async () => {
    begin();
    const made = await channel('А');
    await make();
    receiver.answers((response) => {
      response.statusCode = 503;
      response.end();
    });
    await rename(made, 'А1');
    await receiver.first(1);
    await running?.idle();
    await stop();
    await rename(made, 'А2');
    receiver.answers((response) => response.end());
    team.api.advance(1_000);
    begin();
    await receiver.first(3);
    await running?.idle();
    await stop();
    begin();
    await rename(made, 'А3');
    await receiver.first(4);
    await running?.idle();
    expect(receiver.received.map(({ body }) => body.data['name'])).toEqual(['А1', 'А1', 'А2', 'А3']);
  });

  test('WHK-2914 gives up after three days: failing, the owner is told, and activating it goes on where it was', async () => {
    begin();
    const made = await channel('А');
    const { id } = await make({ events: ['ChannelRenamed'] });
    receiver.answers((response) => {
      response.statusCode = 500;
      response.end();
    });
    await rename(made, 'А1');
    await receiver.first(1);
    await running?.idle();
    for (let hours = 0; hours < 71; hours += 1) await wait(hour);
    expect((await ofBook(id)).webhook?.status).toBe('active');
    await wait(hour);
    expect((await ofBook(id)).webhook?.status).toBe('failing');
    const tries = receiver.received.length;
    await wait(day);
    expect(receiver.received).toHaveLength(tries);
    await team.api.followed();
    const { token } = await team.owner.signInAgain();
    const { notifications } = (await team.done('GET', '/notifications', undefined, { token })) as unknown as {
      readonly notifications: readonly { readonly type: string; readonly text: string }[];
    };
    expect(notifications[0]).toMatchObject({ type: 'webhook' });
    expect(notifications[0]?.text).toContain(`127.0.0.1:${receiver.port}`);
    receiver.answers((response) => response.end());
    await team.done('PUT', `/webhooks/${id}`, { url: receiver.url, events: ['*'], status: 'active' }, { token });
    await receiver.first(tries + 1);
    expect(receiver.received[tries]?.body.data['name']).toBe('А1');
  });

  test('WHK-2915 tells of a campaign exactly what its events list for who made it', async () => {
    const { webhook } = await make({ campaignId: team.campaign.id });
    await team.done('POST', `/webhooks/${webhook.id}/replay`, { after: 0 });
    const other = (await team.done('POST', '/campaigns', { name: 'Другая', channelId: team.campaign.channelId }))
      .campaign;
    await team.done('POST', '/placements', { ...team.placementBody, campaignId: other.id });
    await team.done('PATCH', `/placements/${team.placement.id}`, { leads: 7 });
    await team.done('PUT', `/campaigns/${team.campaign.id}`, { name: 'Осень' });
    await team.api.followed();
    const { token } = await team.owner.signInAgain();
    const listed = await fetch(`${team.api.address}/api/campaigns/${team.campaign.id}/events`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const lines = (await listed.text()).trim().split('\n');
    const expected = lines.map((line) => {
      const { id, position, type, at, data } = JSON.parse(line) as Record<string, unknown>;
      return { id, position, type, at, data };
    });
    expect(expected.length).toBeGreaterThan(3);
    begin();
    const received = await receiver.first(expected.length);
    await running?.idle();
    const told = received.map(({ body: { id, position, type, at, data } }) => ({ id, position, type, at, data }));
    expect(told.toSorted((a, b) => a.position - b.position)).toEqual(expected);
    expect(receiver.received).toHaveLength(expected.length);
  });

  test('WHK-2916 never tells what opens something', async () => {
    const { id } = await make();
    await team.done('POST', `/webhooks/${id}/replay`, { after: 0 });
    const events = (await team.api.eventStore.readLicence(team.licence.id)).filter(({ stream }) =>
      /^(?:licence|employee)-/u.test(stream),
    );
    begin();
    await receiver.first(events.length);
    await running?.idle();
    const texts = receiver.received.map(({ text }) => text).join('\n');
    expect(texts).toContain('"authCode":null');
    expect(texts).toContain('"licenseKey":null');
    for (const secret of [team.licence.key, team.licence.ownerCode, 'enc:1:', 'whsec_'])
      expect(texts.includes(secret)).toBe(false);
  });

  test('WHK-2917 is paused by its status alone, stays else as it is, and goes on at its position', async () => {
    begin();
    const { id } = await make({ events: ['ChannelCreated'] });
    const change = (status: string) => team.done('PUT', `/webhooks/${id}`, { status });
    const { url } = receiver;
    expect((await change('paused')).webhook).toMatchObject({ status: 'paused', url, events: ['ChannelCreated'] });
    await running?.idle();
    await channel('А');
    await channel('Б');
    await wait(minute);
    expect(receiver.received).toEqual([]);
    await change('active');
    const received = await receiver.first(2);
    expect(received.map(({ body }) => body.data['name'])).toEqual(expect.arrayContaining(['А', 'Б']));
  });

  test('WHK-2918 tells again what lies behind a position, and one delivery that is asked for; none that it does not tell of', async () => {
    begin();
    const { id } = await make({ events: ['ChannelCreated'] });
    await channel('А');
    await channel('Б');
    const [a, b] = (await receiver.first(2)).toSorted((one, other) => one.body.position - other.body.position);
    await running?.idle();
    await team.done('POST', `/webhooks/${id}/deliveries/${a?.body.position}/resend`);
    const third = (await receiver.first(3))[2];
    expect([third?.body.id, third?.headers['zakup-delivery']]).toEqual([a?.body.id, a?.body.id]);
    await running?.idle();
    await team.done('POST', `/webhooks/${id}/replay`, { after: a?.body.position });
    expect((await receiver.first(4))[3]?.body.id).toBe(b?.body.id);
    await running?.idle();
    expect(receiver.received).toHaveLength(4);
    const nothing = await team.api.call('POST', `/webhooks/${id}/deliveries/1/resend`, undefined, {
      token: team.owner.token,
    });
    expect([nothing.status, nothing.body.error]).toEqual([404, messages.deliveryNotFound]);
  });

  test('WHK-2919 one that takes its time holds up no other', async () => {
    const slow = await webhookReceiver();
    slow.answers(() => undefined);
    begin();
    await make({ url: slow.url });
    await make({ events: ['ChannelCreated'] });
    for (const name of ['А', 'Б', 'В', 'Г', 'Д', 'Е']) await channel(name);
    expect(await receiver.first(6)).toHaveLength(6);
    expect(slow.received.length).toBeLessThanOrEqual(4);
    await stop();
    await slow.close();
  });

  test('WHK-2920 of a licence that is suspended nothing is told; when it goes on, it is', async () => {
    begin();
    await make({ events: ['ChannelCreated', 'LicenceSuspended', 'LicenceResumed'] });
    const { admin, licence } = team;
    const as = { token: admin };
    await team.done('POST', `/admin/licenses/${licence.id}/suspend`, { reason: 'долг' }, as);
    await wait(minute);
    expect(receiver.received).toEqual([]);
    await team.done('POST', `/admin/licenses/${licence.id}/resume`, {}, as);
    const received = await receiver.first(2);
    expect(received.map(({ body }) => body.type)).toEqual(['LicenceSuspended', 'LicenceResumed']);
  });

  test('WHK-3351 what waits for a connection is told by the rights of when it has one, not of when it began to wait', async () => {
    const slow = await webhookReceiver();
    const held: (() => void)[] = [];
    slow.answers((response) => held.push(() => response.end()));
    begin({ patience: 600_000 });
    for (let count = 0; count < 4; count += 1) await make({ url: slow.url, events: ['ChannelCreated'] });
    for (const name of ['А', 'Б', 'В', 'Г']) await channel(name);
    // As many as a licence may have on the way.
    await slow.first(16);
    const { id } = await make({ events: ['ChannelCreated'] });
    await channel('Д');
    await expect.poll(async () => (await ofBook(id)).deliveries.length).toBe(1);
    for (let turns = 0; turns < 50; turns += 1) await turn();
    await team.done('POST', `/admin/licenses/${team.licence.id}/suspend`, { reason: 'долг' }, { token: team.admin });
    slow.answers((response) => response.end());
    for (const go of held) go();
    await running?.idle();
    expect(receiver.received).toEqual([]);
    await stop();
    await slow.close();
  });

  test('WHK-3352 what one licence changes has its own webhooks looked at, and nobody else’s', async () => {
    const { webhooks: book } = team.api.credentials;
    const asked = { all: 0, own: 0 };
    begin({
      book: {
        ...book,
        async ofStatus(status) {
          asked.all += 1;
          return book.ofStatus(status);
        },
        async ofLicence(licenceId) {
          asked.own += 1;
          return book.ofLicence(licenceId);
        },
      },
    });
    await running?.idle();
    const before = { ...asked };
    const { id } = await make({ events: ['ChannelCreated'] });
    for (let count = 0; count < 10; count += 1) {
      await team.done('PUT', `/webhooks/${id}`, { status: count % 2 === 0 ? 'paused' : 'active' });
      await running?.idle();
    }
    expect(asked.all).toBe(before.all);
    expect(asked.own).toBeGreaterThan(before.own);
    await channel('А');
    await receiver.first(1);
    // What another process changed is seen at the next look at all, which a change here puts off no longer.
    await wait(4_900);
    await team.done('PUT', `/webhooks/${id}`, { status: 'paused' });
    await running?.idle();
    expect(asked.all).toBe(before.all);
    await wait(100);
    expect(asked.all).toBeGreaterThan(before.all);
  });

  test('WHK-3353 of many of one licence that begin in one moment two read their stores at once', async () => {
    for (let count = 0; count < 20; count += 1) await make({ events: ['ChannelCreated'] });
    const { webhooks: book } = team.api.credentials;
    const seen = { now: 0, most: 0 };
    begin({
      book: {
        ...book,
        async deliveries(id) {
          seen.now += 1;
          seen.most = Math.max(seen.most, seen.now);
          for (let turns = 0; turns < 20; turns += 1) await turn();
          seen.now -= 1;
          return book.deliveries(id);
        },
      },
    });
    await running?.idle();
    await channel('А');
    expect(await receiver.first(20)).toHaveLength(20);
    expect(seen.most).toBe(2);
  });

  test('WHK-2921 whose maker may see it no more is stopped, and says why', async () => {
    begin();
    const { id } = await make({ events: ['*'] });
    const { licence } = team;
    const before = receiver.received.length;
    await stop();
    await team.api.deps.eventStore.append([
      {
        stream: `employee-${licence.id}~${team.owner.id}`,
        expectedRevision: 'any',
        events: [
          {
            id: '22222222-2222-4222-8222-222222222222',
            type: 'EmployeeDeactivated',
            data: {},
            metadata: {
              licenceId: licence.id,
              actorId: 'system',
              source: 'system',
              commandId: '22222222-2222-4222-8222-222222222222',
              requestHash: '',
              at: new Date(team.api.clock()).toISOString(),
              schemaVersion: 1,
            },
          },
        ],
      },
    ]);
    begin();
    await running?.idle();
    expect((await ofBook(id)).webhook?.status).toBe('failing');
    expect(receiver.received).toHaveLength(before);
    const events = await team.api.eventStore.readLicence(licence.id);
    expect(events.at(-1)).toMatchObject({ type: 'WebhookFailed', data: { reason: 'rights' } });
  });

  test('WHK-2922 sends a trial at once and says what came of it: five, then one in five seconds', async () => {
    const { id } = await make();
    receiver.answers((response) => {
      response.statusCode = 418;
      response.end();
    });
    const { delivery } = await team.done('POST', `/webhooks/${id}/test`);
    expect(delivery).toMatchObject({ status: 418, error: null });
    expect(receiver.received[0]?.body).toMatchObject({ type: 'ping', entity: { kind: 'webhook', id }, data: {} });
    expect((await ofBook(id)).deliveries).toEqual([]);
    const trials = webhookTests(() => 0);
    const taken = Array.from({ length: 6 }, () => trials.take('licence').kind);
    expect(taken).toEqual([...Array.from({ length: 5 }, () => 'taken'), 'limited']);
  });

  test('WHK-2923 is deleted with what it had to tell', async () => {
    begin();
    const { id } = await make();
    receiver.answers(() => undefined);
    await channel('А');
    await receiver.first(1);
    await team.done('DELETE', `/webhooks/${id}`);
    await running?.idle();
    expect(await ofBook(id)).toEqual({ webhook: null, deliveries: [] });
    expect((await team.done('GET', '/webhooks')).webhooks).toEqual([]);
  });

  test('WHK-2924 there are 20 of a licence at most, each made once however often its command is sent', async () => {
    const key = '33333333-3333-4333-8333-333333333333';
    const body = { url: receiver.url, events: ['*'] };
    const twice = [0, 1].map(() => team.api.call('POST', '/webhooks', body, { token: team.owner.token, key }));
    const [first, second] = (await Promise.all(twice)).map((reply) => reply.body.data);
    expect(first?.webhook.id).toBe(second?.webhook.id);
    expect([first?.secret, second?.secret].filter((one) => one !== undefined)).toHaveLength(1);
    for (let count = 1; count < 20; count += 1) await make();
    const more = await team.api.call('POST', '/webhooks', body, { token: team.owner.token });
    expect([more.status, more.body.error]).toEqual([409, messages.tooManyWebhooks]);
  });

  test.each([
    ['ftp://example.org/', messages.webhookUrlInvalid],
    ['https://user:pass@example.org/', messages.webhookUrlInvalid],
    ['example.org', messages.webhookUrlInvalid],
    [`https://example.org/${'x'.repeat(2_000)}`, messages.webhookUrlInvalid],
  ])('WHK-2925 is not made for %s', async (url, text) => {
    const refused = await team.api.call('POST', '/webhooks', { url, events: ['*'] }, { token: team.owner.token });
    expect([refused.status, refused.body.errors]).toEqual([422, [{ pointer: '/url', detail: text }]]);
  });

  test('WHK-2927 keeps what is told again, however little is kept', async () => {
    begin({ kept: 6 });
    const { id } = await make({ events: ['ChannelCreated'] });
    for (const name of ['А', 'Б', 'В', 'Г', 'Д']) await channel(name);
    await receiver.first(5);
    await running?.idle();
    receiver.answers((response) => {
      response.statusCode = 500;
      response.end();
    });
    await team.done('POST', `/webhooks/${id}/replay`, { after: 0 });
    await receiver.first(6);
    await running?.idle();
    const { webhook, deliveries } = await ofBook(id);
    // The team began with a channel of its own.
    expect([webhook?.waiting, deliveries.filter(({ due }) => due !== null).length]).toEqual([6, 6]);
  });

  test('WHK-2928 hears of what comes while it reads the log', async () => {
    const { eventStore } = team.api;
    const held: (() => void)[] = [];
    let isHeld = false;
    begin({
      log: {
        head: () => eventStore.head(),
        read: (...args) => eventStore.read(...args),
        subscribe: (options) => eventStore.subscribe(options),
        async readLicence(...args) {
          const page = await eventStore.readLicence(...args);
          if (isHeld) await new Promise<void>((go) => void held.push(go));
          return page;
        },
      },
    });
    await make({ events: ['ChannelCreated'] });
    await running?.idle();
    isHeld = true;
    await channel('А');
    await expect.poll(() => held.length).toBe(1);
    isHeld = false;
    await channel('Б');
    for (let turns = 0; turns < 50; turns += 1) await turn();
    for (const go of held) go();
    const received = await receiver.first(2);
    expect(received.map(({ body }) => body.data['name'])).toEqual(expect.arrayContaining(['А', 'Б']));
  });

  test('WHK-2929 stays whole where its deletion is refused, and goes where it was written and the process ended', async () => {
    begin();
    const { id } = await make({ events: ['ChannelCreated'] });
    const key = 'b7c1f6de-6f0c-4a55-9a4e-0d5f0a1f2c3d';
    const { token } = team.owner;
    await team.api.call('POST', '/channels', { name: 'А' }, { token, key });
    expect((await team.api.call('DELETE', `/webhooks/${id}`, undefined, { token, key })).status).toBe(422);
    await receiver.first(1);
    const { webhook: kept } = await ofBook(id);
    expect(kept?.status).toBe('active');
    await running?.stop();
    await team.done('DELETE', `/webhooks/${id}`);
    if (kept !== null) await team.api.credentials.webhooks.add(kept);
    await begin().idle();
    expect((await ofBook(id)).webhook).toBeNull();
  });

  test('WHK-2934 what is there already changes nothing, another path of the same host does', async () => {
    const { id } = await make({ events: ['ChannelCreated'] });
    const put = (body: object) => team.done('PUT', `/webhooks/${id}`, body);
    const first = await team.api.eventStore.head();
    await put({ url: receiver.url, events: ['ChannelCreated'], campaignId: null, status: 'active' });
    await put({});
    expect(await team.api.eventStore.head()).toBe(first);
    const url = `${receiver.url}/other`;
    expect((await put({ url })).webhook.url).toBe(url);
    expect(await team.api.eventStore.head()).toBeGreaterThan(first);
  });

  test('WHK-2926 an active one without news asks the log for nothing, and none at all does not follow it; figures of them are of who tells them', async () => {
    const metrics = appMetrics();
    const counts = await team.api.credentials.webhooks.counts();
    expect(counts).toEqual({ active: 0, failing: 0, waiting: 0 });
    const { deps, eventStore, time } = team.api;
    let follows = 0;
    running = runWebhooks({
      ...deps,
      metrics,
      log: {
        head: () => eventStore.head(),
        read: (...args) => eventStore.read(...args),
        readLicence: (...args) => eventStore.readLicence(...args),
        subscribe(options) {
          follows += 1;
          return eventStore.subscribe(options);
        },
      },
      book: team.api.credentials.webhooks,
      codes: deps.cache.codes,
      wait: time.wait,
      allowPrivate: true,
      signal: new AbortController().signal,
    });
    team.api.onWebhooksChanged(running.changed);
    await running.idle();
    for (let count = 0; count < 20; count += 1) await channel(`К${count}`);
    await wait(minute);
    expect(follows).toBe(0);
    await make({ events: ['ChannelCreated'] });
    await channel('А');
    await receiver.first(1);
    expect(follows).toBe(1);
    const told = async () => (await metrics.webhooks.get()).values.map(({ labels, value }) => [labels.status, value]);
    await wait(2 * minute);
    expect(await told()).toEqual([
      ['active', 1],
      ['failing', 0],
    ]);
    await stop();
    expect(await told()).toEqual([]);
  });

  test('WHK-2933 the receiver of the how-to takes what is signed with its secret, and nothing else', async () => {
    const page = readFileSync(new URL('../../docs/how-to/use-webhooks.md', import.meta.url), 'utf8');
    const [, code = ''] = /```js\n(.*?)```/su.exec(page) ?? [];
    const here = code.replace(
      '.listen(process.env.PORT ?? 8080)',
      ".listen(0, '127.0.0.1', function () { console.log(this.address().port); })",
    );
    expect(here).not.toBe(code);
    const program = spawn(process.execPath, ['--input-type=module', '-e', here], {
      env: { ...process.env, ZAKUP_SECRET: 'whsec_how-to' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(program.stdout, 'data')) as [Buffer];
    const post = (secret: string) =>
      postDelivery(
        {
          url: `http://127.0.0.1:${line.toString().trim()}/`,
          secret,
          id: 'e-1',
          body: '{"type":"ping","data":{"имя":"Ё"}}',
        },
        { now: Date.now, allowPrivate: true, signal: new AbortController().signal },
      );
    const [right, wrong] = [await post('whsec_how-to'), await post('whsec_other')];
    program.kill();
    expect([right.status, wrong.status]).toEqual([204, 400]);
  });
});
