import { randomBytes } from 'node:crypto';
import { setTimeout as real } from 'node:timers/promises';
import { commandApp } from '@zakup/command/app';
import type { CommandDeps } from '@zakup/command/deps';
import { type CommandService, commandService } from '@zakup/command/testing/command-service';
import {
  givenBuying,
  givenLicence,
  type GivenLicence,
  givenPerson,
  type GivenPerson,
  ownerPassword,
  personPassword,
} from '@zakup/command/testing/given';
import { declaredFields } from '@zakup/contracts/read-models';
import type { Credentials } from '@zakup/credentials/credentials';
import { mongoCredentials } from '@zakup/credentials/mongodb/mongo-credentials';
import { startWorld, type World } from '@zakup/gateway/testing/world';
import { runProjector } from '@zakup/projector/run-projector';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const hashing = { memoryCost: 8, timeCost: 1 };
const server = await mongoDbServer();
afterAll(() => server.stop());

/** What one process has open. */
interface Opened {
  readonly credentials: Credentials;
  readonly readStore: ReadStore;
}
interface Stores {
  readonly command: Opened;
  readonly gateway: Opened;
  readonly projector: ReadStore;
  readonly end: () => Promise<void>;
}

/** One set of stores in memory for everything. */
const inOneProcess = async ({ credentials, readStore }: CommandDeps): Promise<Stores> => {
  const opened = { credentials, readStore };
  return { command: opened, gateway: opened, projector: readStore, end: async () => undefined };
};

/** Each process opens the same MongoDB for itself. */
const inProcesses = async (): Promise<Stores> => {
  const url = server.url(`zakup_effects_${randomBytes(6).toString('hex')}`);
  const key = randomBytes(32);
  const closing: { close(): Promise<void> }[] = [];
  const kept = <One extends { close(): Promise<void> }>(one: One): One => {
    closing.push(one);
    return one;
  };
  const open = async (): Promise<Opened> => ({
    credentials: kept(await mongoCredentials({ url, key, random: (count) => randomBytes(count), hashing })),
    readStore: kept(await mongoReadStore({ url, declared: declaredFields })),
  });
  const [command, gateway] = [await open(), await open()];
  await command.credentials.setAdmin('admin', 'admin-password');
  return {
    command,
    gateway,
    projector: kept(await mongoReadStore({ url, declared: declaredFields })),
    end: async () => {
      for (const one of closing) await one.close();
    },
  };
};

const system = async (open: (deps: CommandDeps) => Promise<Stores>) => {
  let given: CommandDeps | null = null;
  let router = (_deps: CommandDeps): void => undefined;
  const service = await commandService((deps) => {
    given = deps;
    const { log, metrics } = deps;
    const front = httpFront({
      config: { trustProxy: 0, publicHttps: false, metrics: 'open' },
      readiness: readiness({}),
      log,
      metrics,
    });
    router = (own) => front.open([commandApp(own)]);
    return front.app;
  });
  const deps = given as CommandDeps | null;
  if (deps === null) throw new Error('Nothing was served');
  const stores = await open(deps);
  router({ ...deps, ...stores.command });
  const { eventStore } = service;
  const stopping = new AbortController();
  const projector = runProjector({
    eventStore,
    readStore: stores.projector,
    partition: 'all',
    fence: 1,
    signal: stopping.signal,
    now: Date.now,
  });
  await projector.caughtUp;
  const world = await startWorld({ deps: { eventStore, tokens: deps.tokens, now: service.clock, ...stores.gateway } });
  return {
    service,
    world,
    stop: async (): Promise<void> => {
      await world.stop();
      await projector.stop();
      stopping.abort();
      await stores.end();
      await service.close();
    },
  };
};

