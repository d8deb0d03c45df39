import { randomUUID } from 'node:crypto';
import { givenLicence, givenPerson } from '@zakup/command/testing/given';
import type { DocKind } from '@zakup/contracts/wire-entities';
import { problemBodySchema } from '@zakup/contracts/problems';
import type { LiveClient } from '@zakup/gateway/testing/live-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from './team.ts';
import { keysIn, opened, type Watchable, watchable } from './watchable.ts';
import { askers } from './who-may.ts';
import { type ScopeKind, whoGets, whoMayWatch } from './who-may-watch.ts';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const scopeKinds = Object.keys(whoMayWatch) as readonly ScopeKind[];
const docKinds = Object.keys(whoGets) as readonly DocKind[];

const namesOf = ({ campaign, placement }: Team): Readonly<Record<ScopeKind, string>> => ({
  workspace: 'workspace',
  campaign: `campaign:${campaign.id}`,
  contractor: `contractor:${placement.contractorId}`,
  me: 'me',
});

const kindsIn = (client: LiveClient, scope: string): readonly DocKind[] => [
  ...new Set([...client.replica(scope).docs.values()].filter(({ doc }) => doc !== null).map(({ kind }) => kind)),
];

const answerTo = async (client: LiveClient, scope: string): Promise<string> => {
  const answer = await client.subscribe(scope);
  return answer.ok ? 'ok' : answer.problem.code;
};

/** The code with which a socket is refused; `ok` = it is not. */
const admission = async (live: Watchable, token: string): Promise<string> => {
  try {
    const client = await live.connect(token);
    // The session may have ended before the line was there.
    const answer = await answerTo(client, 'me');
    client.close();
    return answer;
  } catch (error) {
    return problemBodySchema.parse((error as { readonly data: unknown }).data).code;
  }
};

const given = (): { readonly team: Team; readonly live: Watchable } => {
  const world: { team?: Team; live?: Watchable } = {};
  beforeAll(async () => {
    world.team = await givenTeam();
    world.live = await watchable(world.team.api.gateway);
    // Everybody is told something, and more than one has earned.
    await world.team.done('POST', '/license/close', {});
    await world.team.done('POST', '/license/close/cancel', {});
    const colleague = await givenPerson(world.team.api, world.team.licence, 'MEDIA_BUYER');
    await world.team.done('POST', '/placements', { ...world.team.placementBody, buyerId: colleague.id });
    for (const asker of whoGets.import.who) {
      const { campaign, fresh } = world.team;
      const body = { name: fresh('Кампания '), channelId: campaign.channelId };
      const { id } = (await world.team.done('POST', '/campaigns', body)).campaign;
      await world.team.done('POST', `/campaigns/${id}/import`, 'Ник', { token: world.team.askers[asker].token });
    }
    // A view of everybody's, and one of each.
    await world.team.done('POST', '/views', { name: 'Общий', query: 'sort=date', shared: true });
    for (const asker of askers)
      await world.team.done(
        'POST',
        '/views',
        { name: world.team.fresh('Свой '), query: 'sort=date' },
        { token: world.team.askers[asker].token },
      );
    await world.team.api.followed();
  });
  afterAll(async () => {
    await world.live?.close();
    await world.team?.api.close();
  });
  return world as { readonly team: Team; readonly live: Watchable };
};

