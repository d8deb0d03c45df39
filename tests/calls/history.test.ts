import { randomUUID } from 'node:crypto';
import type { HistoryEntry } from '@zakup/contracts/history';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenTeam, type Team } from './team.ts';

interface Line {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describe('history and audit', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());

  const ask = async (path: string, token: string) => {
    const after = `after=${await team.api.eventStore.head()}`;
    const response = await fetch(`${team.api.address}/api${path}${path.includes('?') ? '&' : '?'}${after}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const entriesAt = async (path: string, token = team.owner.token): Promise<readonly HistoryEntry[]> => {
    const { status, text } = await ask(path, token);
    expect([path, status]).toEqual([path, 200]);
    return (JSON.parse(text) as { data: { entries: readonly HistoryEntry[] } }).data.entries;
  };
  const refusal = async (path: string, token = team.owner.token) => {
    const { status, text } = await ask(path, token);
    const { code, errors = [] } = JSON.parse(text) as { code: string; errors?: readonly { pointer: string }[] };
    return [status, code, ...errors.map(({ pointer }) => pointer)];
  };
  const added = async (): Promise<string> => {
    const body = { ...team.placementBody, contractor: team.fresh('@seller') };
    return (await team.done('POST', '/placements', body)).placement.id;
  };

  test('HIS-12 a placement’s entries, oldest first, in outside form with the names of then; also when it is removed', async () => {
    const { done, owner, placementBody, actors } = team;
    const { placement } = await done('POST', '/placements', {
      ...placementBody,
      contractor: '@first_name',
      price: 100,
    });
    const key = randomUUID();
    const buyer = { token: actors.MEDIA_BUYER.token, key };
    await done('PATCH', `/placements/${placement.id}`, { price: '250,50', leads: 3 }, buyer);
    await done('PUT', `/contractors/${placement.contractorId}`, { adminUsername: '@second_name' });
    await done('DELETE', `/placements/${placement.id}`);
    const entries = await entriesAt(`/placements/${placement.id}/history`, actors.ANALYTIC.token);
    expect(entries.map(({ revision, event, entity }) => [revision, event, entity.name])).toEqual([
      [0, 'PlacementAdded', '@first_name'],
      [1, 'PlacementPriceChanged', '@first_name'],
      [2, 'PlacementLeadsRecorded', '@first_name'],
      [3, 'PlacementRemoved', '@second_name'],
    ]);
    expect(entries[0]?.changes).toContainEqual({ field: 'price', from: null, to: 100 });
    expect(entries[0]?.changes).toContainEqual({
      field: 'contractorId',
      from: null,
      to: placement.contractorId,
      toName: '@first_name',
    });
    expect(entries[1]).toMatchObject({
      actor: { userId: actors.MEDIA_BUYER.id, name: expect.stringMatching(/./u) },
      commandId: key,
      source: 'api',
      changes: [{ field: 'price', from: 100, to: 250.5 }],
    });
    expect(entries[3]).toMatchObject({
      actor: { userId: owner.id },
      changes: [{ field: 'deleted', from: false, to: true }],
    });
    const positions = entries.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  test('HIS-13 a placement that there is not, or that is another licence’s, has no history', async () => {
    const id = await added();
    const wrong = [404, 'NOT_FOUND'];
    expect(await refusal('/placements/none/history')).toEqual(wrong);
    expect(await refusal(`/placements/${id}/history`, await team.stranger())).toEqual(wrong);
    expect(await refusal(`/placements/${team.campaign.id}/history`)).toEqual(wrong);
    expect(await refusal(`/placements/${id}/history?cursor=1`)).toEqual([422, 'VALIDATION_FAILED', '/cursor']);
  });

  test('AUD-5 every kind of entity is in it, newest first, and each filter finds what it names', async () => {
    const { done, contractor, campaign, creative, owner, actors, fresh } = team;
    const key = randomUUID();
    const { note } = await done(
      'POST',
      `/contractors/${contractor.id}/notes`,
      { note: 'Ёлка' },
      { token: owner.token, key },
    );
    await done('PUT', `/creatives/${creative.id}`, { abbreviation: 'КТ' });
    await done('PUT', '/license/settings', { leadValue: 120 });
    const { channel } = await done('POST', '/channels', { name: fresh('Канал ') });
    const all = await entriesAt('/audit?limit=200');
    const positions = all.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => b - a));
    expect(new Set(all.map(({ entity }) => entity.kind))).toEqual(
      new Set(['license', 'user', 'channel', 'campaign', 'creative', 'contractor', 'placement']),
    );
    const [added_] = await entriesAt(`/audit?command=${key.toUpperCase()}`);
    expect(added_).toMatchObject({
      entity: { kind: 'contractor', id: contractor.id, name: '@other' },
      changes: [{ field: `notes/${note.id}`, from: null, to: 'Ёлка' }],
    });
    expect(await entriesAt('/audit?search=%D0%B5%D0%BB%D0%BA%D0%B0')).toContainEqual(added_);
    expect(await entriesAt(`/audit?entity=contractor:${contractor.id}&field=notes`)).toEqual([added_]);
    expect(await entriesAt(`/audit?entity=channel:${channel.id}`)).toHaveLength(1);
    expect((await entriesAt(`/audit?entity=license:${team.licence.id}&field=leadValue`))[0]?.changes).toEqual([
      { field: 'leadValue', from: 100, to: 120 },
    ]);
    for (const entry of await entriesAt(`/audit?campaign=${campaign.id}&limit=200`))
      expect(entry.campaign?.id).toBe(campaign.id);
    expect(await entriesAt(`/audit?person=${actors.ANALYTIC.id}&source=import`)).toEqual([]);
    expect(await entriesAt(`/audit?to=2001-01-01`)).toEqual([]);
  });

  test('AUD-6 whoever may not see people’s data sees that it changed, not what, and cannot search for it', async () => {
    const { done, fresh, actors, owner } = team;
    const email = `${fresh('secret')}@example.com`;
    const { user } = await done('POST', '/employees/create', { name: 'Олег', email, role: 'MEDIA_BUYER' });
    await done('PUT', `/users/${user.id}`, { salaryType: 'budget', salaryRate: 17, permissions: { reports: true } });
    const path = `/audit?entity=user:${user.id}`;
    const open = await entriesAt(path);
    const closed = await entriesAt(path, actors.ANALYTIC.token);
    expect(JSON.stringify(open)).toContain(email);
    expect(JSON.stringify(closed)).not.toContain(email);
    const values = (entries: readonly HistoryEntry[], field: string) =>
      entries.flatMap(({ changes }) => changes.filter((change) => change.field === field));
    expect(values(open, 'salaryRate')).toEqual([{ field: 'salaryRate', from: null, to: 17 }]);
    const hidden = (field: string) => [{ field, from: null, to: null, hidden: true }];
    for (const field of ['salaryRate', 'email', 'permissions/reports'])
      expect(values(closed, field)).toEqual(hidden(field));
    expect(values(open, 'authCode')).toEqual(hidden('authCode'));
    expect(values(closed, 'name')).toEqual([{ field: 'name', from: null, to: 'Олег' }]);
    const search = `/audit?search=${encodeURIComponent(email)}`;
    expect([(await entriesAt(search)).length, await entriesAt(search, actors.ANALYTIC.token)]).toEqual([1, []]);
    expect(await refusal('/audit', actors.MEDIA_BUYER.token)).toEqual([403, 'ACCESS_DENIED']);
    expect(await entriesAt(path, await team.stranger())).toEqual([]);
    expect((await entriesAt(path, owner.token)).length).toBeGreaterThan(1);
  });

  test('AUD-7 wrong filters, limits, periods and cursors from elsewhere are refused by name', async () => {
    const page = await ask('/audit?limit=1', team.owner.token);
    const { nextCursor } = (JSON.parse(page.text) as { data: { nextCursor: string } }).data;
    expect((await entriesAt(`/audit?limit=1&cursor=${nextCursor}`)).length).toBe(1);
    const stranger = await team.stranger();
    const wrong = (pointer: string) => [422, 'VALIDATION_FAILED', pointer];
    expect(await refusal(`/audit?cursor=${nextCursor}`, stranger)).toEqual(wrong('/cursor'));
    expect(await refusal(`/audit?source=api&cursor=${nextCursor}`)).toEqual(wrong('/cursor'));
    for (const [name, values] of Object.entries({
      cursor: ['', '1', `${nextCursor}0`, nextCursor.replace(/.$/u, (last) => (last === '0' ? '1' : '0'))],
      limit: ['0', '-1', '1.5', '201', 'all', ''],
      from: ['', 'now', '2026-02-30', '2026-01-01T00:00', '+275760-09-13T00:00:00Z'],
      to: ['2026-13-01', '9999-99-99T00:00:00Z'],
      entity: ['', 'placement', 'placement:', 'session:1', 'constructor:1'],
      source: ['telnet'],
      command: ['1', 'x'.repeat(1000)],
      person: ['', 'x'.repeat(101)],
      search: ['x'.repeat(101)],
      sort: ['at'],
    }))
      for (const value of values)
        expect([value, await refusal(`/audit?${name}=${encodeURIComponent(value)}`)]).toEqual([
          value,
          wrong(`/${name}`),
        ]);
    expect(await refusal('/audit?from=2026-01-02&to=2026-01-01')).toEqual(wrong('/from'));
    expect(await refusal('/audit?from=2026-01-01&from=2026-01-02')).toEqual(wrong('/from'));
    for (const unknown of [
      'person=none',
      'campaign=none',
      'entity=placement:none',
      'field=none',
      `command=${randomUUID()}`,
    ])
      expect(await entriesAt(`/audit?${unknown}`)).toEqual([]);
  });

  const linesOf = async (campaignId: string, token = team.owner.token): Promise<readonly Line[]> => {
    const { status, type, text } = await ask(`/campaigns/${campaignId}/events`, token);
    expect([status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  };

  test('AUD-8 a campaign’s own and its placements’ events are the log’s, in its order, one a line; also when it is deleted', async () => {
    const { api, campaign, done, placementBody, licence } = team;
    const made = await done('POST', '/campaigns', { name: 'Осень', channelId: campaign.channelId, status: 'ACTIVE' });
    const { id } = made.campaign;
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.push((await done('POST', '/placements', { ...placementBody, campaignId: id })).placement.id);
    for (const one of ids) await done('PATCH', `/placements/${one}`, { price: 7, leads: 2 });
    await done('DELETE', `/placements/${ids[0]}`);
    await done('PUT', `/campaigns/${id}`, { name: 'Зима' });
    await done('DELETE', `/campaigns/${id}`);
    const streams = new Set([`campaign-${licence.id}~${id}`, ...ids.map((one) => `placement-${licence.id}~${one}`)]);
    const events = (await api.eventStore.readLicence(licence.id)).filter(({ stream }) => streams.has(stream));
    expect(await linesOf(id)).toEqual(
      events.map(({ position, revision, stream, id: eventId, type, data, metadata }) => ({
        position,
        revision,
        stream,
        id: eventId,
        type,
        schemaVersion: metadata.schemaVersion,
        at: metadata.at,
        actorId: metadata.actorId,
        commandId: metadata.commandId,
        data,
      })),
    );
    expect(events.length).toBeGreaterThan(18);
  });

  test('AUD-9 the events of a campaign are for whoever may audit, and of one’s own licence', async () => {
    const { campaign, actors, stranger } = team;
    expect(await refusal(`/campaigns/${campaign.id}/events`, actors.MEDIA_BUYER.token)).toEqual([403, 'ACCESS_DENIED']);
    expect(await refusal(`/campaigns/${campaign.id}/events`, await stranger())).toEqual([404, 'NOT_FOUND']);
    expect(await refusal('/campaigns/none/events')).toEqual([404, 'NOT_FOUND']);
    const lines = await linesOf(campaign.id, actors.ANALYTIC.token);
    expect(lines[0]?.type).toBe('CampaignCreated');
  });
});
