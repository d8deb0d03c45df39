import type { Call } from '@zakup/contracts/calls/call';
import { type CallName, callNames, calls } from '@zakup/contracts/calls/calls';
import { type Action, may, type Person, roles, type Verdict } from '@zakup/domain/permissions';
import { Router } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples, type Sent, strangersGet } from './examples.ts';
import { mountedIn } from './mounted-routes.ts';
import { send } from './send.ts';
import { givenTeam, type Team } from './team.ts';

const paths = callNames.map((name) => calls[name].path);
const keyed = (service: Call['service']): readonly string[] =>
  callNames.filter((name) => calls[name].service === service).toSorted();

/** Whether there may be something that the right opens. */
const mayDo = may as (person: Person, action: Action, subject: 'some') => Verdict;
const refusalOf = ({ rights }: Call, person: Person): (Verdict & { readonly allowed: false }) | null => {
  let refusal: (Verdict & { readonly allowed: false }) | null = null;
  for (const right of rights) {
    const verdict = mayDo(person, right, 'some');
    if (verdict.allowed) return null;
    refusal = verdict;
  }
  return refusal;
};

describe('the table of calls', { timeout: 60_000 }, () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  }, 60_000);
  afterAll(() => team.api.close());

  test('CALLT-1 what is mounted is what is listed, in both services', () => {
    const { command, gateway } = team.api.routers;
    expect(mountedIn(command, paths)).toEqual({ keys: keyed('command'), unclear: [] });
    expect(mountedIn(gateway, paths)).toEqual({ keys: keyed('gateway'), unclear: [] });
  });

  test('CALLT-2 routes beside the table, mounts elsewhere and handlers that are no routes are seen', () => {
    const below = Router();
    below.get('/hidden', () => undefined);
    const router = Router();
    router.use((_request, _response, next) => next());
    router.use('/admin', below);
    router.use('/backdoor', below);
    router.use('/admin', (_request, response) => void response.end());
    router.use((_request, response) => void response.end());
    router.all('/everything/:id', () => undefined);
    const found = mountedIn(router, paths);
    expect(found.keys).toContain('GET /admin/hidden');
    expect(found.keys.some((key) => key.endsWith('/everything/{id}'))).toBe(true);
    expect(found.unclear).toHaveLength(3);
  });

  test('CALLT-3 every row fits its key, its realm and what it answers', () => {
    const faults = callNames.flatMap((name) => {
      const call: Call = calls[name];
      const needsRight = call.realm === 'person' && call.envelope !== 'unkeyed';
      return [
        ...(name === `${call.method} ${call.path}` ? [] : [`${name}: path`]),
        ...(call.service === (call.method === 'GET' ? 'gateway' : 'command') ? [] : [`${name}: service`]),
        ...(needsRight === call.rights.length > 0 ? [] : [`${name}: rights`]),
        ...(call.top.every((member) => Object.hasOwn(call.data.shape, member)) ? [] : [`${name}: top`]),
        ...(call.summary.trim() === '' ? [`${name}: summary`] : []),
      ];
    });
    expect(faults).toEqual([]);
  });

  const byOwner = (name: CallName): Sent | Promise<Sent> => examples[name](team, team.owner);
  const withoutToken = ({ params = {}, query = {}, body, headers = {} }: Sent): Sent => ({
    params,
    query,
    body,
    headers,
  });
  const callsOf = (realm: Call['realm']): readonly CallName[] =>
    callNames.filter((name) => calls[name].realm === realm);

  const oneTimeToken = async (): Promise<string> => {
    const person = { name: 'Новый', email: `${team.fresh('new')}@example.com`, role: 'CBDO' };
    const { authCode, temporaryPassword } = await team.done('POST', '/employees/create', person);
    return (await team.done('POST', '/auth/employee-login', { authCode, password: temporaryPassword })).token;
  };

  test.each(callsOf('person'))(
    'CALLT-4 %s is open to the roles of its right, and its reply is its schema',
    async (name) => {
      for (const role of roles) {
        const actor = team.actors[role];
        const refusal = refusalOf(calls[name], actor.person);
        const got = await send(team.api, name, await examples[name](team, actor), actor.token);
        expect([role, got.status, got.code, got.error]).toEqual(
          refusal === null ? [role, 200, null, null] : [role, 403, refusal.code, refusal.message],
        );
      }
    },
  );

  test.each(callsOf('person'))(
    'CALLT-5 %s is closed without a token, with the admin’s, and to a one-time password',
    async (name) => {
      const sent = withoutToken(await byOwner(name));
      expect(await send(team.api, name, sent)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(await send(team.api, name, sent, team.admin)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      const got = await send(team.api, name, sent, await oneTimeToken());
      expect(got.code === 'PASSWORD_CHANGE_REQUIRED').toBe(!calls[name].oneTimePassword);
    },
  );

  test.each(callsOf('person'))(
    'CALLT-6 %s shows a stranger nothing of the licence and changes nothing there',
    async (name) => {
      const sent = withoutToken(await byOwner(name));
      const before = await team.api.eventStore.readLicence(team.licence.id);
      const got = await send(team.api, name, sent, await team.stranger());
      const named = Object.keys(calls[name].params.shape).length > 0 ? 404 : 200;
      expect(got.status).toBe(strangersGet[name] ?? named);
      for (const mine of [team.licence.id, team.campaign.id, team.placement.id, team.owner.id, 'Весна'])
        expect(got.text).not.toContain(mine);
      expect(await team.api.eventStore.readLicence(team.licence.id)).toEqual(before);
    },
  );

  test.each(callsOf('admin'))('CALLT-7 %s is open to the admin alone, and its reply is its schema', async (name) => {
    const sent = await byOwner(name);
    for (const token of [undefined, ...roles.map((role) => team.actors[role].token)])
      expect(await send(team.api, name, sent, token)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await send(team.api, name, sent, team.admin)).toMatchObject({ status: 200 });
  });

  test.each(callsOf('open'))('CALLT-8 %s is open to everybody, and its reply is its schema', async (name) => {
    expect(await send(team.api, name, await byOwner(name))).toMatchObject({ status: 200 });
  });
});
