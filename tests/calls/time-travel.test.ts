import { type CallName, callNames, calls } from '@zakup/contracts/calls/calls';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { examples } from './examples.ts';
import { send } from './send.ts';
import { givenTeam, type Team } from './team.ts';

const travelling = callNames.filter((name) => calls[name].at && calls[name].envelope === 'read');
const staying = callNames.filter((name) => {
  const { at, method, realm, service } = calls[name];
  return !at && method === 'GET' && realm !== 'open' && service === 'gateway';
});

/** Members that some answer has: a test that looks at one that is not there finds it undefined. */
interface Told {
  readonly error: string | null;
  readonly at?: { readonly position: number; readonly time: string };
  readonly data: {
    readonly earnings: readonly { readonly userId: string; readonly earnings: number }[];
    readonly indicators: { readonly roi: number };
    readonly placement: { readonly contractorId: string };
    readonly contractor: { readonly id: string };
  };
}

describe('the past', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());

  const head = (): Promise<number> => team.api.eventStore.head();
  const at = (moment: number | string): string => `at=${encodeURIComponent(moment)}`;
  const text = async (path: string, token = team.owner.token): Promise<string> =>
    (await fetch(`${team.api.address}/api${path}`, { headers: { Authorization: `Bearer ${token}` } })).text();
  const ask = async (path: string, token = team.owner.token) => {
    const { status, body } = await team.api.call('GET', path, undefined, { token });
    const told = body as unknown as Told;
    return { status, body: told, data: told.data };
  };
  const refusal = async (path: string, token?: string) => {
    const { status, body } = await ask(path, token);
    return { status, error: body.error };
  };

  it.each(travelling)(
    'TT-30 %s answers of the end of the log what it answers now, and says of which moment it is',
    async (name) => {
      const sent = await examples[name](team, team.owner);
      const now = await send(team.api, name, sent, team.owner.token);
      const then = await send(
        team.api,
        name,
        { ...sent, query: { ...sent.query, at: String(await head()) } },
        team.owner.token,
      );
      expect([now.status, then.status]).toEqual([200, 200]);
      const [present, past] = [JSON.parse(now.text), JSON.parse(then.text)] as Record<string, unknown>[];
      const moment = past?.['at'] as { position: number; time: string };
      expect(past?.['data']).toEqual(present?.['data']);
      expect(past?.['position']).toBe(moment.position);
      expect(moment.position).toBeLessThanOrEqual(await head());
      expect(new Date(moment.time).toISOString()).toBe(moment.time);
      for (const member of calls[name].top) expect(past?.[member]).toEqual(present?.[member]);
    },
  );

  it.each(staying)('TT-31 %s does not go back', async (name: CallName) => {
    const { realm } = calls[name];
    const sent = await examples[name](team, team.owner);
    const token = realm === 'admin' ? team.admin : team.owner.token;
    // With a moment no `after` goes along: what was made for it must be there to read.
    await ask(`/campaigns?after=${await head()}`);
    const got = await send(team.api, name, { ...sent, query: { ...sent.query, at: '1' } }, token);
    expect(got).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', error: messages.unknownParameter });
  });

  it.each([
    ['empty', 'at='],
    ['negative', 'at=-1'],
    ['no number', 'at=1e400'],
    ['a fraction', 'at=1.5'],
    ['in another base', 'at=0x10'],
    ['beyond what a position can be', 'at=9007199254740993'],
    ['too long', `at=${'9'.repeat(400)}`],
    ['two', 'at=1&at=2'],
    ['a day', 'at=2026-03-01'],
    ['a time without a zone', 'at=2026-03-01T12:00:00'],
    ['a day that there is not', 'at=2026-02-30T12:00:00Z'],
    ['a month that there is not', 'at=2026-13-01T12:00:00Z'],
    ['an hour that there is not', 'at=2026-03-01T24:00:01Z'],
    ['a zone by name', 'at=2026-03-01T12:00:00+MSK'],
    ['words', `at=${encodeURIComponent('вчера')}`],
  ])('TT-32 a moment that is %s is refused', async (_, query) => {
    expect(await refusal(`/channels?${query}`)).toEqual({ status: 422, error: messages.atInvalid });
    expect(await refusal(`/campaigns/none/placements?${query}`)).toEqual({
      status: 404,
      error: messages.campaignNotFound,
    });
  });

  test('TT-33 what has not been yet, was before the licence, or is asked with after, is refused', async () => {
    const now = team.api.clock();
    expect(await refusal(`/channels?${at((await head()) + 1)}`)).toEqual({ status: 422, error: messages.atInFuture });
    expect(await refusal(`/channels?${at(new Date(now + 60_000).toISOString())}`)).toEqual({
      status: 422,
      error: messages.atInFuture,
    });
    expect(await refusal('/channels?at=0')).toEqual({ status: 422, error: messages.atBeforeLicence });
    expect(await refusal(`/channels?${at('1970-01-01T00:00:00Z')}`)).toEqual({
      status: 422,
      error: messages.atBeforeLicence,
    });
    expect(await refusal(`/campaigns/${team.campaign.id}/analytics?at=0`)).toEqual({
      status: 422,
      error: messages.atBeforeLicence,
    });
    expect(await refusal('/channels?at=1&after=1')).toEqual({ status: 422, error: messages.atWithAfter });
    expect(await refusal('/channels?at=1&after=no')).toEqual({ status: 422, error: messages.atWithAfter });
    const { body } = await ask('/channels?at=-1');
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/at' }] });
    expect(await refusal(`/channels?at=1&unknown=1&${at(await head())}`)).toMatchObject({ status: 422 });
  });

  test('TT-34 the same bytes whenever and however it is asked: by position, between two events, by time in any zone', async () => {
    const paths = [
      `/campaigns/${team.campaign.id}/placements?search=seller&`,
      `/campaigns/${team.campaign.id}/analytics?`,
      `/campaigns/${team.campaign.id}/earnings?`,
      `/contractors/${team.placement.contractorId}?`,
      '/users?includeInactive=true&',
      '/campaigns?',
    ];
    const position = await head();
    const answers = async (moment: number | string) => Promise.all(paths.map((path) => text(`${path}${at(moment)}`)));
    const first = await answers(position);
    const { time } = (JSON.parse(first[0] ?? '') as { at: { time: string } }).at;
    team.api.advance(60_000);
    await team.done('PUT', `/campaigns/${team.campaign.id}`, { name: team.fresh('Другая '), totalBudget: 77 });
    await team.done('PATCH', `/placements/${team.placement.id}`, { price: 1, leads: 9 });
    await team.done('PUT', `/users/${team.actors.MEDIA_BUYER.id}`, {
      name: 'Другое имя',
      salaryRate: 50,
      salaryType: 'budget',
    });
    expect(await answers(position)).toEqual(first);
    const later = new Date(Date.parse(time) + 30_000);
    const zoned = `${new Date(later.getTime() + 3 * 3_600_000).toISOString().slice(0, -1)}+03:00`;
    expect(await answers(later.toISOString())).toEqual(first);
    expect(await answers(zoned)).toEqual(first);
    const unencoded = await text(`${paths[5]}at=${zoned}`);
    expect(unencoded).toBe(first[5]);
  });

  test('TT-35 a position of another licence is the last moment of one’s own before it', async () => {
    const mine = await ask(`/channels?${at(await head())}`);
    const strangers = await team.stranger();
    const theirs = await team.api.call('POST', '/channels', { name: 'Чужой канал' }, { token: strangers });
    expect(theirs.status).toBe(200);
    const position = theirs.body.position ?? 0;
    const asked = await ask(`/channels?${at(position)}`);
    expect(asked.status).toBe(200);
    expect(asked.body.at).toEqual(mine.body.at);
    expect(asked.data).toEqual(mine.data);
    expect((await ask(`/channels?${at(position)}`, strangers)).body.at).toMatchObject({ position });
  });

  test('TT-36 what was deleted since is there, what was made since is not', async () => {
    const channelId = team.campaign.channelId;
    const before = await head();
    const { campaign } = await team.done('POST', '/campaigns', {
      name: team.fresh('Кампания '),
      channelId,
      status: 'ACTIVE',
    });
    const { placement } = await team.done('POST', '/placements', { ...team.placementBody, campaignId: campaign.id });
    const there = await head();
    await team.done('DELETE', `/campaigns/${campaign.id}`);
    const gone = await head();
    const of = (moment: number) => `/campaigns/${campaign.id}/placements?${at(moment)}`;
    expect(await refusal(of(before))).toEqual({ status: 404, error: messages.campaignNotFound });
    expect((await ask(of(there))).data).toMatchObject({ total: 1, placements: [{ id: placement.id }] });
    expect(await refusal(of(gone))).toEqual({ status: 404, error: messages.campaignNotFound });
    expect(await refusal(`/placements/${placement.id}?${at(before)}`)).toMatchObject({ status: 404 });
    expect(await refusal(`/placements/${placement.id}?${at(there)}`)).toMatchObject({ status: 200 });
    expect(await refusal(`/placements/${placement.id}?${at(gone)}`)).toMatchObject({ status: 404 });
  });

  test('TT-37 terms, switches and merges are those of that moment', async () => {
    const { done, campaign, actors, placementBody, fresh } = team;
    const userId = actors.TEAM_LEAD.id;
    await done('PUT', `/users/${userId}`, { salaryType: 'budget', salaryRate: 10 });
    await done('PUT', '/license/settings', { leadValue: 100 });
    const added = await done('POST', '/placements', {
      ...placementBody,
      contractor: fresh('@old'),
      buyerId: userId,
      price: 300,
    });
    await done('PATCH', `/placements/${added.placement.id}`, { leads: 6 });
    const before = await head();
    await done('PUT', `/users/${userId}`, { salaryRate: 20 });
    await done('PUT', '/license/settings', { leadValue: 500 });
    const { contractor } = await done('POST', '/contractors', { adminUsername: fresh('@new') });
    await done('POST', `/contractors/${added.placement.contractorId}/merge`, { intoId: contractor.id });
    const after = await head();

    const earned = async (moment: number): Promise<number | undefined> => {
      const { data } = await ask(`/campaigns/${campaign.id}/earnings?${at(moment)}`);
      return data.earnings.find((one) => one.userId === userId)?.earnings;
    };
    expect(await earned(before)).toBe(30);
    expect(await earned(after)).toBe(60);
    const roi = async (moment: number) =>
      (await ask(`/campaigns/${campaign.id}/analytics?${at(moment)}`)).data.indicators.roi;
    expect(await roi(before)).not.toBe(await roi(after));
    const contractorOf = async (moment: number) =>
      (await ask(`/placements/${added.placement.id}?${at(moment)}`)).data.placement.contractorId;
    expect(await contractorOf(before)).toBe(added.placement.contractorId);
    expect(await contractorOf(after)).toBe(contractor.id);
    const card = await ask(`/contractors/${added.placement.contractorId}?${at(before)}`);
    expect(card.data.contractor).toMatchObject({ id: added.placement.contractorId, totalPlacements: 1 });
    expect((await ask(`/contractors/${added.placement.contractorId}?${at(after)}`)).data.contractor.id).toBe(
      contractor.id,
    );
    expect(await refusal(`/contractors/${contractor.id}?${at(before)}`)).toMatchObject({ status: 404 });
  });

  test('TT-38 rights are those of now', async () => {
    const { done, campaign, actors } = team;
    const buyer = actors.MEDIA_BUYER;
    await done('PUT', '/license/settings', { earningsVisible: true });
    const open = await head();
    const rows = async () =>
      (await ask(`/campaigns/${campaign.id}/earnings?${at(open)}`, buyer.token)).data.earnings.length;
    const all = await rows();
    await done('PUT', '/license/settings', { earningsVisible: false });
    await team.api.call('GET', `/channels?after=${await head()}`, undefined, { token: buyer.token });
    const own = await rows();
    expect(own).toBe(1);
    expect(all).toBeGreaterThan(own);
    await done('PUT', `/users/${buyer.id}`, { permissions: { dashboard: false } });
    expect(await refusal(`/channels?${at(open)}&after=1`, buyer.token)).toMatchObject({ status: 403 });
    await done('DELETE', `/users/${buyer.id}`);
    await ask(`/channels?after=${await head()}`);
    expect(await refusal(`/channels?${at(open)}`, buyer.token)).toMatchObject({ status: 401 });
  });

  test('TT-39 a file says in a header of which moment it is', async () => {
    const moment = (await ask(`/channels?${at(await head())}`)).body.at;
    const path = `${team.api.address}/api/campaigns/${team.campaign.id}/export?format=csv`;
    const headers = { Authorization: `Bearer ${team.owner.token}` };
    const then = await fetch(`${path}&${at(await head())}`, { headers });
    expect(JSON.parse(then.headers.get('Zakup-At') ?? '')).toEqual(moment);
    const now = await fetch(path, { headers });
    expect(now.headers.get('Zakup-At')).toBeNull();
    expect(await then.text()).toBe(await now.text());
  });
});
