import type { Call } from '@zakup/contracts/calls/call';
import { callNames, calls } from '@zakup/contracts/calls/calls';
import { Router } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountedIn } from './mounted-routes.ts';
import { givenTeam, type Team } from './team.ts';

const paths = callNames.map((name) => calls[name].path);
const keyed = (service: Call['service']): readonly string[] =>
  callNames.filter((name) => calls[name].service === service).toSorted();

describe('the table of calls', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
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
      // What is one's own, such as a session, needs none.
      const needsRight = call.realm === 'person' && (call.envelope !== 'unkeyed' || !/\/auth\//u.test(call.path));
      return [
        ...(name === `${call.method} ${call.path}` ? [] : [`${name}: path`]),
        ...(call.service === (call.method === 'GET' ? 'gateway' : 'command') ? [] : [`${name}: service`]),
        ...(needsRight === call.rights.length > 0 ? [] : [`${name}: rights`]),
        ...(call.top.every((member) => 'shape' in call.data && Object.hasOwn(call.data.shape, member))
          ? []
          : [`${name}: top`]),
        ...(call.summary.trim() === '' ? [`${name}: summary`] : []),
      ];
    });
    expect(faults).toEqual([]);
  });
});
