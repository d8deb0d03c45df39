import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenChannel, givenLicence, givenPerson, givenPlacement } from '../testing/given.ts';

describe('changes of the same entity', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  test('CM-40 fields nobody touched since merge; a touched one refuses the whole change and names who and what', async () => {
    const { licence, buyer, body } = await givenBuying(service);
    const { id } = await givenPlacement(service, buyer.token, body);
    const patch = (token: string, change: object) => service.call('PATCH', `/placements/${id}`, change, { token });
    await patch(buyer.token, { price: 150.5, baseRevision: 0 });
    expect((await patch(licence.owner, { leads: 7, baseRevision: 0 })).body.data.placement).toMatchObject({
      price: 150.5,
      leads: 7,
    });
    const head = await service.eventStore.head();
    const refused = await patch(licence.owner, { price: 120, format: '1/48', baseRevision: 0 });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'CONFLICT',
      revision: 2,
      conflicts: [
        {
          field: 'price',
          base: 100,
          theirs: 150.5,
          mine: 120,
          by: { userId: buyer.id, name: expect.any(String) },
          at: expect.any(String),
        },
      ],
    });
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CM-41 a field that is back at its old value still conflicts; mine equal to theirs does not', async () => {
    const { buyer, body } = await givenBuying(service);
    const { id } = await givenPlacement(service, buyer.token, body);
    const patch = (change: object) => service.call('PATCH', `/placements/${id}`, change, { token: buyer.token });
    await patch({ price: 200 });
    await patch({ price: 100 });
    expect((await patch({ price: 300, baseRevision: 0 })).status).toBe(409);
    await patch({ price: 250 });
    const same = await patch({ price: 250, baseRevision: 0 });
    expect([same.status, same.body.revision]).toEqual([200, 3]);
  });

  test('CM-42 a member equal to its value at the base counts as not sent; without a base the change just applies', async () => {
    const { buyer, body } = await givenBuying(service);
    const { id } = await givenPlacement(service, buyer.token, body);
    const patch = (change: object) => service.call('PATCH', `/placements/${id}`, change, { token: buyer.token });
    await patch({ price: 200 });
    expect((await patch({ price: 100, leads: 3, baseRevision: 0 })).body.data.placement).toMatchObject({
      price: 200,
      leads: 3,
    });
    expect((await patch({ price: 90 })).body.data.placement.price).toBe(90);
  });

  test('CM-43 a base ahead of the entity, negative, fractional or a text is 422', async () => {
    const { owner } = await givenLicence(service);
    const { id } = await givenChannel(service, owner);
    for (const baseRevision of [1, -1, 0.5, '0', null, 1e300, 2 ** 53]) {
      const { status, body } = await service.call(
        'PUT',
        `/channels/${id}`,
        { name: 'Н', baseRevision },
        { token: owner },
      );
      expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/baseRevision']);
    }
    for (const base of ['1', '-1', '0.5', 'x', '', '0&baseRevision=0', '99999999999999999999', '1e0'])
      expect(
        (await service.call('DELETE', `/channels/${id}?baseRevision=${base}`, undefined, { token: owner })).status,
      ).toBe(422);
    expect((await service.call('DELETE', `/channels/${id}?revision=0`, undefined, { token: owner })).status).toBe(422);
    expect((await service.call('DELETE', `/channels/${id}?baseRevision=0`, undefined, { token: owner })).status).toBe(
      200,
    );
  });

  test('CM-44 a removal conflicts with any change since; without a base it does not', async () => {
    const { licence, buyer, campaign, body } = await givenBuying(service);
    const placement = await givenPlacement(service, buyer.token, body);
    await service.call('PATCH', `/placements/${placement.id}`, { leads: 2 }, { token: buyer.token });
    await service.call('PUT', `/campaigns/${campaign.id}`, { name: 'Лето' }, { token: licence.owner });
    await service.call('PUT', `/users/${buyer.id}`, { name: 'Другое имя' }, { token: licence.owner });
    for (const [path, field] of [
      [`/placements/${placement.id}`, 'leads'],
      [`/campaigns/${campaign.id}`, 'name'],
      [`/users/${buyer.id}`, 'name'],
    ]) {
      const refused = await service.call('DELETE', `${path}?baseRevision=0`, undefined, { token: licence.owner });
      expect([refused.status, refused.body.conflicts?.[0]?.field]).toEqual([409, field]);
    }
    expect(
      (await service.call('DELETE', `/placements/${placement.id}?baseRevision=1`, undefined, { token: licence.owner }))
        .status,
    ).toBe(200);
    const gone = await service.call('DELETE', `/placements/${placement.id}`, undefined, { token: licence.owner });
    expect(gone.status).toBe(404);
  });

  test('CM-45 participants merge by person; one absent from a list with a base is taken out', async () => {
    const { licence, buyer, campaign } = await givenBuying(service);
    const other = await givenPerson(service, licence, 'TEAM_LEAD');
    const put = (body: object) => service.call('PUT', `/campaigns/${campaign.id}`, body, { token: licence.owner });
    const [one, two] = [
      { userId: buyer.id, budget: 10 },
      { userId: other.id, budget: 20 },
    ];
    const base = (await put({ participants: [one] })).body.revision;
    await put({ participants: [one, two] });
    const merged = await put({ baseRevision: base, participants: [{ ...one, budget: 15 }] });
    expect(merged.body.data.campaign.participants).toMatchObject([{ ...one, budget: 15 }, two]);
    const conflict = await put({ baseRevision: base, participants: [] });
    expect([conflict.status, conflict.body.conflicts?.[0]]).toMatchObject([
      409,
      { field: `participants/${buyer.id}`, base: { budget: 10 }, theirs: { budget: 15 }, mine: null },
    ]);
    const removed = await put({ baseRevision: merged.body.revision, participants: [two] });
    expect(removed.body.data.campaign.participants).toMatchObject([two]);
    expect((await put({ participants: [] })).body.data.campaign.participants).toEqual([]);
  });

  test('CM-46 permissions merge by key, as an object and as its JSON; null clears', async () => {
    const licence = await givenLicence(service);
    const { id } = await givenPerson(service, licence, 'TEAM_LEAD');
    const put = async (body: object) => {
      const reply = await service.call('PUT', `/users/${id}`, body, { token: licence.owner });
      return reply.status === 200 ? reply.body.data.user.permissions : reply.status;
    };
    expect(await put({ permissions: { dashboard: true, creatives: true } })).toEqual({
      dashboard: true,
      creatives: true,
    });
    expect(await put({ baseRevision: 1, permissions: { creatives: false } })).toEqual({
      dashboard: true,
      creatives: false,
    });
    expect(await put({ baseRevision: 1, permissions: '{"reports":true}' })).toEqual({
      dashboard: true,
      creatives: false,
      reports: true,
    });
    expect(await put({ baseRevision: 1, permissions: { creatives: true, dashboard: false } })).toMatchObject({
      dashboard: false,
    });
    expect(await put({ permissions: { everything: true, __proto__: true, dashboard: true } })).not.toHaveProperty(
      'everything',
    );
    expect(await put({ permissions: '{}' })).toBeNull();
    expect(await put({ permissions: 'not json' })).toMatchObject({ dashboard: true, analytics: true, settings: false });
    expect(await put({ permissions: null })).toBeNull();
  });

  test('CM-47 CAMPAIGN_COMPLETED comes before CONFLICT', async () => {
    const { licence, buyer, campaign, body } = await givenBuying(service);
    const { id } = await givenPlacement(service, buyer.token, body);
    await service.call('PATCH', `/placements/${id}`, { price: 1 }, { token: buyer.token });
    await service.call('POST', `/campaigns/${campaign.id}/complete`, undefined, { token: licence.owner });
    for (const [method, path, change] of [
      ['PATCH', `/placements/${id}`, { price: 2, baseRevision: 0 }],
      ['DELETE', `/placements/${id}?baseRevision=0`, undefined],
      ['POST', `/placements/${id}/payment`, { paymentStatus: 'paid', baseRevision: 0 }],
      ['POST', '/placements', body],
    ] as const) {
      const refused = await service.call(method, path, change, { token: buyer.token });
      expect([refused.status, refused.body.code]).toEqual([409, 'CAMPAIGN_COMPLETED']);
    }
  });

  test('CM-48 the licence’s switches merge like any other fields', async () => {
    const { owner, id } = await givenLicence(service);
    const put = (body: object) => service.call('PUT', '/license/settings', body, { token: owner });
    const { revision } = (await put({ leadValue: '150,50' })).body;
    await put({ earningsVisible: false });
    const merged = await put({ baseRevision: revision, buyersEditAll: false });
    expect(merged.body.data.license).toMatchObject({
      id,
      settings: { leadValue: 150.5, earningsVisible: false, buyersEditAll: false },
    });
    await put({ earningsVisible: true });
    const refused = await put({ baseRevision: revision - 1, leadValue: 1 });
    expect([refused.status, refused.body.conflicts]).toMatchObject([
      409,
      [{ field: 'leadValue', base: 100, theirs: 150.5, mine: 1 }],
    ]);
  });
});