for (const [edition, open] of [
  ['one process, in memory', inOneProcess],
  [`three processes on one MongoDB (${server.kind})`, inProcesses],
] as const) {
  describe(`who may no longer: ${edition}`, () => {
    let service: CommandService;
    let world: World;
    let stop: () => Promise<void>;
    let licence: GivenLicence;
    beforeAll(async () => {
      ({ service, world, stop } = await system(open));
      licence = await givenLicence(service, { maxConcurrentSessions: 100 });
    });
    afterAll(() => stop());

    const byOwner = async (method: string, path: string, body?: object): Promise<void> => {
      const { status } = await service.call(method, path, body, { token: licence.owner });
      expect([path, status]).toEqual([path, 200]);
    };
    const login = async ({ authCode }: GivenPerson, password = personPassword) =>
      (await service.call('POST', '/auth/employee-login', { authCode, password })).body.data;
    const change = async (token: string): Promise<number> =>
      (await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token })).status;
    const read = async (token: string): Promise<number> => (await world.get('/channels', token)).status;
    const inASecond = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
      const began = scheduledTime();
      while (!(await holds())) {
        expect(began.now()).toBeLessThan(1_000);
        await real(5);
      }
      began.stop();
    };
    const watching = async (token: string, scope = 'workspace') => {
      const client = await world.connect(token);
      await inASecond(async () => (await client.subscribe(scope)).ok);
      await client.until(() => client.replica(scope).position !== null);
      return client;
    };

    test('SIG-20 a deactivated person’s tokens and sockets are over, in this and every other process', async () => {
      const person = await givenPerson(service, licence, 'TEAM_LEAD');
      const second = await login(person);
      const sockets = [await watching(person.token), await watching(second.token)];
      await byOwner('DELETE', `/users/${person.id}`);
      for (const token of [person.token, second.token]) expect(await change(token)).toBe(401);
      await inASecond(() => sockets.every(({ ended }) => ended.length > 0));
      await inASecond(async () => (await read(person.token)) === 401);
      expect((await service.call('POST', '/auth/refresh', { refreshToken: second.refreshToken })).status).toBe(401);
    });

    test('SIG-21 a changed role holds for the next command at once, for reads and sockets within a second', async () => {
      const person = await givenPerson(service, licence, 'TEAM_LEAD');
      const socket = await watching(person.token);
      const createChannel = () => service.call('POST', '/channels', { name: 'Канал' }, { token: person.token });
      expect((await createChannel()).status).toBe(200);
      await byOwner('PUT', `/users/${person.id}`, { role: 'MEDIA_BUYER' });
      expect((await createChannel()).status).toBe(403);
      await inASecond(() => socket.resets.includes('workspace'));
      expect((await socket.subscribe('workspace')).ok).toBe(true);
      await socket.until(() => socket.replica('workspace').position !== null);
      expect([...socket.replica('workspace').docs.values()].map(({ kind }) => kind)).not.toContain('person');
      expect(socket.ended).toEqual([]);
    });

    test('SIG-22 a changed permissions object closes reads and scopes within a second', async () => {
      const person = await givenPerson(service, licence, 'MEDIA_BUYER');
      const socket = await watching(person.token);
      expect(await read(person.token)).toBe(200);
      await byOwner('PUT', `/users/${person.id}`, {
        permissions: JSON.stringify({ dashboard: false, analytics: true }),
      });
      await inASecond(async () => socket.resets.includes('workspace') && (await read(person.token)) === 403);
      expect(await socket.subscribe('workspace')).toMatchObject({ ok: false, problem: { code: 'ACCESS_DENIED' } });
    });

    test('SIG-23 a flipped switch of the licence holds for commands at once, for sockets within a second', async () => {
      const buying = await givenBuying(service, { maxConcurrentSessions: 100 });
      const other = await givenPerson(service, buying.licence, 'MEDIA_BUYER');
      const socket = await watching(other.token);
      const add = () => service.call('POST', '/placements', buying.body, { token: other.token });
      expect((await add()).status).toBe(200);
      const settings = { buyersEditAll: false, earningsVisible: false };
      const flipped = await service.call('PUT', '/license/settings', settings, { token: buying.licence.owner });
      expect(flipped.status).toBe(200);
      expect((await add()).status).toBe(403);
      await inASecond(() => socket.resets.includes('workspace'));
    });

    test('SIG-24 ending all others and a new password end the other sockets within a second', async () => {
      const person = await givenPerson(service, licence, 'MEDIA_BUYER');
      const other = await login(person);
      const socket = await watching(other.token);
      expect((await service.call('DELETE', '/auth/sessions', undefined, { token: person.token })).status).toBe(200);
      await inASecond(() => socket.ended.length > 0);
      await inASecond(async () => (await read(other.token)) === 401);
      const third = await login(person);
      const later = await watching(third.token);
      const passwords = { currentPassword: personPassword, newPassword: 'brand-new-password' };
      const changed = await service.call('POST', '/auth/password', passwords, { token: person.token });
      expect(changed.status).toBe(200);
      await inASecond(() => later.ended.length > 0);
      expect(await change(third.token)).toBe(401);
      expect(await change(changed.body.data.token)).toBe(404);
      expect(['SESSION_REVOKED']).toEqual(later.ended.map(({ code }) => code));
    });

    test('SIG-25 a suspension ends the sockets of employees within a second and leaves the owner reading', async () => {
      const own = await givenLicence(service, { maxConcurrentSessions: 100 });
      const person = await givenPerson(service, own, 'CBDO');
      const [socket, owners] = [await watching(person.token), await watching(own.owner)];
      const suspended = await service.call(
        'POST',
        `/admin/licenses/${own.id}/suspend`,
        { reason: 'долг' },
        { token: own.admin },
      );
      expect(suspended.status).toBe(200);
      expect(await change(person.token)).toBe(403);
      await inASecond(() => socket.ended.some(({ code }) => code === 'LICENSE_INACTIVE'));
      await inASecond(async () => (await read(person.token)) === 403);
      expect(owners.ended).toEqual([]);
      expect(await read(own.owner)).toBe(200);
    });

    test('SIG-26 logging out, and a refresh token that comes back too late, end the socket within a second', async () => {
      const signedIn = async () =>
        (await service.call('POST', '/auth/ceo-login', { loginCode: licence.ownerCode, password: ownerPassword })).body
          .data;
      const first = await signedIn();
      const socket = await watching(first.token);
      await service.call('POST', '/auth/logout', {}, { token: first.token });
      await inASecond(() => socket.ended.length > 0);
      const { token, refreshToken } = await signedIn();
      const stolen = await watching(token);
      const refresh = () => service.call('POST', '/auth/refresh', { refreshToken });
      const answers = await Promise.all(Array.from({ length: 10 }, refresh));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.refreshToken}`)).size).toBe(1);
      service.advance(6_000);
      expect((await refresh()).status).toBe(401);
      await inASecond(() => stolen.ended.length > 0);
      expect(await change(token)).toBe(401);
      await inASecond(async () => (await read(token)) === 401);
    });

    test('SIG-27 seats are never exceeded by sign-ins sent at once', async () => {
      const small = await givenLicence(service, { maxConcurrentSessions: 3 });
      const person = await givenPerson(service, small, 'MEDIA_BUYER');
      const replies = await Promise.all(
        Array.from({ length: 12 }, () =>
          service.call('POST', '/auth/employee-login', { authCode: person.authCode, password: personPassword }),
        ),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(replies.filter(({ body }) => body.code === 'SESSION_LIMIT')).toHaveLength(10);
    });
  });
}
