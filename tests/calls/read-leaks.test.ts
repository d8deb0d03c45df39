import { randomUUID } from 'node:crypto';
import { givenPerson } from '@zakup/command/testing/given';
import type { PersonWire } from '@zakup/contracts/wire-entities';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from './team.ts';
import { opened, type Watchable, watchable } from './watchable.ts';
import { askers } from './who-may.ts';

describe('what reads must not tell', () => {
  let team: Team;
  let live: Watchable;
  beforeAll(async () => {
    team = await givenTeam();
    live = await watchable(team.api.gateway);
  });
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

  test('RATK-3359 keys and webhooks have no past to ask for, and neither their secrets nor the addresses of webhooks are told in any other read', async () => {
    const { done, owner, askers: people } = team;
    const url = 'https://203.0.113.9/hidden-path?token=hidden-token';
    const { key, secret } = await done('POST', '/keys', { name: 'Учёт', access: 'read' });
    const hook = await done('POST', '/webhooks', { url, events: ['*'] });
    await done('POST', `/webhooks/${hook.webhook.id}/replay`, { after: 0 });
    await team.api.followed();
    const at = await head();
    await done('DELETE', `/keys/${key.id}`);
    await done('DELETE', `/webhooks/${hook.webhook.id}`);
    for (const path of ['/keys', '/webhooks']) {
      expect([path, (await get(`${path}?at=${at}`, owner.token)).status]).toEqual([path, 422]);
      for (const asker of ['CEO', 'ANALYTIC'] as const)
        expect([path, (await get(`${path}?at=${at}`, people[asker].token)).status]).toEqual([path, 403]);
    }
    const reads = [
      '/audit?limit=200',
      `/audit?entity=license:${team.licence.id}`,
      '/audit?search=hidden-token',
      '/search?q=hidden-path',
      '/license/history-bundle',
      '/license',
      '/notifications',
    ];
    for (const read of reads) {
      const reply = await fetch(`${team.api.address}/api${read}`, {
        headers: { Authorization: `Bearer ${owner.token}` },
      });
      const text = await reply.text();
      expect([read, reply.status]).toEqual([read, 200]);
      for (const hidden of [secret, hook.secret, 'hidden-path', 'hidden-token', 'enc:1:'])
        expect([read, hidden, text.includes(hidden)]).toEqual([read, hidden, false]);
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

describe('what reads must not tell of pay and people', () => {
  const marks = {
    'e-mail': 'hidden.mail@example.com',
    'rate in a campaign': '7.77',
    'threshold in a campaign': '123.45',
    'own rate': '3.33',
    'own threshold': '54.32',
    earnings: '769.23',
  } as const;
  type Mark = keyof typeof marks;
  const pay: readonly Mark[] = [
    'rate in a campaign',
    'threshold in a campaign',
    'own rate',
    'own threshold',
    'earnings',
  ];
  const asPerson = {
    dashboard: true,
    analytics: true,
    contractors: true,
    creatives: true,
    campaigns: true,
    capabilities: true,
  };

  /** A licence where somebody is paid by the marks, and earnings are hidden. */
  const given = async (features: object = {}) => {
    const team = await givenTeam(features);
    const { api, licence, owner, done, placementBody } = team;
    const payee = await givenPerson(api, licence, 'MEDIA_BUYER', {
      email: marks['e-mail'],
      salaryType: 'performance',
      salaryRate: 3.33,
      performanceThreshold: 54.32,
    });
    const entry = { userId: payee.id, budget: 1, salaryType: 'percentage', salaryRate: 7.77, cplThreshold: 123.45 };
    const { campaign } = await done('POST', '/campaigns', {
      name: 'С условиями',
      channelId: team.campaign.channelId,
      totalBudget: 10_000,
      status: 'ACTIVE',
      participants: [entry],
    });
    const { placement } = await done('POST', '/placements', {
      ...placementBody,
      campaignId: campaign.id,
      buyerId: payee.id,
      contractor: '@paid',
      price: 9_900,
    });
    await done('PUT', `/users/${payee.id}`, { salaryRate: 3.34 });
    await done('PUT', `/users/${payee.id}`, { salaryRate: 3.33, permissions: { dashboard: true } });
    await done('PUT', `/campaigns/${campaign.id}`, { participants: [{ ...entry, budget: 2 }] });
    await done('PUT', '/license/settings', { earningsVisible: false });
    await api.followed();
    const at = await api.eventStore.head();
    const reads = [
      '/users',
      '/users?includeInactive=true',
      '/campaigns',
      '/contractors',
      '/creatives',
      '/channels',
      `/campaigns/${campaign.id}/earnings`,
      `/campaigns/${campaign.id}/analytics`,
      `/campaigns/${campaign.id}/placements`,
      `/campaigns/${campaign.id}/export?format=csv`,
      `/campaigns/${campaign.id}/events`,
      ...['spent', 'earnings', 'ownRate', 'remaining'].flatMap((figure) => [
        `/campaigns/${campaign.id}/lineage?figure=${figure}`,
        `/campaigns/${campaign.id}/lineage?figure=${figure}&userId=${payee.id}`,
        `/campaigns/${campaign.id}/lineage?figure=${figure}&userId=${payee.id}&userId=x`,
      ]),
      `/contractors/${placement.contractorId}`,
      `/contractors/${placement.contractorId}/lineage?figure=spent`,
      `/placements/${placement.id}`,
      `/placements/${placement.id}/history`,
      '/audit?limit=200',
      `/audit?limit=200&entity=user:${payee.id}`,
      ...Object.values(marks).map((mark) => `/audit?search=${mark}`),
      ...Object.values(marks).map((mark) => `/search?q=${mark}`),
      '/timeline',
      '/license',
      '/license/history-bundle',
      '/license/export',
      '/reports/salary',
      `/reports/salary?userId=${payee.id}`,
      '/profile/statement',
      '/notifications',
      '/auth/session',
      '/auth/sessions',
    ];
    const toldTo = async (token: string): Promise<Readonly<Partial<Record<Mark, readonly string[]>>>> => {
      const told: Partial<Record<Mark, string[]>> = {};
      for (const read of reads.flatMap((path) => [path, `${path}${path.includes('?') ? '&' : '?'}at=${at}`])) {
        const reply = await fetch(`${api.address}/api${read}`, { headers: { Authorization: `Bearer ${token}` } });
        const text = await reply.text();
        expect([read, reply.status < 500]).toEqual([read, true]);
        for (const [mark, value] of Object.entries(marks) as [Mark, string][])
          if (text.includes(value) || text.includes(value.replace('.', ',')))
            told[mark] = [...(told[mark] ?? []), read];
      }
      return told;
    };
    return {
      team,
      owner,
      payee,
      toldTo,
      person: (role: string, permissions: object) => givenPerson(api, licence, role, { permissions }),
    };
  };

  test('RATK-5 whoever may not know what others are paid, or their e-mail, is told it in no read and of no moment', async () => {
    const { team, payee, toldTo, person } = await given();
    const without: Readonly<Record<string, { readonly token: string; readonly hidden: readonly Mark[] }>> = {
      buyer: { token: team.askers.MEDIA_BUYER.token, hidden: ['e-mail', ...pay] },
      'everything but settings and reports': {
        token: (await person('ANALYTIC', asPerson)).token,
        hidden: ['e-mail', ...pay],
      },
      'a team lead without them': { token: (await person('TEAM_LEAD', asPerson)).token, hidden: ['e-mail', ...pay] },
      'nothing but reports': { token: (await person('MEDIA_BUYER', { reports: true })).token, hidden: ['e-mail'] },
      analyst: { token: team.askers.ANALYTIC.token, hidden: ['e-mail'] },
      payee: { token: payee.token, hidden: [] },
      stranger: { token: await team.stranger(), hidden: ['e-mail', ...pay] },
    };
    for (const [who, { token, hidden }] of Object.entries(without)) {
      const told = await toldTo(token);
      expect([
        who,
        Object.fromEntries(hidden.flatMap((mark) => (told[mark] === undefined ? [] : [[mark, told[mark]]]))),
      ]).toEqual([who, {}]);
    }
    expect(Object.keys(await toldTo(team.owner.token)).toSorted()).toEqual(Object.keys(marks).toSorted());
    await team.api.close();
  });

  test('RATK-6 reports that the licence has not open no door to what others earn', async () => {
    const { team, toldTo } = await given({
      features: ['analytics', 'campaigns', 'contractors', 'creatives', 'placements', 'settings'],
    });
    const told = await toldTo(team.askers.ANALYTIC.token);
    expect(told).toEqual({});
    await team.api.close();
  });
});
