import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenLicence, givenPerson, givenPlacement } from '../testing/given.ts';

describe('every command of a signed-in person', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const tooLarge = `{"name":"${'x'.repeat(1_100_000)}"}`;

  test('CM-1 refusals come in the order 401, 429, 413, 400, 403, 404, 422, 404 of a body, 409', async () => {
    const { licence, buyer } = await givenBuying(service);
    const { call } = service;
    const path = '/campaigns/none';
    expect((await call('PUT', path, undefined, { raw: tooLarge })).status).toBe(401);
    for (let sent = 0; sent < 500; sent += 1) service.changes.take(await service.sessionOf(buyer.id));
    const limited = await call('PUT', path, undefined, { raw: tooLarge, token: buyer.token });
    expect([limited.status, limited.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(limited.headers.get('Retry-After'))).toBe(1);
    service.advance(20_000);
    expect((await call('PUT', path, undefined, { raw: tooLarge, token: buyer.token })).status).toBe(413);
    expect((await call('PUT', path, undefined, { raw: '{"name":', token: buyer.token })).status).toBe(400);
    expect((await call('PUT', path, {}, { key: 'not-a-uuid', token: buyer.token })).status).toBe(400);
    expect((await call('PUT', path, { name: '' }, { token: buyer.token })).status).toBe(403);
    const owner = { token: licence.owner };
    expect((await call('PUT', path, { name: '' }, owner)).status).toBe(404);
    const campaign = (await call('POST', '/channels', { name: 'К' }, owner)).body.data.channel;
    expect((await call('POST', '/campaigns', { name: '', channelId: 'none' }, owner)).status).toBe(422);
    expect((await call('POST', '/campaigns', { name: 'К', channelId: 'none' }, owner)).status).toBe(404);
    expect((await call('PUT', `/channels/${campaign.id}`, { name: '', baseRevision: 0 }, owner)).status).toBe(422);
  });

  test('CM-2 a reply is an envelope with data, position, revision and commandId; the entity has its id and revision', async () => {
    const { owner } = await givenLicence(service);
    const key = randomUUID();
    const { status, body } = await service.call('POST', '/channels', { name: ' Канал ' }, { token: owner, key });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['commandId', 'data', 'error', 'position', 'revision', 'success']);
    expect(body).toMatchObject({ success: true, error: null, revision: 0, commandId: key });
    expect(body.position).toBe(await service.eventStore.head());
    expect(body.data.channel).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/u),
      revision: 0,
      name: 'Канал',
      avatar: null,
      createdAt: expect.any(String),
      updatedAt: body.data.channel.createdAt,
    });
    const unkeyed = await service.call('POST', '/channels', { name: 'Канал' }, { token: owner });
    expect(unkeyed.body.commandId).toMatch(/^[0-9a-f-]{36}$/u);
    expect(unkeyed.body.data.channel.id).not.toBe(body.data.channel.id);
  });

  test('CM-3 a refusal is a problem document with the text for the person', async () => {
    const { owner } = await givenLicence(service);
    const { status, body, headers } = await service.call('POST', '/channels', { name: 5 }, { token: owner });
    expect(headers.get('Content-Type')).toMatch(/^application\/problem\+json/u);
    expect(body).toMatchObject({
      status,
      success: false,
      code: 'VALIDATION_FAILED',
      title: 'VALIDATION_FAILED',
      error: 'Название: от 1 до 120 символов',
      detail: 'Название: от 1 до 120 символов',
      errors: [{ pointer: '/name', detail: 'Название: от 1 до 120 символов' }],
      instance: headers.get('X-Request-Id'),
    });
  });

  test('CM-177 a query is refused where none is read, after rights and what the path names', async () => {
    const { licence, buyer } = await givenBuying(service);
    const channel = (await service.call('POST', '/channels', { name: 'К' }, { token: licence.owner })).body.data
      .channel;
    const head = await service.eventStore.head();
    const ask = (method: string, path: string, body: object, token: string) =>
      service.call(method, path, body, { token });
    for (const [method, path, body] of [
      ['POST', '/channels?x=1', { name: 'К' }],
      ['PUT', `/channels/${channel.id}?x=1`, { name: 'Н' }],
      ['PUT', `/channels/${channel.id}?x=1`, { name: '' }],
      ['POST', '/auth/logout?x=1', {}],
    ] as const) {
      const refused = await ask(method, path, body, licence.owner);
      expect([refused.status, refused.body.error]).toEqual([422, 'Неизвестный параметр запроса']);
      expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/x']);
    }
    expect((await ask('PUT', `/channels/${channel.id}?baseRevision=0`, { name: 'Н' }, licence.owner)).status).toBe(422);
    expect((await ask('PUT', `/channels/${channel.id}?x=1`, { name: 'Н' }, buyer.token)).status).toBe(403);
    expect((await ask('PUT', '/channels/none?x=1', { name: 'Н' }, licence.owner)).status).toBe(404);
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CM-4 unknown paths and methods are 404, a path that cannot be decoded 400', async () => {
    const { owner } = await givenLicence(service);
    for (const [method, path] of [
      ['POST', '/nothing'],
      ['PATCH', '/channels/x'],
      ['DELETE', '/license/settings'],
      ['POST', '/placements/a/b/c'],
      ['GET', '/channels'],
    ] as const)
      expect((await service.call(method, path, undefined, { token: owner })).status).toBe(404);
    expect((await service.call('PUT', '/channels/%E0%A4%A', {}, { token: owner })).status).toBe(400);
  });

  test('CM-5 an id of another form than ids have is nobody’s, in a path and in a body', async () => {
    const { licence, buyer, campaign, body } = await givenBuying(service);
    const placement = await givenPlacement(service, buyer.token, body);
    const token = licence.owner;
    const head = await service.eventStore.head();
    const unfit = [
      '..',
      '%2e%2e',
      `${campaign.id}~${campaign.id}`,
      `x~${campaign.id}`,
      `~${campaign.id}`,
      `${campaign.id}%00`,
      `${campaign.id}%0a`,
      `${campaign.id}%20`,
      `..%2F${campaign.id}`,
      `-${campaign.id}`,
      '__proto__',
      'constructor',
      'x'.repeat(5000),
      '%F0%9F%98%80',
      encodeURIComponent(`campaign-${licence.id}~${campaign.id}`),
    ];
    const inPath = unfit
      .slice(2)
      .flatMap((id) => [
        ['PUT', `/campaigns/${id}`, { name: 'Другое' }] as const,
        ['DELETE', `/campaigns/${id}`, undefined] as const,
        ['POST', `/campaigns/${id}/complete`, undefined] as const,
        ['PATCH', `/placements/${id}`, { leads: 1 }] as const,
        ['PUT', `/users/${id}`, { name: 'Другое' }] as const,
        ['POST', `/contractors/${id}/notes`, { note: 'x' }] as const,
        ['DELETE', `/contractors/x/notes/${id}`, undefined] as const,
        ['DELETE', `/auth/sessions/${id}`, undefined] as const,
      ]);
    await Promise.all(
      inPath.map(async ([method, path, sent]) => {
        const { status } = await service.call(method, path, sent, { token });
        expect([method, path, status]).toEqual([method, path, 404]);
      }),
    );
    const inBody = unfit.map((one) => decodeURIComponent(one)).filter((one) => one.trim() !== campaign.id);
    await Promise.all(
      inBody.map(async (id) => {
        const add = (more: object) => service.call('POST', '/placements', { ...body, ...more }, { token });
        const change = (more: object) => service.call('PUT', `/campaigns/${campaign.id}`, more, { token });
        expect((await add({ campaignId: id })).status).toBe(404);
        expect((await add({ creativeId: id })).status).toBe(404);
        expect((await add({ buyerId: id })).body.error).toBe('Выберите байера');
        expect((await change({ channelId: id })).status).toBe(404);
        expect((await change({ participants: [{ userId: id, budget: 1 }] })).status).toBe(422);
        const creative = await service.call('PATCH', `/placements/${placement.id}`, { creativeId: id }, { token });
        expect(creative.status).toBe(404);
      }),
    );
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CM-6 what belongs to another licence answers as what does not exist', async () => {
    const mine = await givenBuying(service);
    const other = await givenLicence(service);
    const token = other.owner;
    const stranger = await givenPerson(service, other, 'MEDIA_BUYER');
    const placement = await givenPlacement(service, mine.buyer.token, mine.body);
    const none = '0123456789abcdef01234567';
    const answers = async (method: string, path: (id: string) => string, id: string, body?: object) => {
      const [foreign, unknown] = [
        await service.call(method, path(id), body, { token }),
        await service.call(method, path(none), body, { token }),
      ];
      expect([foreign.status, foreign.body.error]).toEqual([unknown.status, unknown.body.error]);
      expect(foreign.status).toBe(404);
    };
    await answers('PUT', (id) => `/campaigns/${id}`, mine.campaign.id, { name: 'Моя' });
    await answers('DELETE', (id) => `/channels/${id}`, mine.campaign.channelId);
    await answers('PATCH', (id) => `/placements/${id}`, placement.id, { leads: 1 });
    await answers('POST', (id) => `/placements/${id}/payment`, placement.id, {});
    await answers('PUT', (id) => `/users/${id}`, mine.buyer.id, { name: 'Чужой' });
    await answers('POST', (id) => `/contractors/${id}/notes`, placement.contractorId, { note: 'x' });
    const body = { campaignId: mine.campaign.id, contractor: 'n', buyerId: stranger.id, category: 'Мемы' };
    expect((await service.call('POST', '/placements', body, { token })).status).toBe(404);
    const buyer = await service.call(
      'POST',
      '/placements',
      { ...mine.body, buyerId: stranger.id },
      { token: mine.licence.owner },
    );
    expect([buyer.status, buyer.body.error]).toEqual([422, 'Выберите байера']);
  });

  test('CM-7 while nothing may be written a change waits with the reason', async () => {
    const { owner } = await givenLicence(service);
    service.closeForChanges('Диск полон');
    const { status, body, headers } = await service.call('POST', '/channels', { name: 'К' }, { token: owner });
    service.closeForChanges(null);
    expect([status, body.code, body.error, headers.get('Retry-After')]).toEqual([
      503,
      'UNAVAILABLE',
      'Диск полон',
      '30',
    ]);
  });

  test('CM-8 a person deactivated meanwhile is signed out by the next change', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'TEAM_LEAD');
    await service.call('DELETE', `/users/${person.id}`, undefined, { token: licence.owner });
    expect((await service.call('POST', '/channels', { name: 'К' }, { token: person.token })).status).toBe(401);
  });

  test('CM-9 rights are those of now, not of the token', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'TEAM_LEAD');
    const add = () => service.call('POST', '/channels', { name: 'К' }, { token: person.token });
    expect((await add()).status).toBe(200);
    await service.call('PUT', `/users/${person.id}`, { role: 'ANALYTIC' }, { token: licence.owner });
    expect((await add()).status).toBe(403);
  });

  test('CM-10 the door a change came through is kept, an unknown one is the API', async () => {
    const { owner, id } = await givenLicence(service);
    for (const source of ['screen', 'phone', 'undo', 'import', 'telegram', 'x'.repeat(2000)])
      await service.call('POST', '/channels', { name: 'К' }, { token: owner, headers: { 'X-Zakup-Source': source } });
    const events = await service.eventStore.readLicence(id);
    const kept = events.slice(-6).map(({ metadata }) => metadata.source);
    expect(kept).toEqual(['screen', 'phone', 'api', 'api', 'api', 'api']);
  });

  test('CM-11 a licence without a feature closes its calls', async () => {
    const licence = await givenLicence(service, { features: ['settings'] });
    const token = licence.owner;
    for (const [method, path, body] of [
      ['POST', '/campaigns', { name: 'К', channelId: 'x' }],
      ['POST', '/placements', {}],
      ['POST', '/creatives', { name: 'К' }],
      ['PUT', '/contractors/x', {}],
    ] as const) {
      const refused = await service.call(method, path, body, { token });
      expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    expect((await service.call('POST', '/channels', { name: 'К' }, { token })).status).toBe(200);
  });
});
