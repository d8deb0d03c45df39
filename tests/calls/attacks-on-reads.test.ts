import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from './team.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

describe('what an attacker tries with reads, and with calls beside the table', { timeout: 120_000 }, () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  }, 120_000);
  afterAll(() => team.api.close());

  /** Without what tells one request from another: its own path, id and moment. */
  const told = (text: string, id: string): string =>
    text
      .replaceAll(id, '<id>')
      .replaceAll(/"(instance|serverTime)":"[^"]*"/gu, '')
      .replaceAll(/"position":\d+/gu, '');
  const ask = async (path: string, id: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const response = await fetch(`${team.api.address}/api${path}`, {
      headers: { Authorization: `Bearer ${team.owner.token}`, ...headers },
    });
    return { status: response.status, text: told(await response.text(), id) };
  };

  test('ACL-8 ids of another licence in every path and query of a read are answered as ids that nobody has', async () => {
    const stranger = await team.stranger();
    const as = { token: stranger };
    const { channel } = await team.done('POST', '/channels', { name: 'Чужой' }, as);
    const { campaign } = await team.done(
      'POST',
      '/campaigns',
      { name: 'Чужая', channelId: channel.id, totalBudget: 1 },
      as,
    );
    const { creative } = await team.done('POST', '/creatives', { name: 'Чужой' }, as);
    const { contractor } = await team.done('POST', '/contractors', { adminUsername: '@foreign' }, as);
    const command = (await team.api.call('POST', '/channels', { name: 'Ещё' }, as)).body.commandId;
    const { user } = (await team.api.call('GET', '/auth/session', undefined, as)).body.data as unknown as {
      readonly user: { readonly id: string };
    };
    const own = team.campaign.id;
    const reads: readonly (readonly [string, string])[] = [
      ...['placements', 'export?format=csv', 'events', 'analytics', 'earnings', 'lineage?figure=spent'].map(
        (rest) => [`/campaigns/{id}/${rest}`, campaign.id] as const,
      ),
      [`/campaigns/${own}/placements?buyerId={id}`, user.id],
      [`/campaigns/${own}/placements?contractorId={id}`, contractor.id],
      [`/campaigns/${own}/placements?creativeId={id}`, creative.id],
      [`/campaigns/${own}/export?format=csv&contractorId={id}`, contractor.id],
      [`/campaigns/${own}/lineage?figure=spent&userId={id}`, user.id],
      [`/campaigns/${own}/lineage?figure=spent&creativeId={id}`, creative.id],
      [`/campaigns/${own}/lineage?figure=spent&contractorId={id}`, contractor.id],
      ['/contractors/{id}', contractor.id],
      ['/contractors/{id}/lineage?figure=spent', contractor.id],
      [`/contractors/${team.contractor.id}?channelId={id}`, channel.id],
      ['/creatives/{id}/results', creative.id],
      ['/timeline?campaign={id}', campaign.id],
      ['/audit?person={id}', user.id],
      ['/audit?entity=campaign:{id}', campaign.id],
      ['/audit?campaign={id}', campaign.id],
      ['/audit?command={id}', command],
      ['/reports/salary?campaign={id}', campaign.id],
      ['/reports/salary?userId={id}', user.id],
      ['/profile/statement?campaign={id}', campaign.id],
      ['/search?q={id}', campaign.id],
      ['/search?q=Чужая&limit=50', randomUUID()],
    ];
    const head = await team.api.eventStore.head();
    for (const [path, id] of reads) {
      const asked = `${path}${path.includes('?') ? '&' : '?'}after=${head}`;
      const none = randomUUID();
      const toForeign = await ask(asked.replace('{id}', id), id);
      expect([path, toForeign]).toEqual([path, await ask(asked.replace('{id}', none), none)]);
      expect(toForeign.text).not.toContain('Чуж');
    }
  });

  test('ACL-9 odd queries and headers change nothing: refused by name, or as if they were not there', async () => {
    const odd = [
      '/search?q=a&q=b',
      '/search?q[__proto__][x]=1',
      '/search?__proto__=1&q=a',
      '/campaigns?constructor=1',
      '/license?reveal=true&reveal=true',
      '/license?reveal[]=true',
      `/audit?entity=${encodeURIComponent('__proto__:x')}`,
      `/search?q=${'я'.repeat(5000)}`,
      '/timeline?around=99999999999999999999',
      '/campaigns?at=1e3',
      '/campaigns?at=%00',
      '/notifications?licenceId=x',
    ];
    for (const path of odd) {
      const { status, text } = await ask(path, 'x');
      expect([path, [400, 404, 422, 431].includes(status), status]).toEqual([path, true, status]);
      expect(text).not.toContain('    at ');
    }
    const plain = await ask('/campaigns', 'x');
    for (const headers of [
      { 'X-HTTP-Method-Override': 'DELETE' },
      { 'X-Original-URL': '/api/admin/licenses' },
      { 'X-Rewrite-URL': '/api/admin/licenses' },
      { 'X-Licence-Id': 'ff' },
      { Cookie: 'zakup_device=x; zakup_activation=x; token=x' },
    ])
      expect([headers, await ask('/campaigns', 'x', headers)]).toEqual([headers, plain]);
  });

  test('ACL-10 closing a licence is its owner’s: nobody else of it, of another, nor the admin’s token', async () => {
    const { owner: _, ...others } = { owner: team.owner, ...team.actors };
    for (const [role, { token }] of Object.entries(others).filter(([name]) => name !== 'CEO'))
      expect([role, (await team.api.call('POST', '/license/close', { reason: '' }, { token })).status]).toEqual([
        role,
        403,
      ]);
    expect((await team.api.call('POST', '/license/close', {}, { token: team.admin })).status).toBe(401);
    const before = await team.api.eventStore.readLicence(team.licence.id);
    const body = { licenceId: team.licence.id, id: team.licence.id, licenseId: team.licence.id };
    await team.api.call('POST', '/license/close', body, { token: await team.stranger() });
    const after = await team.api.eventStore.readLicence(team.licence.id);
    expect(after.length).toBe(before.length);
  });

  test('ACL-11 notifications of others cannot be read off, and odd ones are refused', async () => {
    const { token } = team.actors.MEDIA_BUYER;
    const odd: readonly unknown[] = [
      { ids: ['x'.repeat(10_000)] },
      { ids: '__proto__' },
      { until: -1 },
      { until: 1e300 },
      JSON.parse('{"__proto__":{"ids":["a"]}}'),
    ];
    for (const body of odd) {
      const { status } = await team.api.call('POST', '/notifications/read', body, { token });
      expect([body, status < 500]).toEqual([body, true]);
    }
    expect('ids' in {}).toBe(false);
  });

  test('ACL-12 an undo names nobody of another licence, and a batch with one foreign row changes none', async () => {
    const as = { token: await team.stranger() };
    const { channel } = await team.done('POST', '/channels', { name: 'Чужой' }, as);
    const campaignBody = { name: 'Чужая', channelId: channel.id, totalBudget: 1, status: 'ACTIVE' };
    const { campaign } = await team.done('POST', '/campaigns', campaignBody, as);
    const made = await team.api.call('POST', '/channels', { name: 'Ещё' }, as);
    const { user } = (await team.api.call('GET', '/auth/session', undefined, as)).body.data as unknown as {
      readonly user: { readonly id: string };
    };
    const { users } = (await team.api.call('GET', '/users', undefined, as)).body.data as unknown as {
      readonly users: readonly { readonly id: string }[];
    };
    expect(users.map(({ id }) => id)).toContain(user.id);
    const own = { token: team.owner.token };
    const undone = async (commandId: string, actorId: string) => {
      const { status, body } = await team.api.call('POST', '/undo', { commandId, actorId, reason: 'так' }, own);
      return [status, body.code, body.error];
    };
    const none = await undone(randomUUID(), randomUUID());
    expect(none.slice(0, 2)).toEqual([404, 'NOT_FOUND']);
    expect(await undone(made.body.commandId, user.id)).toEqual(none);
    expect(await undone(made.body.commandId, team.owner.id)).toEqual(none);

    const batchOf = async (campaignId: string) => {
      const items = [
        { op: 'change', placementId: team.placement.id, price: 777 },
        { op: 'add', ...team.placementBody, contractor: team.fresh('@batch'), campaignId },
      ];
      const { status, body } = await team.api.call('POST', '/placements/batch', { atomic: true, items }, own);
      return [status, body.code, body.error];
    };
    const before = (await team.api.eventStore.readLicence(team.licence.id)).length;
    const foreign = await batchOf(campaign.id);
    expect(foreign).toEqual(await batchOf(randomUUID()));
    expect(foreign[0]).toBe(404);
    expect((await team.api.eventStore.readLicence(team.licence.id)).length).toBe(before);
  });

  test('ACL-13 a right taken away is gone for the next call, whatever the token says', async () => {
    const { id, token } = team.actors.TEAM_LEAD;
    const change = (price: number) => team.api.call('PATCH', `/placements/${team.placement.id}`, { price }, { token });
    const open = (path: string) => ask(path, id, { Authorization: `Bearer ${token}` });
    const reads = ['/audit', '/license/history-bundle', `/campaigns/${team.campaign.id}/events`, '/reports/salary'];
    for (const path of reads) expect([path, (await open(path)).status]).toEqual([path, 200]);
    const changed = await change(5);
    expect(changed.status).toBe(200);
    await team.done('PUT', `/users/${id}`, { permissions: { dashboard: true } });
    const head = await team.api.eventStore.head();
    for (const path of reads) expect([path, (await open(`${path}?after=${head}`)).status]).toEqual([path, 403]);
    await team.done('PUT', `/users/${id}`, { role: 'ANALYTIC', permissions: null });
    expect((await change(6)).status).toBe(403);
    const undo = { commandId: changed.body.commandId };
    expect((await team.api.call('POST', '/undo', undo, { token })).status).toBe(403);
    await team.done('DELETE', `/users/${id}`);
    expect((await change(7)).status).toBe(401);
  });
});