describe('who may watch what', () => {
  describe('in one’s own licence', () => {
    const world = given();
    const hide = (hidden: boolean): Promise<unknown> =>
      world.team.done('PUT', '/license/settings', { earningsVisible: !hidden });

    test.each(askers.flatMap((asker) => scopeKinds.map((kind) => [asker, kind] as const)))(
      'WATCH-1 %s opens %s as its row has it, and gets exactly the kinds that come there',
      async (asker, kind) => {
        const { team, live } = world;
        const scope = namesOf(team)[kind];
        const client = await live.connect(team.askers[asker].token);
        expect(await answerTo(client, scope)).toBe(whoMayWatch[kind].who.includes(asker) ? 'ok' : 'ACCESS_DENIED');
        await client.until(() => client.replica(scope).position !== null);
        const due = docKinds.filter((doc) => whoGets[doc].scopes.includes(kind) && whoGets[doc].who.includes(asker));
        expect(kindsIn(client, scope).toSorted()).toEqual(due.toSorted());
        client.close();
      },
    );

    test.each(askers)(
      'WATCH-2 while earnings are hidden %s gets others’ as the row has it, else the own ones alone',
      async (asker) => {
        const { team, live } = world;
        await hide(true);
        await team.api.followed();
        const { campaign } = namesOf(team);
        const client = await live.connect(team.askers[asker].token);
        await opened(client, 'me', campaign);
        const own = `earnings ${team.campaign.id}:${team.askers[asker].id}`;
        const earnings = (scope: string) => keysIn(client, scope).filter((key) => key.startsWith('earnings '));
        const sees = whoGets.earnings.whileHidden?.includes(asker) === true;
        expect(earnings('me')).toEqual(sees ? [] : [own]);
        expect(earnings(campaign).length).toBe(sees ? 2 : 0);
        client.close();
        await hide(false);
        await team.api.followed();
      },
    );

    test('WATCH-3 unknown scopes are not there, and what is no scope is wrong', async () => {
      const { team, live } = world;
      for (const asker of askers) {
        const client = await live.connect(team.askers[asker].token);
        for (const kind of scopeKinds) {
          const named = whoMayWatch[kind].foreign === 'NOT_FOUND';
          const [unknown, wrong] = named ? [`${kind}:${randomUUID()}`, kind] : [null, `${kind}:${team.campaign.id}`];
          expect(await answerTo(client, wrong)).toBe('VALIDATION_FAILED');
          expect(unknown === null ? 'NOT_FOUND' : await answerTo(client, unknown)).toBe('NOT_FOUND');
        }
        for (const wrong of [
          '',
          `person:${team.owner.id}`,
          `license:${team.licence.id}`,
          'all',
          `campaign:${team.campaign.id} `,
        ])
          expect(await answerTo(client, wrong)).toBe('VALIDATION_FAILED');
        client.close();
      }
    });

    test('WATCH-4 a permissions object without the dashboard closes what its row says, alike for what is there, foreign and unknown', async () => {
      const { team, live } = world;
      const person = await givenPerson(team.api, team.licence, 'TEAM_LEAD', { permissions: { settings: true } });
      const client = await live.connect(person.token);
      for (const kind of scopeKinds) {
        const { needsDashboard, foreign } = whoMayWatch[kind];
        const names = [namesOf(team)[kind], ...(foreign === 'NOT_FOUND' ? [`${kind}:${randomUUID()}`] : [])];
        for (const name of names)
          expect([name, await answerTo(client, name)]).toEqual([name, needsDashboard ? 'ACCESS_DENIED' : 'ok']);
      }
      client.close();
    });
  });

  describe('in another licence', () => {
    const world = given();

    test('WATCH-5 nobody of another licence, whatever their role, gets anything of this one', async () => {
      const { team, live } = world;
      const licence = await givenLicence(team.api, { maxConcurrentSessions: 100, ownerName: 'Чужой' });
      for (const asker of askers) {
        const { token } = asker === 'OWNER' ? { token: licence.owner } : await givenPerson(team.api, licence, asker);
        const client = await live.connect(token);
        for (const kind of scopeKinds) {
          const { foreign } = whoMayWatch[kind];
          expect([asker, kind, await answerTo(client, namesOf(team)[kind])]).toEqual([
            asker,
            kind,
            foreign === 'theirs' ? 'ok' : foreign,
          ]);
        }
        await client.until(() => ['workspace', 'me'].every((scope) => client.replica(scope).position !== null));
        await team.done('PATCH', `/placements/${team.placement.id}`, { leads: 10 + askers.indexOf(asker) });
        await team.api.followed();
        await opened(client, 'workspace', 'me');
        const told = JSON.stringify(client.messages);
        for (const mine of [team.licence.id, team.campaign.id, team.placement.id, team.owner.id, 'Весна'])
          expect(told).not.toContain(mine);
        client.close();
      }
    });
  });

  describe('without a session in order', () => {
    const world = given();

    test('WATCH-6 no token, a wrong one, the admin’s, one that ended and a one-time password’s open no socket', async () => {
      const { team, live } = world;
      const ended = await Promise.all(
        askers.map(async (asker) => {
          const { token } = await team.askers[asker].signInAgain();
          await team.done('POST', '/auth/logout', {}, { token });
          return token;
        }),
      );
      for (const token of ['', 'null', team.admin, `${team.owner.token}x`, ...ended])
        expect(await admission(live, token)).toBe('UNAUTHENTICATED');
      const body = { name: 'Новый', email: `${team.fresh('new')}@example.com`, role: 'CBDO' };
      const { authCode, temporaryPassword } = await team.done('POST', '/employees/create', body);
      const once = await team.done('POST', '/auth/employee-login', { authCode, password: temporaryPassword });
      expect(await admission(live, once.token)).toBe('PASSWORD_CHANGE_REQUIRED');
      const gone = await givenPerson(team.api, team.licence, 'CBDO');
      await team.done('DELETE', `/users/${gone.id}`);
      expect(await admission(live, gone.token)).toBe('UNAUTHENTICATED');
    });

    test('WATCH-7 a token that is over opens no socket', async () => {
      const { team, live } = world;
      const tokens = askers.map((asker) => team.askers[asker].token);
      for (const token of tokens) expect(await admission(live, token)).toBe('ok');
      team.api.advance(16 * 60_000);
      for (const token of tokens) expect(await admission(live, token)).toBe('UNAUTHENTICATED');
    });
  });

  describe.each(['expired', 'suspended', 'closed'] as const)('in a licence that is %s', (state) => {
    const world = given();
    const closeIt = async ({ api, admin, licence, done }: Team): Promise<void> => {
      if (state === 'expired')
        await done('POST', `/admin/licenses/${licence.id}/renew`, { expiresAt: '2026-01-01' }, { token: admin });
      else if (state === 'suspended')
        await done('POST', `/admin/licenses/${licence.id}/suspend`, { reason: 'Не оплачено' }, { token: admin });
      else {
        await done('POST', '/license/close', {});
        const at = new Date(api.now()).toISOString();
        const by = {
          licenceId: licence.id,
          actorId: 'system',
          source: 'system',
          commandId: randomUUID(),
          requestHash: '',
        } as const;
        const event = { id: randomUUID(), type: 'LicenceClosed', data: {}, metadata: { ...by, at, schemaVersion: 1 } };
        const stream = `licence-${licence.id}~${licence.id}`;
        await api.eventStore.append([{ stream, expectedRevision: 'any', events: [event] }]);
      }
      await api.followed();
    };

    test('WATCH-8 open sockets stay or end, and new ones open, as the licence leaves it: all reads when it expired, else the owner’s', async () => {
      const { team, live } = world;
      const before = await Promise.all(
        askers.map(async (asker) => [asker, await live.connect(team.askers[asker].token)] as const),
      );
      for (const [, client] of before) await opened(client, ...Object.values(namesOf(team)));
      await closeIt(team);
      for (const [asker, client] of before) {
        const stays = state === 'expired' || asker === 'OWNER';
        if (!stays) await client.until(() => !client.socket.connected);
        expect([asker, client.ended.map(({ code }) => code)]).toEqual([asker, stays ? [] : ['LICENSE_INACTIVE']]);
        expect([asker, await admission(live, team.askers[asker].token)]).toEqual([
          asker,
          stays ? 'ok' : 'LICENSE_INACTIVE',
        ]);
        if (!stays) continue;
        const again = await live.connect(team.askers[asker].token);
        for (const kind of scopeKinds)
          expect([asker, kind, await answerTo(again, namesOf(team)[kind])]).toEqual([
            asker,
            kind,
            whoMayWatch[kind].who.includes(asker) ? 'ok' : 'ACCESS_DENIED',
          ]);
        again.close();
      }
    });
  });

  describe('while rights change', () => {
    const world = given();
    /** Milliseconds until it holds, counted from the answer to the command. */
    const soon = async (client: LiveClient, holds: () => boolean): Promise<void> => {
      const began = scheduledTime();
      await client.until(holds);
      expect(began.stop()).toBeLessThan(1_000);
    };
    /** A client that asks anew whenever it is told to. */
    const watching = async (role: string) => {
      const { team, live } = world;
      const person = await givenPerson(team.api, team.licence, role);
      const client = await live.connect(person.token);
      client.socket.on('reset', ({ scope }) => void client.subscribe(scope));
      await opened(client, ...Object.values(namesOf(team)));
      return { person, client };
    };
    const isLoaded = (client: LiveClient, scope: string) => client.replica(scope).position !== null;

    test('WATCH-9 hidden earnings end within a second for whoever may not see them, and come back, own ones by `me`', async () => {
      const { team } = world;
      const { campaign } = namesOf(team);
      const { person, client } = await watching('MEDIA_BUYER');
      const own = `earnings ${team.campaign.id}:${person.id}`;
      const earnings = (scope: string) => keysIn(client, scope).filter((key) => key.startsWith('earnings '));
      await team.done('POST', '/placements', { ...team.placementBody, buyerId: person.id });
      await client.until(() => earnings(campaign).includes(own));
      const { length: many } = earnings(campaign);
      await team.done('PUT', '/license/settings', { earningsVisible: false });
      await soon(client, () => [campaign, 'me', 'workspace'].every((scope) => client.resets.includes(scope)));
      await client.until(() => isLoaded(client, campaign) && earnings('me').includes(own));
      expect([earnings(campaign), earnings('me')]).toEqual([[], [own]]);
      const [from, head] = [client.messages.length, await team.api.eventStore.head()];
      await team.done('PATCH', `/placements/${team.placement.id}`, { price: 777 });
      await soon(client, () => (client.replica(campaign).position ?? 0) > head);
      const told = client.messages.slice(from).flatMap(({ docs }) => docs);
      expect(told.filter(({ kind, id }) => kind === 'earnings' && !own.endsWith(id))).toEqual([]);
      await team.done('PUT', '/license/settings', { earningsVisible: true });
      await soon(client, () => earnings(campaign).length === many);
      await client.until(() => isLoaded(client, 'me') && earnings('me').length === 0);
      client.close();
    });

    test('WATCH-10 people’s data end within a second with the right to them', async () => {
      const { team } = world;
      const { person, client } = await watching('TEAM_LEAD');
      expect(kindsIn(client, 'workspace')).toContain('person');
      await team.done('PUT', `/users/${person.id}`, { role: 'MEDIA_BUYER' });
      await soon(client, () => client.resets.includes('workspace'));
      await client.until(() => isLoaded(client, 'workspace'));
      expect(kindsIn(client, 'workspace')).not.toContain('person');
      const from = client.messages.length;
      await team.done('PUT', `/users/${team.actors.ANALYTIC.id}`, { name: 'Иначе' });
      await soon(client, () => client.messages.slice(from).some(({ scope }) => scope === 'workspace'));
      expect(client.messages.slice(from).flatMap(({ docs }) => docs.map(({ kind }) => kind))).not.toContain('person');
      client.close();
    });

    test('WATCH-11 every scope ends within a second with the dashboard, and all is over with the person', async () => {
      const { team } = world;
      const { person, client } = await watching('CBDO');
      const closed = scopeKinds.filter((kind) => whoMayWatch[kind].needsDashboard).map((kind) => namesOf(team)[kind]);
      await team.done('PUT', `/users/${person.id}`, { permissions: { settings: true } });
      await soon(client, () => closed.every((scope) => client.resets.includes(scope)));
      for (const scope of closed) expect(await answerTo(client, scope)).toBe('ACCESS_DENIED');
      await team.done('PUT', `/users/${person.id}`, { isActive: false });
      await soon(client, () => client.ended.length > 0);
      expect(['ACCESS_DENIED', 'SESSION_REVOKED']).toContain(client.ended[0]?.code);
    });
  });

  describe('one’s own notifications', () => {
    const world = given();

    test('WATCH-12 are there on opening, come as they are told, and are read on every socket of the person, and on nobody else’s', async () => {
      const { team, live } = world;
      const { MEDIA_BUYER: buyer, ANALYTIC: analyst } = team.actors;
      const [one, two, other] = [
        await live.connect(buyer.token),
        await live.connect(buyer.token),
        await live.connect(analyst.token),
      ];
      for (const client of [one, two, other]) await opened(client, 'me');
      const told = (client: LiveClient) =>
        [...client.replica('me').docs.values()]
          .filter(({ kind, doc }) => kind === 'notification' && doc !== null)
          .map(
            ({ doc }) =>
              doc as { readonly id: string; readonly text: string; readonly read: boolean; readonly position: number },
          )
          .toSorted((a, b) => b.position - a.position);
      const listed = async (): Promise<unknown> => {
        const head = await team.api.eventStore.head();
        return (await team.api.call('GET', `/notifications?after=${head}`, undefined, { token: buyer.token })).body
          .data;
      };
      expect(told(one)).toEqual(((await listed()) as { readonly notifications: unknown }).notifications);
      const before = told(one).length;
      await team.done('PATCH', `/placements/${team.placement.id}`, { price: 321 });
      for (const client of [one, two]) await client.until(() => told(client).length > before);
      expect(told(two)[0]?.text).toMatch(/^Ваше размещение изменено: @seller/u);
      expect(told(one)[0]?.read).toBe(false);
      const upTo = told(one)[0]?.position;
      await team.done('POST', '/notifications/read', { upTo }, { token: buyer.token, key: randomUUID() });
      for (const client of [one, two]) await client.until(() => told(client).every(({ read }) => read));
      expect(told(two)).toEqual(((await listed()) as { readonly notifications: unknown }).notifications);
      await opened(other, 'me');
      expect(JSON.stringify(other.messages)).not.toContain('@seller');
      const positions = one.messages.filter(({ scope }) => scope === 'me').map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
    });
  });
});
