import { randomUUID } from 'node:crypto';
import { type CallName, callNames, calls } from '@zakup/contracts/calls/calls';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from './examples.ts';
import { closed, done, signedOut, told, withoutToken } from './matrix.ts';
import { send } from './send.ts';
import { type Actor, givenTeam, type Team } from './team.ts';
import type { KeyWire } from '@zakup/contracts/wire-entities';

/** Never with a key: sessions and what people sign in with, keys, and what people are paid by. Written by hand, as `whoMay` is. */
const closedToKeys: readonly CallName[] = [
  'GET /auth/session',
  'GET /auth/sessions',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/{id}',
  'POST /auth/logout',
  'POST /auth/password',
  'GET /auth/second-factor',
  'POST /auth/second-factor/begin',
  'POST /auth/second-factor/confirm',
  'POST /auth/second-factor/off',
  'POST /auth/second-factor/recovery-codes',
  'GET /users/activity',
  'GET /users/{id}/sessions',
  'DELETE /users/{id}/sessions',
  'DELETE /users/{id}/sessions/{session}',
  'GET /users/{id}/second-factor',
  'DELETE /users/{id}/second-factor',
  'POST /employees/create',
  'POST /users/{id}/reissue-code',
  'POST /users/{id}/temporary-password',
  'GET /keys',
  'POST /keys',
  'DELETE /keys/{id}',
  'GET /webhooks',
  'POST /webhooks',
  'PUT /webhooks/{id}',
  'DELETE /webhooks/{id}',
  'GET /webhooks/{id}/deliveries',
  'POST /webhooks/{id}/deliveries/{position}/resend',
  'POST /webhooks/{id}/replay',
  'POST /webhooks/{id}/test',
  'GET /license/export',
  'GET /reports/salary/events',
  'GET /reports/salary/lineage',
  'GET /reports/salary/lineage/export',
  'GET /profile/statement',
];

const denied = `403 ACCESS_DENIED ${messages.keyDenied}`;
const readOnly = `403 ACCESS_DENIED ${messages.keyReadOnly}`;

interface MadeKey {
  readonly key: KeyWire;
  readonly secret: string;
}

const makeKey = (
  { done: did, fresh }: Pick<Team, 'done' | 'fresh'>,
  access: 'read' | 'write',
  more: object = {},
): Promise<MadeKey> => did('POST', '/keys', { name: fresh('Ключ '), access, ...more });

/** Who makes ready what the key then sends: things of the owner, and what is of whoever asks, of the key. */
const byKey = ({ owner }: Team, { key, secret }: MadeKey): Actor => ({ ...owner, id: key.id, token: secret });

describe('what a key opens', () => {
  let team: Team;
  let read: MadeKey;
  let write: MadeKey;
  beforeAll(async () => {
    team = await givenTeam();
    read = await makeKey(team, 'read');
    write = await makeKey(team, 'write');
  }, 60_000);
  afterAll(() => team.api.close());

  const persons = callNames.filter((name) => calls[name].realm === 'person');

  test('KEY-2870 the table of calls says which are open to keys, and is what is promised', () => {
    const open = callNames.filter((name) => calls[name].keys);
    expect(open).toEqual(persons.filter((name) => !closedToKeys.includes(name)));
  });

  test.each(persons)('KEY-2871 %s: a read key, one that may write, an unknown one', async (name) => {
    // Guesses become slow.
    team.api.advance(1_000);
    const isOpen = !closedToKeys.includes(name);
    const asWriter = isOpen ? byKey(team, write) : team.owner;
    const sent = withoutToken(await examples[name](team, asWriter));
    expect(told(await send(team.api, name, sent, `${write.secret}x`))).toMatch(signedOut);
    const reader = told(await send(team.api, name, sent, read.secret));
    const writer = told(await send(team.api, name, sent, write.secret));
    const isGet = calls[name].method === 'GET';
    expect([reader, writer]).toEqual(isOpen ? [isGet ? done : readOnly, done] : [denied, denied]);
  });

  test.each(callNames.filter((name) => calls[name].realm === 'admin' && calls[name].body === null))(
    'KEY-2872 %s is of the admin: no key is anybody there',
    async (name) => {
      const sent = calls[name].path.includes('{id}') ? { params: { id: team.licence.id } } : {};
      expect(told(await send(team.api, name, sent, write.secret))).toMatch(signedOut);
    },
  );
});

