import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenChannel, givenLicence, givenPerson, givenPlacement } from '../testing/given.ts';

describe('a command is carried out once', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  test('CM-20 sent twenty times at once it appends once and answers alike', async () => {
    const { buyer, body } = await givenBuying(service);
    const key = randomUUID();
    const before = await service.eventStore.head();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => service.call('POST', '/placements', body, { token: buyer.token, key })),
    );
    const [first] = replies;
    expect(first?.status).toBe(200);
    for (const reply of replies) expect(reply.body).toEqual(first?.body);
    const events = await service.eventStore.readCommand(`${buyer.id}/${key}`);
    expect(await service.eventStore.head()).toBe(before + events.length);
    expect(events.map(({ type }) => type).toSorted()).toEqual(['ContractorCreated', 'PlacementAdded', 'ValueClaimed']);
  });

  test('CM-21 sent again after other changes it answers its own revision, also in capitals', async () => {
    const { owner } = await givenLicence(service);
    const channel = await givenChannel(service, owner);
    const rename = (name: string, key: string) =>
      service.call('PUT', `/channels/${channel.id}`, { name }, { token: owner, key });
    const key = randomUUID();
    const first = await rename('Первое', key);
    await rename('Второе', randomUUID());
    await service.call('DELETE', `/channels/${channel.id}`, undefined, { token: owner });
    const head = await service.eventStore.head();
    for (const same of [key, key.toUpperCase()]) {
      const again = await rename('Первое', same);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CM-22 a process without any memory answers a known command from the log', async () => {
    const { licence, buyer, body } = await givenBuying(service);
    const key = randomUUID();
    const first = await service.call('POST', '/placements', body, { token: buyer.token, key });
    service.forget();
    const again = await service.call('POST', '/placements', body, { token: buyer.token, key });
    expect(again.body).toEqual(first.body);
    expect((await service.call('POST', '/channels', { name: 'К' }, { token: licence.owner })).status).toBe(200);
  });

  test('CM-23 the key of another body or path is a mismatch', async () => {
    const { owner } = await givenLicence(service);
    const key = randomUUID();
    const send = (path: string, body: object) => service.call('POST', path, body, { token: owner, key });
    await send('/channels', { name: 'Один' });
    const head = await service.eventStore.head();
    for (const [path, body] of [
      ['/channels', { name: 'Другой' }],
      ['/channels', { name: 'Один', avatar: null }],
      ['/channels?x=1', { name: 'Один' }],
      ['/creatives', { name: 'Один' }],
    ] as const) {
      const { status, body: answer } = await send(path, body);
      expect([status, answer.code]).toEqual([422, 'PAYLOAD_MISMATCH']);
    }
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CM-176 the order of members, a slash at the end and an empty query make no other command', async () => {
    const { owner } = await givenLicence(service);
    const options = { token: owner, key: randomUUID() };
    const first = await service.call('POST', '/channels', { name: 'К', avatar: 'a.png' }, options);
    for (const path of ['/channels', '/channels/', '/channels?', '/channels/?']) {
      const again = await service.call('POST', path, { avatar: 'a.png', name: 'К' }, options);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    const other = await service.call('POST', '/channels', { name: 'К', avatar: 'b.png' }, options);
    expect([other.status, other.body.code]).toEqual([422, 'PAYLOAD_MISMATCH']);
  });

  test('CM-24 a refused change and one that changed nothing leave their key free', async () => {
    const { owner } = await givenLicence(service);
    const channel = await givenChannel(service, owner);
    const key = randomUUID();
    const rename = (name: string) => service.call('PUT', `/channels/${channel.id}`, { name }, { token: owner, key });
    expect((await rename('')).status).toBe(422);
    const nothing = await rename(channel.name);
    expect(nothing.body).toMatchObject({ revision: 0, data: { channel } });
    const changed = await rename('Новое');
    expect(changed.body).toMatchObject({ revision: 1, commandId: key, data: { channel: { name: 'Новое' } } });
  });

  test('CM-25 keys are per person', async () => {
    const licence = await givenLicence(service);
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    const key = randomUUID();
    const ids = await Promise.all(
      [licence.owner, lead.token].map(
        async (token) => (await service.call('POST', '/channels', { name: 'К' }, { token, key })).body.data.channel.id,
      ),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('CM-26 a key must be a UUID', async () => {
    const { owner } = await givenLicence(service);
    for (const key of [
      '',
      '1',
      `${randomUUID()}x`,
      `${randomUUID()}, ${randomUUID()}`,
      randomUUID().replaceAll('-', ''),
      '../..',
      'x'.repeat(4000),
    ]) {
      const { status, body } = await service.call('POST', '/channels', { name: 'К' }, { token: owner, key });
      expect([status, body.code]).toEqual([400, 'MALFORMED']);
    }
  });

  test('CM-27 a change that appends nothing answers the entity’s present position and revision', async () => {
    const { buyer, licence, body } = await givenBuying(service);
    const added = await service.call('POST', '/placements', body, { token: buyer.token });
    await givenChannel(service, licence.owner);
    const { id } = added.body.data.placement;
    const same = await service.call('PATCH', `/placements/${id}`, { price: '100,00' }, { token: buyer.token });
    const own = await service.eventStore.read(`placement-${licence.id}~${id}`);
    expect(same.body).toMatchObject({ position: own.at(-1)?.position, revision: 0 });
  });

  test('CM-28 fifty changes of one entity at once all arrive, each answered with its own revision', async () => {
    const { buyer, body } = await givenBuying(service);
    const { id } = await givenPlacement(service, buyer.token, body);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, leads) =>
        service.call('PATCH', `/placements/${id}`, { leads: leads + 1 }, { token: buyer.token }),
      ),
    );
    const revisions = replies.map(({ body: reply }) => reply.revision).toSorted((a, b) => a - b);
    expect(revisions).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    for (const { body: reply } of replies) expect(reply.data.placement.revision).toBe(reply.revision);
  });

  test('CM-29 one-time secrets are shown by the first answer only', async () => {
    const { owner } = await givenLicence(service);
    const key = randomUUID();
    const body = { name: 'Олег', email: 'oleg@example.com', role: 'MEDIA_BUYER' };
    const [first, second] = [
      await service.call('POST', '/employees/create', body, { token: owner, key }),
      await service.call('POST', '/employees/create', body, { token: owner, key }),
    ];
    expect(first.body.data.temporaryPassword).toMatch(/^[a-z]+-\d\d-[a-z]+-\d\d-[a-z]+-\d\d$/u);
    const { temporaryPassword: _, ...rest } = first.body.data;
    expect(second.body.data).toEqual(rest);
    expect(second.body).toMatchObject({ position: first.body.position, revision: 0, commandId: key });
  });
});
