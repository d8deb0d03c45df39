import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenPerson, givenPlacement } from '../testing/given.ts';

describe('placements', () => {
  let service: CommandService;
  let buying: Awaited<ReturnType<typeof givenBuying>>;
  beforeAll(async () => {
    service = await commandService();
    buying = await givenBuying(service);
  });
  afterAll(() => service.close());

  const add = (more: object, token = buying.buyer.token) =>
    service.call('POST', '/placements', { ...buying.body, ...more }, { token });
  const patch = (id: string, change: object, token = buying.buyer.token) =>
    service.call('PATCH', `/placements/${id}`, change, { token });

  test('CM-60 what is not said is today, 1/24, 0 ₽, no creative, unpaid, PENDING', async () => {
    const { campaignId, contractor, buyerId, category } = buying.body;
    const reply = await service.call(
      'POST',
      '/placements',
      { campaignId, contractor, buyerId, category },
      { token: buying.buyer.token },
    );
    expect(reply.status).toBe(200);
    expect(reply.body.data.placement).toMatchObject({
      campaignId,
      buyerId,
      category,
      date: '2026-11-21',
      format: '1/24',
      price: 0,
      leads: 0,
      costPerLead: 0,
      creativeId: 'NO_CREATIVE',
      paymentStatus: 'unpaid',
      status: 'PENDING',
      revision: 0,
    });
  });

  test('CM-61 the four checks speak in their order, and errors has them all', async () => {
    const send = (body: object) => service.call('POST', '/placements', body, { token: buying.buyer.token });
    const { campaignId, contractor, buyerId, category } = buying.body;
    const nothing = await send({});
    expect([nothing.status, nothing.body.error]).toEqual([422, 'Кампания не выбрана']);
    expect(nothing.body.errors?.map(({ detail }) => detail)).toEqual([
      'Кампания не выбрана',
      'Ник контрагента обязателен',
      'Выберите байера',
      'Выберите тематику',
    ]);
    expect((await send({ campaignId, contractor: ' @ ' })).body.error).toBe('Ник контрагента обязателен');
    expect((await send({ campaignId, contractor })).body.error).toBe('Выберите байера');
    expect((await send({ campaignId, contractor, buyerId })).body.error).toBe('Выберите тематику');
    expect((await send({ campaignId, contractor, buyerId, category: 'Прочее' })).body.error).toBe('Выберите тематику');
    expect((await send({ campaignId, contractor, buyerId, category })).status).toBe(200);
  });

  test('CM-62 each member has its text', async () => {
    for (const [more, error] of [
      [{ price: -1 }, 'Некорректная цена'],
      [{ price: 1.005 }, 'Некорректная цена'],
      [{ price: 'NaN' }, 'Некорректная цена'],
      [{ price: '1e5' }, 'Некорректная цена'],
      [{ price: 1_000_000_000.01 }, 'Некорректная цена'],
      [{ price: [1] }, 'Некорректная цена'],
      [{ price: true }, 'Некорректная цена'],
      [{ date: '2026-02-30' }, 'Некорректная дата'],
      [{ date: '1999-12-31' }, 'Некорректная дата'],
      [{ date: 20261121 }, 'Некорректная дата'],
      [{ format: '1/12' }, 'Некорректный формат'],
      [{ paymentStatus: 'later' }, 'Некорректный статус оплаты'],
      [{ contractor: 'two words' }, 'Ник не может содержать пробелы и невидимые знаки'],
      [{ contractor: 'ni\u200bck' }, 'Ник не может содержать пробелы и невидимые знаки'],
      [{ contractor: 'n'.repeat(65) }, 'Ник: не больше 64 символов'],
      [{ contractor: '@'.repeat(900_000) }, 'Ник: не больше 64 символов'],
    ] as const) {
      const { status, body } = await add(more);
      expect([status, body.code, body.error]).toEqual([422, 'VALIDATION_FAILED', error]);
    }
    const { id } = await givenPlacement(service, buying.buyer.token, buying.body);
    for (const leads of [-1, 1.5, 'много', '1e3', 1e10, {}])
      expect((await patch(id, { leads })).body.error).toBe('Некорректное количество лидов');
    expect((await patch(id, { status: 'GONE' })).status).toBe(422);
  });

  test('CM-63 a price is a number or a text with comma, blanks and ₽', async () => {
    for (const [price, roubles] of [
      ['1 234,50 ₽', 1234.5],
      ['1\u00a0000', 1000],
      [' ', 0],
      [null, 0],
      [1_000_000_000, 1_000_000_000],
      [0.1, 0.1],
    ] as const)
      expect((await add({ price })).body.data.placement.price).toBe(roubles);
  });

  test('CM-64 a buyer is an active buyer or team lead of this licence', async () => {
    const { licence } = buying;
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    const analyst = await givenPerson(service, licence, 'ANALYTIC');
    expect((await add({ buyerId: lead.id })).status).toBe(200);
    for (const buyerId of [analyst.id, licence.ownerId, 'none'])
      expect((await add({ buyerId })).body.error).toBe('Выберите байера');
    await service.call('DELETE', `/users/${lead.id}`, undefined, { token: licence.owner });
    expect((await add({ buyerId: lead.id })).body.error).toBe('Выберите байера');
    const denied = await add({}, analyst.token);
    expect([denied.status, denied.body.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  test('CM-65 a change sets the members present, finds or makes the contractor, and counts the cost per lead', async () => {
    const placement = await givenPlacement(service, buying.buyer.token, buying.body);
    const changed = await patch(placement.id, {
      price: 100,
      leads: '3',
      contractor: '@brand_new',
      date: '2026-12-01',
      format: '1/∞',
      category: 'Авто',
      status: 'DONE',
      id: 'mine',
      revision: 99,
    });
    expect(changed.body.data.placement).toMatchObject({
      id: placement.id,
      price: 100,
      leads: 3,
      costPerLead: 33.33,
      date: '2026-12-01',
      format: '1/∞',
      category: 'Авто',
      status: 'DONE',
    });
    expect(changed.body.data.placement.contractorId).not.toBe(placement.contractorId);
    const creative = (await service.call('POST', '/creatives', { name: 'Кот' }, { token: buying.licence.owner })).body
      .data.creative;
    expect((await patch(placement.id, { creativeId: creative.id })).body.data.placement.creativeId).toBe(creative.id);
    expect((await patch(placement.id, { creativeId: null })).body.data.placement.creativeId).toBe('NO_CREATIVE');
    expect((await patch(placement.id, {})).status).toBe(200);
  });

  test('CM-66 payment toggles, or is set; set again it appends nothing', async () => {
    const { id } = await givenPlacement(service, buying.buyer.token, buying.body);
    const pay = (body?: object) =>
      service.call('POST', `/placements/${id}/payment`, body, { token: buying.buyer.token });
    expect((await pay()).body.data.placement).toMatchObject({ paymentStatus: 'paid', revision: 1 });
    expect((await pay({})).body.data.placement).toMatchObject({ paymentStatus: 'unpaid', revision: 2 });
    expect((await pay({ paymentStatus: 'unpaid' })).body.revision).toBe(2);
    expect((await pay({ paymentStatus: 'paid', baseRevision: 0 })).body.code).toBe('CONFLICT');
    expect((await pay({ paymentStatus: 'unpaid', baseRevision: 0 })).body.revision).toBe(2);
  });

  test('CM-67 removed is not found, restored is as before; restoring what lives appends nothing', async () => {
    const placement = await givenPlacement(service, buying.buyer.token, buying.body);
    const path = `/placements/${placement.id}`;
    const send = (method: string, suffix = '') =>
      service.call(method, `${path}${suffix}`, undefined, { token: buying.buyer.token });
    const removed = await send('DELETE');
    expect(removed.body).toMatchObject({ data: {}, revision: 1, position: expect.any(Number) });
    expect([(await send('DELETE')).status, (await patch(placement.id, { leads: 1 })).body.error]).toEqual([
      404,
      'Placement not found',
    ]);
    expect((await send('POST', '/restore')).body.data.placement).toMatchObject({
      ...placement,
      revision: 2,
      updatedAt: expect.any(String),
    });
    expect((await send('POST', '/restore')).body.revision).toBe(2);
  });

  test('CM-68 with the switch off a buyer changes their own rows only; a lead changes all', async () => {
    const { licence, buyer } = buying;
    const other = await givenPerson(service, licence, 'MEDIA_BUYER');
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    const mine = await givenPlacement(service, buyer.token, buying.body);
    await service.call('PUT', '/license/settings', { buyersEditAll: false }, { token: licence.owner });
    for (const refused of [
      await patch(mine.id, { leads: 1 }, other.token),
      await add({}, other.token),
      await patch(mine.id, { buyerId: other.id }),
      await service.call('DELETE', `/placements/${mine.id}`, undefined, { token: other.token }),
    ])
      expect([refused.status, refused.body.error]).toEqual([
        403,
        'Доступ запрещен: можно менять только свои размещения',
      ]);
    expect((await patch(mine.id, { leads: 2 })).status).toBe(200);
    expect((await patch(mine.id, { leads: 3 }, lead.token)).status).toBe(200);
    await service.call('PUT', '/license/settings', { buyersEditAll: true }, { token: licence.owner });
    expect((await patch(mine.id, { leads: 1 }, other.token)).status).toBe(200);
  });

  test('CM-69 a deleted campaign takes its placements away, before their bodies are looked into', async () => {
    const { licence, buyer, campaign, body } = await givenBuying(service);
    const { id } = await givenPlacement(service, buyer.token, body);
    const token = licence.owner;
    await service.call('DELETE', `/campaigns/${campaign.id}`, undefined, { token });
    expect((await patch(id, { leads: 'x' }, token)).status).toBe(404);
    expect((await service.call('POST', '/placements', body, { token })).status).toBe(404);
    await service.call('POST', `/campaigns/${campaign.id}/restore`, undefined, { token });
    expect((await patch(id, { leads: 5 }, token)).body.data.placement.leads).toBe(5);
  });

  test('CM-1672 a new nick makes a contractor before what names it, and nobody where that is refused', async () => {
    const { licence, buyer, campaign, body } = await givenBuying(service);
    const token = licence.owner;
    const types = async () => (await service.eventStore.readLicence(licence.id)).map(({ type }) => type);
    const before = (await types()).length;
    const { id } = await givenPlacement(service, buyer.token, body);
    const made = await types();
    expect(made.slice(before)).toEqual(['ValueClaimed', 'ContractorCreated', 'PlacementAdded']);

    const stranger = { ...body, contractor: 'stranger' };
    const post = (one: object) => service.call('POST', '/placements', one, { token });
    const change = (one: object) => service.call('PATCH', `/placements/${id}`, one, { token });
    await change({ price: 200 });
    const changed = await types();
    const refused = [
      await post({ ...stranger, buyerId: licence.ownerId }),
      await post({ ...stranger, creativeId: 'nobody' }),
      await change({ contractor: 'stranger', creativeId: 'nobody' }),
      await change({ contractor: 'stranger', price: 300, baseRevision: 0 }),
    ];
    await service.call('POST', `/campaigns/${campaign.id}/complete`, undefined, { token });
    refused.push(await post(stranger), await change({ contractor: 'stranger' }));
    expect(refused.map(({ body: { code } }) => code)).toEqual([
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'NOT_FOUND',
      'CONFLICT',
      'CAMPAIGN_COMPLETED',
      'CAMPAIGN_COMPLETED',
    ]);
    expect(await types()).toEqual([...changed, 'CampaignCompleted']);
  });
});
