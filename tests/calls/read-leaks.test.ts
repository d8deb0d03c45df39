import { randomUUID } from 'node:crypto';
import { givenPerson } from '@zakup/command/testing/given';
import type { PersonWire } from '@zakup/contracts/entities';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from './team.ts';
import { opened, type Watchable, watchable } from './watchable.ts';
import { askers } from './who-may.ts';

describe('what reads must not tell', { timeout: 60_000 }, () => {
  let team: Team;
  let live: Watchable;
  beforeAll(async () => {
    team = await givenTeam();
    live = await watchable(team.api.gateway);
  }, 60_000);
  afterAll(async () => {
    await live.close();
    await team.api.close();
  });

  const get = async (path: string, token: string) => {
    const after = /[?&]at=/u.test(path) ? '' : `${path.includes('?') ? '&' : '?'}after=${await head()}`;
    const { status, body } = await team.api.call('GET', `${path}${after}`, undefined, { token });
    return { status, data: body.data as unknown as { readonly users: readonly PersonWire[] } };
  };
  const head = (): Promise<number> => team.api.eventStore.head();
  const codeIn = (users: readonly PersonWire[], id: string): string | undefined =>
    users.find((one) => one.id === id)?.authCode;
  const clerk = () =>
    givenPerson(team.api, team.licence, 'MEDIA_BUYER', { permissions: { dashboard: true, settings: true } });

  test('RATK-1 a code is told to those alone who could make a new one for its person', async () => {
    const one = await clerk();
    const wider = await givenPerson(team.api, team.licence, 'ANALYTIC', {
      permissions: { dashboard: true, settings: true, reports: true },
    });
    const narrower = await givenPerson(team.api, team.licence, 'ANALYTIC', { permissions: { dashboard: true } });
    const viewers = {
      ...Object.fromEntries(askers.map((asker) => [asker, team.askers[asker]])),
      clerk: one,
      wider,
      narrower,
    } as Readonly<Record<string, { readonly id: string; readonly token: string }>>;
    const leaders = ['OWNER', 'CEO', 'CBDO', 'TEAM_LEAD'];
    const below = ['MEDIA_BUYER', 'ANALYTIC', 'clerk', 'wider', 'narrower'];
    const expected: Readonly<Record<string, readonly string[]>> = {
      ...Object.fromEntries(leaders.map((leader, place) => [leader, [...leaders.slice(place), ...below]])),
      clerk: ['clerk', 'narrower'],
      wider: ['clerk', 'wider', 'narrower'],
    };
    for (const [name, seen] of Object.entries(expected)) {
      const viewer = viewers[name] as (typeof viewers)[string];
      const { users } = (await get('/users', viewer.token)).data;
      const codes = Object.entries(viewers).filter(([, { id }]) => (codeIn(users, id) ?? '') !== '');
      expect([name, codes.map(([who]) => who).toSorted()]).toEqual([name, [...seen].toSorted()]);
      const then = (await get(`/users?at=${await head()}`, viewer.token)).data.users;
      expect(then).toEqual(users);
      const client = await live.connect(viewer.token);
      await opened(client, 'workspace');
      const told = [...client.replica('workspace').docs.values()].filter(
        ({ kind, doc }) => kind === 'person' && doc !== null,
      );
      const watched = new Map(told.map(({ doc }) => [(doc as PersonWire).id, doc as PersonWire]));
      for (const user of users) expect([name, watched.get(user.id)]).toEqual([name, user]);
      client.close();
    }
    const renamed = await team.api.call('PUT', `/users/${wider.id}`, { name: 'Иной' }, { token: one.token });
    expect([renamed.status, renamed.body.data.user.authCode]).toEqual([200, '']);
  });

  test('RATK-2 a code of the past is told only while it is the person’s, and by the rights of now', async () => {
    const lead = team.askers.TEAM_LEAD.token;
    const risen = await givenPerson(team.api, team.licence, 'MEDIA_BUYER');
    const left = await givenPerson(team.api, team.licence, 'MEDIA_BUYER');
    const reissued = await givenPerson(team.api, team.licence, 'MEDIA_BUYER');
    const before = await head();
    const codes = async (path: string, ids: readonly { readonly id: string }[]) => {
      const { users } = (await get(path, lead)).data;
      return ids.map(({ id }) => codeIn(users, id));
    };
    const three = [risen, left, reissued];
    expect(await codes(`/users?at=${before}`, three)).toEqual(three.map(({ authCode }) => authCode));
    await team.done('PUT', `/users/${risen.id}`, { role: 'CBDO' });
    await team.done('DELETE', `/users/${left.id}`);
    await team.done('POST', `/users/${reissued.id}/reissue-code`, {});
    const heir = await givenPerson(team.api, team.licence, 'CBDO', { authCode: left.authCode });
    expect(heir.authCode).toBe(left.authCode);
    await team.api.followed();
    expect(await codes(`/users?at=${before}`, three)).toEqual(['', '', '']);
    expect(await codes('/users?includeInactive=true', [risen, left, heir])).toEqual(['', '', '']);
  });

  test('RATK-3 codes are told in no other read', async () => {
    const { id, authCode } = await givenPerson(team.api, team.licence, 'MEDIA_BUYER');
    await team.api.followed();
    const { token } = team.owner;
    const reads = [
      `/audit?limit=200`,
      `/audit?search=${authCode}`,
      `/audit?entity=user:${id}`,
      `/search?q=${authCode}`,
      '/license/history-bundle',
      `/campaigns/${team.campaign.id}/events`,
      `/campaigns/${team.campaign.id}/earnings`,
      '/notifications',
      '/reports/salary',
    ];
    for (const read of reads) {
      const reply = await fetch(`${team.api.address}/api${read}`, { headers: { Authorization: `Bearer ${token}` } });
      const text = await reply.text();
      expect([read, reply.status, text.includes(authCode), text.includes(team.licence.ownerCode)]).toEqual([
        read,
        200,
        false,
        false,
      ]);
      expect([read, text.includes(team.licence.key)]).toEqual([read, false]);
    }
  });

  test('RATK-4 a licence that is closed is read only, and open sockets are told that it is closed', async () => {
    const { api, licence, owner, askers: people } = team;
    const client = await live.connect(people.TEAM_LEAD.token);
    await opened(client, 'me');
    const at = new Date(api.now()).toISOString();
    const by = {
      licenceId: licence.id,
      actorId: 'system',
      source: 'system',
      commandId: randomUUID(),
      requestHash: '',
    } as const;
    const closed = { id: randomUUID(), type: 'LicenceClosed', data: {}, metadata: { ...by, at, schemaVersion: 1 } };
    await team.done('POST', '/license/close', {});
    await api.eventStore.append([
      { stream: `licence-${licence.id}~${licence.id}`, expectedRevision: 'any', events: [closed] },
    ]);
    await api.followed();
    await client.until(() => !client.socket.connected);
    expect(client.ended).toEqual([{ code: 'LICENSE_INACTIVE', message: messages.licenceClosed }]);
    const session = await api.call('GET', `/auth/session?after=${await head()}`, undefined, { token: owner.token });
    expect(session.body.data).toMatchObject({ readOnly: { reason: 'licence' } });
  });
});
