import { randomUUID } from 'node:crypto';
import type { NoteWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPlacement, call, Refused, type Team, team } from '../support/api.ts';
import { editionsOfDeep, type Installation } from '../support/editions.ts';
import { liveClient } from '../support/live-client.ts';

/** The road of the first steps over real HTTP and sockets, in processes of their own: the same in both editions. */
describe.each(editionsOfDeep)('First light in $name', (edition) => {
  let zakup: Installation;
  let crew: Team;

  beforeAll(async () => {
    zakup = await edition.install();
    await zakup.start();
    crew = await team(zakup.address);
  });

  afterAll(async () => {
    await zakup.stop();
    await zakup.remove();
    await edition.end();
  });

  test('FL-1 one buyer adds a placement: the other gets the row, the totals and the new contractor in one message', async () => {
    const [anna, ilya] = crew.buyers;
    const scope = `campaign:${crew.campaign.id}`;
    const other = await liveClient(zakup.address, ilya.token);
    await other.subscribe(scope);
    const added = await addPlacement(zakup.address, anna, {
      campaignId: crew.campaign.id,
      contractor: 'https://t.me/Kitchen_Ads',
      price: '5 400,50',
      creativeId: crew.creative.id,
      date: '2026-11-19',
    });
    await other.reached(scope, added.position);
    const message = other.messages.find((changes) => changes.position === added.position);
    expect(message?.docs.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['placement', 'analytics', 'contractor', 'earnings']),
    );
    expect(other.docs('placement')).toEqual([added.data.placement]);
    expect(added.data.placement).toMatchObject({
      price: 5400.5,
      leads: 0,
      costPerLead: 0,
      paymentStatus: 'unpaid',
      status: 'PENDING',
    });
    const [analytics] = other.docs('analytics');
    expect(analytics?.summary).toMatchObject({
      totalBudget: 420_000,
      spentBudget: 5400.5,
      remainingBudget: 414_599.5,
      totalPlacements: 1,
      unpaidBudget: 5400.5,
    });
    const [contractor] = other.docs('contractor');
    expect(contractor).toMatchObject({
      adminUsername: '@Kitchen_Ads',
      channelName: crew.campaign.name,
      category: 'Кулинария',
      automatic: true,
      totalSpent: 5400.5,
      totalPlacements: 1,
    });
    other.close();
  });

  test('FL-2 price, leads, payment and contractor changed by one arrive at the other with totals that equal the rows', async () => {
    const [anna, ilya] = crew.buyers;
    const scope = `campaign:${crew.campaign.id}`;
    const other = await liveClient(zakup.address, ilya.token);
    await other.subscribe(scope);
    const added = await addPlacement(zakup.address, anna, {
      campaignId: crew.campaign.id,
      contractor: '@marina_pr',
      price: 1000,
    });
    const path = `/placements/${added.data.placement.id}`;
    const options = { token: anna.token };
    await call(zakup.address, 'PATCH', path, { price: 1200.25, leads: 12, baseRevision: 0 }, options);
    await call(zakup.address, 'POST', `${path}/payment`, {}, options);
    const last = await call<{ placement: PlacementWire }>(
      zakup.address,
      'PATCH',
      path,
      { contractor: 'domovoy_ads' },
      options,
    );
    await other.reached(scope, last.position);
    const rows = other.docs('placement');
    expect(rows.find(({ id }) => id === added.data.placement.id)).toEqual(last.data.placement);
    const [analytics] = other.docs('analytics');
    expect(analytics?.summary.spentBudget).toBe(sum(rows, ({ price }) => price));
    expect(analytics?.summary.totalLeads).toBe(sum(rows, ({ leads }) => leads));
    expect(analytics?.summary.paidBudget).toBe(
      sum(
        rows.filter(({ paymentStatus }) => paymentStatus === 'paid'),
        ({ price }) => price,
      ),
    );
    const earned = other.docs('earnings').find(({ userId }) => userId === anna.userId);
    expect(earned?.spent).toBe(
      sum(
        rows.filter(({ buyerId }) => buyerId === anna.userId),
        ({ price }) => price,
      ),
    );
    const nicks = other.docs('contractor').map(({ adminUsername }) => adminUsername);
    expect(nicks).toContain('@domovoy_ads');
    other.close();
  });

  test('BY-8 whoever watches is told whose hands changed a row, several members at once too, and not with the load', async () => {
    const [anna, ilya] = crew.buyers;
    const scope = `campaign:${crew.campaign.id}`;
    const added = await addPlacement(zakup.address, anna, { campaignId: crew.campaign.id, contractor: '@by_whom' });
    const { id } = added.data.placement;
    const other = await liveClient(zakup.address, ilya.token);
    await other.subscribe(scope);
    await other.reached(scope, added.position);
    const body = { price: 700.5, leads: 3, status: 'PUBLISHED' };
    const last = await call(zakup.address, 'PATCH', `/placements/${id}`, body, { token: anna.token });
    await other.reached(scope, last.position);
    const [load] = other.messages;
    expect(load?.docs.filter((change) => 'by' in change)).toEqual([]);
    const told = other.messages.filter(({ position }) => position > added.position).flatMap(({ docs }) => docs);
    expect(told.filter((change) => 'by' in change)).toMatchObject([
      { kind: 'placement', id, doc: body, by: { userId: anna.userId, name: 'Анна Соколова' } },
    ]);
    other.close();
  });

  test('FL-3 a note added by one appears in the contractor dialog of the other', async () => {
    const [anna, ilya] = crew.buyers;
    const added = await addPlacement(zakup.address, anna, {
      campaignId: crew.campaign.id,
      contractor: '@with_notes',
      price: 1,
    });
    const { contractorId } = added.data.placement;
    const scope = `contractor:${contractorId}`;
    const other = await liveClient(zakup.address, ilya.token);
    await other.subscribe(scope);
    const noted = await call<{ note: NoteWire }>(
      zakup.address,
      'POST',
      `/contractors/${contractorId}/notes`,
      { note: 'Отвечает вечером' },
      { token: anna.token },
    );
    await other.reached(scope, noted.position);
    expect(other.docs('note')).toEqual([noted.data.note]);
    expect(noted.data.note).toMatchObject({ note: 'Отвечает вечером', authorName: 'Анна Соколова' });
    other.close();
  });

  test('FL-4 what was written is read: every GET waits for the position it is given', async () => {
    const [anna] = crew.buyers;
    const added = await addPlacement(zakup.address, anna, {
      campaignId: crew.campaign.id,
      contractor: '@reader',
      price: 77,
    });
    const read = await call<{ placement: PlacementWire }>(
      zakup.address,
      'GET',
      `/placements/${added.data.placement.id}?after=${added.position}`,
      undefined,
      { token: anna.token },
    );
    expect(read.data.placement).toEqual(added.data.placement);
    const beyond = call(zakup.address, 'GET', `/campaigns?after=${added.position + 1_000_000}`, undefined, {
      token: anna.token,
    });
    await expect(beyond).rejects.toMatchObject({ status: 422 });
  });

  test('FL-5 a key sent twenty times at once adds one placement; with another body it is refused', async () => {
    const [anna] = crew.buyers;
    const key = randomUUID();
    const placement = { campaignId: crew.campaign.id, contractor: '@twenty', price: 20 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => addPlacement(zakup.address, anna, placement, { key })),
    );
    expect(
      new Set(
        answers.map((answer) => JSON.stringify([answer.position, answer.revision, answer.commandId, answer.data])),
      ).size,
    ).toBe(1);
    await expect(addPlacement(zakup.address, anna, { ...placement, price: 21 }, { key })).rejects.toMatchObject({
      problem: { code: 'PAYLOAD_MISMATCH' },
    });
  });

  test('FL-6 a client that was away catches up by position and holds what a fresh load holds', async () => {
    const [anna, ilya] = crew.buyers;
    const scope = `campaign:${crew.campaign.id}`;
    const away = await liveClient(zakup.address, ilya.token);
    await away.subscribe(scope);
    away.socket.disconnect();
    const gone = await addPlacement(zakup.address, anna, {
      campaignId: crew.campaign.id,
      contractor: '@removed_soon',
      price: 5,
    });
    await addPlacement(zakup.address, anna, { campaignId: crew.campaign.id, contractor: '@kept', price: 6 });
    const removed = await call(zakup.address, 'DELETE', `/placements/${gone.data.placement.id}`, undefined, {
      token: anna.token,
    });
    away.socket.connect();
    await away.reached(scope, removed.position);
    const fresh = await liveClient(zakup.address, ilya.token);
    await fresh.subscribe(scope);
    await fresh.reached(scope, removed.position);
    const byId = (client: typeof fresh) => client.docs('placement').toSorted((a, b) => a.id.localeCompare(b.id));
    expect(byId(away)).toEqual(byId(fresh));
    expect(byId(away).some(({ id }) => id === gone.data.placement.id)).toBe(false);
    away.close();
    fresh.close();
  });

  test('FL-7 another team sees nothing of it: foreign ids answer as ones that do not exist', async () => {
    const stranger = await team(zakup.address);
    const [anna] = crew.buyers;
    const [foreign] = stranger.buyers;
    const added = await addPlacement(zakup.address, anna, {
      campaignId: crew.campaign.id,
      contractor: '@secret',
      price: 9,
    });
    const refusals = await Promise.all(
      [added.data.placement.id, 'no-such-id'].map((id) =>
        call(zakup.address, 'PATCH', `/placements/${id}`, { price: 1 }, { token: foreign.token }).then(
          () => 'accepted',
          (error: unknown) =>
            error instanceof Refused ? [error.status, error.problem.code, error.problem.error] : error,
        ),
      ),
    );
    expect(refusals[0]).toEqual([404, 'NOT_FOUND', 'Placement not found']);
    expect(refusals[1]).toEqual(refusals[0]);
    const client = await liveClient(zakup.address, foreign.token);
    await expect(client.subscribe(`campaign:${crew.campaign.id}`)).rejects.toThrow('NOT_FOUND');
    client.close();
  });
});

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  Math.round(items.reduce((total, item) => total + of(item) * 100, 0)) / 100;