describe('a key', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  }, 60_000);
  afterAll(() => team.api.close());

  const ask = (method: string, path: string, body?: unknown, token?: string, key?: string) =>
    team.api.call(method, path, body, { ...(token !== undefined && { token }), ...(key !== undefined && { key }) });

  test('KEY-2873 is told with its secret once, listed without it, and its use is kept by the minute', async () => {
    const command = randomUUID();
    const body = { name: ' Отчёты ', access: 'read', expiresAt: '2100-01-01T00:00:00+03:00' };
    const made = await ask('POST', '/keys', body, team.owner.token, command);
    const { key, secret } = made.body.data;
    expect(secret).toMatch(/^zk_[\w-]{43}$/u);
    expect(key).toMatchObject({
      name: 'Отчёты',
      access: 'read',
      prefix: secret.slice(0, 9),
      expiresAt: '2099-12-31T21:00:00.000Z',
      lastUsedAt: null,
    });
    const again = await ask('POST', '/keys', body, team.owner.token, command);
    expect([again.body.data, again.body.position]).toEqual([{ key }, made.body.position]);
    expect((await ask('GET', '/campaigns', undefined, secret)).status).toBe(200);
    const { keys } = (await ask('GET', '/keys', undefined, team.owner.token)).body.data as unknown as {
      keys: readonly KeyWire[];
    };
    const used = keys.find(({ id }) => id === key.id);
    expect(used).toEqual({ ...key, lastUsedAt: new Date(team.api.clock()).toISOString() });
    expect(JSON.stringify(keys)).not.toContain(secret);
  });

  test('KEY-2874 that was deleted or is over, or whose licence was suspended, opens nothing any more', async () => {
    const gone = await makeKey(team, 'write');
    expect((await ask('GET', '/campaigns', undefined, gone.secret)).status).toBe(200);
    await team.done('DELETE', `/keys/${gone.key.id}`);
    for (const [method, path] of [
      ['GET', '/campaigns'],
      ['POST', '/channels'],
    ] as const)
      expect((await ask(method, path, undefined, gone.secret)).status).toBe(401);
    expect((await ask('DELETE', `/keys/${gone.key.id}`, undefined, team.owner.token)).status).toBe(404);

    const soon = await makeKey(team, 'read', { expiresAt: new Date(team.api.clock() + 60_000).toISOString() });
    expect((await ask('GET', '/campaigns', undefined, soon.secret)).status).toBe(200);
    team.api.advance(60_000);
    expect((await ask('GET', '/campaigns', undefined, soon.secret)).status).toBe(401);
  });

  test('KEY-3172 a removal that is refused, as its command was something else, takes nothing along: key and webhook work on', async () => {
    const { key, secret } = await makeKey(team, 'write');
    const spent = randomUUID();
    const channel = { name: team.fresh('Канал '), description: '' };
    expect((await ask('POST', '/channels', channel, team.owner.token, spent)).status).toBe(200);
    const hook = await ask('POST', '/webhooks', { url: 'https://203.0.113.9/hook', events: ['*'] }, team.owner.token);
    const { id } = hook.body.data.webhook;
    for (const path of [`/keys/${key.id}`, `/webhooks/${id}`]) {
      const refused = await ask('DELETE', path, undefined, team.owner.token, spent);
      expect([path, refused.status, refused.body.code]).toEqual([path, 422, 'PAYLOAD_MISMATCH']);
    }
    expect((await ask('GET', '/campaigns', undefined, secret)).status).toBe(200);
    expect(await team.api.credentials.webhooks.webhook(team.licence.id, id)).toMatchObject({ status: 'active' });
    const right = randomUUID();
    expect((await ask('DELETE', `/keys/${key.id}`, undefined, team.owner.token, right)).status).toBe(200);
    expect((await ask('DELETE', `/keys/${key.id}`, undefined, team.owner.token, right)).status).toBe(200);
    expect((await ask('GET', '/campaigns', undefined, secret)).status).toBe(401);
  });

  test('KEY-3355 two removals at once under one command: one is done, the other refused; whatever it took along opens nothing, and a removal of its own ends it', async () => {
    const made = [await makeKey(team, 'write'), await makeKey(team, 'write')];
    const command = randomUUID();
    const remove = (id: string, key: string) => ask('DELETE', `/keys/${id}`, undefined, team.owner.token, key);
    const replies = await Promise.all(made.map(({ key }) => remove(key.id, command)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const [gone, left] = replies[0]?.status === 200 ? made : made.toReversed();
    expect((await ask('GET', '/campaigns', undefined, gone?.secret)).status).toBe(401);
    expect((await remove(left?.key.id ?? '', randomUUID())).status).toBe(200);
    for (const { secret } of made) expect((await ask('GET', '/campaigns', undefined, secret)).status).toBe(401);
    const path = `/audit?entity=license:${team.licence.id}&after=${await team.api.eventStore.head()}`;
    const { entries } = (await ask('GET', path, undefined, team.owner.token)).body.data as unknown as {
      readonly entries: readonly { readonly event: string }[];
    };
    expect(entries.slice(0, 2).map(({ event }) => event)).toEqual(['KeyDeleted', 'KeyDeleted']);
  });

  test('KEY-3438 whose secret is gone, though it was not deleted, is listed without a beginning, and can be removed', async () => {
    const { key } = await makeKey(team, 'write');
    const listed = async (): Promise<readonly KeyWire[]> => {
      const { body } = await ask('GET', '/keys', undefined, team.owner.token);
      return (body.data as unknown as { readonly keys: readonly KeyWire[] }).keys.filter(({ id }) => id === key.id);
    };
    expect(await listed()).toEqual([key]);
    await team.api.credentials.removeKey(team.licence.id, key.id);
    expect(await listed()).toEqual([{ ...key, prefix: '' }]);
    expect((await ask('DELETE', `/keys/${key.id}`, undefined, team.owner.token)).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  test('KEY-2875 of another licence finds nothing of this one', async () => {
    const stranger = await team.stranger();
    const made = await ask('POST', '/keys', { name: 'Чужой', access: 'write' }, stranger);
    const { secret } = made.body.data;
    expect((await ask('GET', `/placements/${team.placement.id}`, undefined, secret)).status).toBe(404);
    expect((await ask('PATCH', `/placements/${team.placement.id}`, { price: 1 }, secret)).status).toBe(404);
    expect((await ask('DELETE', `/keys/${made.body.data.key.id}`, undefined, team.owner.token)).status).toBe(404);
    const listed = await ask('GET', '/keys', undefined, team.owner.token);
    expect(JSON.stringify(listed.body)).not.toContain(made.body.data.key.id);
  });

  test('KEY-2876 is the actor of what it does, under its name, through the door api', async () => {
    const { key, secret } = await makeKey(team, 'write', { name: 'Учёт' });
    const path = `/placements/${team.placement.id}`;
    const { status, body } = await team.api.call(
      'PATCH',
      path,
      { price: 321 },
      { token: secret, headers: { 'X-Zakup-Source': 'screen' } },
    );
    expect(status).toBe(200);
    const after = `after=${body.position}`;
    const entriesOf = async (asked: string) =>
      (await ask('GET', asked, undefined, team.owner.token)).body.data as unknown as {
        readonly entries: readonly { readonly actor: object; readonly source: string; readonly event: string }[];
      };
    const actor = { userId: key.id, name: 'Ключ: Учёт' };
    const { entries } = await entriesOf(`${path}/history?${after}`);
    expect(entries.at(-1)).toMatchObject({ actor, source: 'api' });
    const audit = await entriesOf(`/audit?person=${key.id}&${after}`);
    expect(audit.entries).toHaveLength(1);
    const conflict = await ask('PATCH', path, { price: 5, baseRevision: 0 }, team.owner.token);
    expect(conflict.body.conflicts).toMatchObject([{ field: 'price', by: actor }]);
    const undone = await ask('POST', '/undo', { commandId: body.commandId, reason: 'Проба' }, team.owner.token);
    expect(undone.status).toBe(200);
    await team.done('DELETE', `/keys/${key.id}`);
    const all = await entriesOf(`/audit?entity=license:${team.licence.id}&after=${await team.api.eventStore.head()}`);
    expect(all.entries.slice(0, 2).map(({ event }) => event)).toEqual(['KeyDeleted', 'KeyCreated']);
    expect(JSON.stringify(all)).not.toContain(secret);
  });

  test('KEY-2877 reads no code, no e-mail and no terms, wherever they stand', async () => {
    const { secret } = await makeKey(team, 'write');
    const { MEDIA_BUYER: buyer } = team.actors;
    await team.done('PUT', `/users/${buyer.id}`, { salaryType: 'performance', salaryRate: 13.77 });
    const { user } = await team.done('PUT', `/users/${buyer.id}`, { email: 'hidden-from-keys@example.com' });
    await team.api.followed();
    const asked: readonly string[] = [
      '/users',
      '/license',
      '/campaigns',
      `/campaigns/${team.campaign.id}/earnings`,
      `/campaigns/${team.campaign.id}/events`,
      '/audit?limit=200',
      '/license/history-bundle',
      '/search?q=hidden',
      '/reports/salary',
    ];
    for (const path of asked) {
      const response = await fetch(`${team.api.address}/api${path}`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      for (const hidden of [
        '13.77',
        '"salaryType":"',
        user.email,
        user.authCode,
        team.licence.ownerCode,
        '"salaryRate":10',
      ])
        expect([path, hidden, text.includes(hidden)]).toEqual([path, hidden, false]);
    }
    const changed = await ask('PUT', `/users/${buyer.id}`, { name: 'Анна' }, secret);
    expect(changed.body.data.user).toMatchObject({ name: 'Анна', email: '', authCode: '', salaryRate: null });
    expect((await ask('GET', '/license?reveal=true', undefined, secret)).status).toBe(403);
    expect((await ask('PUT', '/license/settings', { codeOnlyLogin: true }, secret)).status).toBe(403);
  });

  test('KEY-2878 is made, seen and deleted by the owner alone', async () => {
    const { key } = await makeKey(team, 'read');
    for (const asker of ['CEO', 'CBDO', 'MEDIA_BUYER'] as const) {
      const { token } = team.askers[asker];
      const replies = [
        await send(team.api, 'GET /keys', {}, token),
        await send(team.api, 'POST /keys', { body: { name: 'К', access: 'read' } }, token),
        await send(team.api, 'DELETE /keys/{id}', { params: { id: key.id } }, token),
      ];
      expect(replies.map(told)).toEqual([closed, closed, closed]);
    }
  });

  test('KEY-2879 has a file judged as its owner has', async () => {
    const { secret } = await makeKey(team, 'write');
    const file = `Ник;Дата;Цена;Тематика;Байер\n@fromkey;2026-05-01;10;Мемы;Нет такого`;
    const path = `/campaigns/${team.campaign.id}/import?dryRun=true`;
    const { status } = await team.api.call('POST', path, undefined, { token: secret, raw: file });
    expect(status).toBe(200);
  });
});

test('KEY-2880 a suspended licence shuts its keys out, at once', async () => {
  const team = await givenTeam();
  const { secret } = await makeKey(team, 'read');
  const listed = () => team.api.call('GET', '/campaigns', undefined, { token: secret });
  expect((await listed()).status).toBe(200);
  await team.done('POST', `/admin/licenses/${team.licence.id}/suspend`, { reason: 'Проба' }, { token: team.admin });
  await team.api.followed();
  const refused = await listed();
  expect([refused.status, refused.body.code]).toEqual([403, 'LICENSE_INACTIVE']);
  await team.api.close();
});

test('KEY-2881 guessing keys gets slow for an address, whoever has a right one goes on, and a guess is told nothing', async () => {
  const team = await givenTeam();
  const { secret } = await makeKey(team, 'read');
  const status = async (token: string) => (await team.api.call('GET', '/campaigns', undefined, { token })).status;
  expect(await status(secret)).toBe(200);
  const answers: number[] = [];
  for (let guess = 0; guess < 200 && answers.at(-1) !== 429; guess += 1) answers.push(await status(`zk_guess${guess}`));
  expect(answers.at(-1)).toBe(429);
  expect(new Set(answers)).toEqual(new Set([401, 429]));
  expect(await status(secret)).toBe(200);
  await team.api.close();
});
