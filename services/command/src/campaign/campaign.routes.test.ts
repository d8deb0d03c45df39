import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messages } from '@zakup/domain/messages';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenCampaign, givenChannel, type GivenLicence, givenLicence, givenPerson } from '../testing/given.ts';

describe('campaigns and channels', () => {
  let service: CommandService;
  let licence: GivenLicence;
  beforeAll(async () => {
    service = await commandService();
    licence = await givenLicence(service);
  });
  afterAll(() => service.close());

  const send = (method: string, path: string, body?: object, token = licence.owner) =>
    service.call(method, path, body, { token });

  test('CM-70 create-safe and create are one; totalBudget is canonical, budget accepted and echoed; DRAFT unless said', async () => {
    const channel = await givenChannel(service, licence.owner);
    const body = { name: ' Весна | 1 ', channelId: channel.id };
    const draft = await send('POST', '/campaigns/create-safe', { ...body, budget: 500 });
    expect(draft.body.data.campaign).toMatchObject({
      name: 'Весна | 1',
      totalBudget: 500,
      budget: 500,
      status: 'DRAFT',
      participants: [],
    });
    const both = await send('POST', '/campaigns', {
      ...body,
      budget: 1,
      totalBudget: '2 000,50',
      status: 'ACTIVE',
      startDate: '2026-11-01',
      endDate: null,
    });
    expect(both.body.data.campaign).toMatchObject({
      totalBudget: 2000.5,
      budget: 2000.5,
      status: 'ACTIVE',
      startDate: '2026-11-01',
      endDate: null,
    });
  });

  test('CM-71 members are checked, in order', async () => {
    const channel = await givenChannel(service, licence.owner);
    for (const [more, pointer, error] of [
      [{ name: '' }, '/name', 'Название: от 1 до 120 символов'],
      [{ channelId: undefined }, '/channelId', 'Выберите канал'],
      [{ totalBudget: -5 }, '/totalBudget', 'Некорректный бюджет'],
      [{ status: 'OPEN' }, '/status', 'Некорректный статус'],
      [{ startDate: 'вчера' }, '/startDate', 'Некорректная дата'],
      [{ participants: {} }, '/participants', 'Некорректные участники'],
      [{ participants: [5] }, '/participants/0', 'Некорректные участники'],
      [{ participants: [{ userId: 'a' }, { userId: 'a' }] }, '/participants', 'Некорректные участники'],
      [{ participants: [{ userId: 'a', salaryRate: 101 }] }, '/participants/0/salaryRate', 'Ставка: от 0 до 100'],
      [{ participants: Array.from({ length: 501 }, () => 0) }, '/participants', 'Некорректные участники'],
    ] as const) {
      const { status, body } = await send('POST', '/campaigns', { name: 'К', channelId: channel.id, ...more });
      expect([status, body.errors?.[0]?.pointer, body.error]).toEqual([422, pointer, error]);
    }
  });

  test('CM-72 completing, reopening and setting the status are of CEO, CBDO and team lead only', async () => {
    const { id } = await givenCampaign(service, licence.owner);
    const settings = { permissions: { dashboard: true, settings: true } };
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER', settings);
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    expect((await send('PUT', `/campaigns/${id}`, { name: 'Лето' }, buyer.token)).status).toBe(200);
    expect((await send('PUT', `/campaigns/${id}`, { status: 'COMPLETED' }, buyer.token)).status).toBe(403);
    expect((await send('POST', `/campaigns/${id}/complete`, {}, buyer.token)).status).toBe(403);
    expect((await send('POST', `/campaigns/${id}/complete`, undefined, lead.token)).body.data.campaign.status).toBe(
      'COMPLETED',
    );
    expect((await send('POST', `/campaigns/${id}/complete`, undefined, lead.token)).body.revision).toBe(2);
    expect((await send('PUT', `/campaigns/${id}`, { status: 'ACTIVE' }, buyer.token)).status).toBe(403);
    const unsent = await send(
      'PUT',
      `/campaigns/${id}`,
      { status: 'ACTIVE', name: 'Осень', baseRevision: 1 },
      buyer.token,
    );
    expect(unsent.body.data.campaign).toMatchObject({ status: 'COMPLETED', name: 'Осень' });
    expect((await send('POST', `/campaigns/${id}/reopen`, undefined, lead.token)).body.data.campaign.status).toBe(
      'ACTIVE',
    );
    expect((await send('PUT', `/campaigns/${id}`, { status: 'DRAFT' }, lead.token)).status).toBe(422);
  });

  test('CM-73 deleted is not found until restored, and only into a living channel', async () => {
    const { id, channelId } = await givenCampaign(service, licence.owner);
    expect((await send('DELETE', `/campaigns/${id}`)).body.data).toEqual({});
    expect((await send('DELETE', `/campaigns/${id}`)).status).toBe(404);
    expect((await send('PUT', `/campaigns/${id}`, { name: '' })).status).toBe(404);
    expect((await send('DELETE', `/channels/${channelId}`)).status).toBe(200);
    expect((await send('POST', `/campaigns/${id}/restore`)).status).toBe(409);
    const other = await givenCampaign(service, licence.owner);
    await send('DELETE', `/campaigns/${other.id}`);
    expect((await send('POST', `/campaigns/${other.id}/restore`)).body.data.campaign).toMatchObject({
      id: other.id,
      revision: 2,
    });
  });

  test('CM-74 a channel with campaigns stays and names them, also ones that no read model has seen', async () => {
    const { id, channelId } = await givenCampaign(service, licence.owner, { name: 'Весна | 2' });
    const refused = await send('DELETE', `/channels/${channelId}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.error).toContain('Весна - 2');
    const other = await givenChannel(service, licence.owner);
    await send('PUT', `/campaigns/${id}`, { channelId: other.id });
    expect((await send('DELETE', `/channels/${other.id}`)).status).toBe(409);
    expect((await send('DELETE', `/channels/${channelId}`)).status).toBe(200);
    expect((await send('PUT', `/channels/${channelId}`, { name: 'Н' })).status).toBe(404);
  });

  test('CM-170 a channel is deleted or gets a campaign, never both, in the same instant', async () => {
    const channels = await Promise.all(Array.from({ length: 30 }, () => givenChannel(service, licence.owner)));
    const pairs = await Promise.all(
      channels.map(async ({ id }, index) => {
        const create = () => send('POST', '/campaigns', { name: 'Весна', channelId: id });
        const remove = () => send('DELETE', `/channels/${id}`);
        const [first, second] = index % 2 === 0 ? [create, remove] : [remove, create];
        const replies = await Promise.all([first(), second()]);
        return replies.map(({ status }) => status).sort((a, b) => a - b);
      }),
    );
    for (const statuses of pairs)
      expect([
        [200, 404],
        [200, 409],
      ]).toContainEqual(statuses);
  });

  test('CM-171 a channel follows its campaigns: deleted, restored and moved ones, while its own fields stay free of conflicts', async () => {
    const { id, channelId } = await givenCampaign(service, licence.owner);
    const remove = (channel: string) => send('DELETE', `/channels/${channel}`);
    const renamed = await send('PUT', `/channels/${channelId}`, { name: 'Наш канал', baseRevision: 0 });
    expect(renamed.status).toBe(200);
    await send('DELETE', `/campaigns/${id}`);
    await send('POST', `/campaigns/${id}/restore`);
    expect((await remove(channelId)).status).toBe(409);
    const other = await givenChannel(service, licence.owner);
    await send('PUT', `/campaigns/${id}`, { channelId: other.id });
    const free = await send('DELETE', `/channels/${channelId}?baseRevision=${renamed.body.revision}`);
    expect(free.status).toBe(200);
    await send('DELETE', `/campaigns/${id}`);
    expect((await remove(other.id)).status).toBe(200);
  });

  test('CM-75 channels are of settings; avatar can be emptied, name cannot', async () => {
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
    expect((await send('POST', '/channels', { name: '' }, buyer.token)).status).toBe(403);
    const { id } = (await send('POST', '/channels', { name: 'К', avatar: 'a.png' })).body.data.channel;
    expect((await send('PUT', `/channels/${id}`, { avatar: null })).body.data.channel).toMatchObject({
      name: 'К',
      avatar: null,
      revision: 1,
    });
    expect((await send('PUT', `/channels/${id}`, { name: null })).status).toBe(422);
    expect((await send('PUT', `/channels/${id}`, { name: 'x'.repeat(121) })).status).toBe(422);
  });

  test('CHN-1413 an avatar that is a program or another document is refused at its field', async () => {
    const { id } = (await send('POST', '/channels', { name: 'К' })).body.data.channel;
    for (const avatar of ['javascript:alert(1)', 'java\tscript:alert(1)', 'data:text/html,<script>1</script>']) {
      const refused = { status: 422, body: { error: messages.avatarInvalid, errors: [{ pointer: '/avatar' }] } };
      expect(await send('POST', '/channels', { name: 'Ц', avatar })).toMatchObject(refused);
      expect(await send('PUT', `/channels/${id}`, { avatar })).toMatchObject(refused);
    }
  });

  test('CM-76 creatives: create, change, deactivate once, come back', async () => {
    const { creative } = (await send('POST', '/creatives', { name: 'Кот', notes: '' })).body.data;
    expect(creative).toMatchObject({ type: 'TEXT_ONLY', abbreviation: '', isActive: true, revision: 0 });
    const path = `/creatives/${creative.id}`;
    expect((await send('PUT', path, { type: 'TEXT_WITH_VIDEO', abbreviation: 'К1' })).body.data.creative).toMatchObject(
      { type: 'TEXT_WITH_VIDEO', abbreviation: 'К1' },
    );
    expect((await send('PUT', path, { type: 'GIF' })).body.error).toBe('Некорректный тип креатива');
    expect((await send('DELETE', path)).body.data).toEqual({});
    expect((await send('DELETE', path)).status).toBe(404);
    expect((await send('PUT', path, { isActive: true })).body.data.creative.isActive).toBe(true);
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
    expect((await send('PUT', path, { name: 'Пёс' }, buyer.token)).status).toBe(403);
    expect((await send('PUT', '/creatives/none', { name: 'Пёс' })).status).toBe(404);
  });

  test('CM-77 contractors are renamed by who has the right; notes are added by all and deleted by author or lead', async () => {
    const { contractor } = (
      await send('POST', '/contractors', { adminUsername: 'seller', channelName: 'К', category: 'Мемы' })
    ).body.data;
    const path = `/contractors/${contractor.id}`;
    const [one, two] = [
      await givenPerson(service, licence, 'MEDIA_BUYER'),
      await givenPerson(service, licence, 'MEDIA_BUYER'),
    ];
    expect((await send('PUT', path, { channelName: 'Н' }, one.token)).status).toBe(403);
    expect((await send('PUT', path, { channelName: 'Н', isActive: false })).body.data.contractor).toMatchObject({
      channelName: 'Н',
      isActive: false,
      totalSpent: 0,
      notes: '',
    });
    const noted = await send('POST', `${path}/notes`, { note: ' Отвечает быстро ' }, one.token);
    expect(noted.body.data.note).toMatchObject({
      note: 'Отвечает быстро',
      authorId: one.id,
      contractorId: contractor.id,
      revision: noted.body.revision,
    });
    expect((await send('POST', `${path}/notes`, { note: ' ' }, one.token)).body.error).toBe('Введите текст заметки');
    expect((await send('POST', `${path}/notes`, { note: 'x'.repeat(2001) }, one.token)).status).toBe(422);
    const note = `${path}/notes/${noted.body.data.note.id}`;
    expect((await send('DELETE', note, undefined, two.token)).status).toBe(403);
    expect((await send('DELETE', note, undefined, one.token)).body.data).toEqual({});
    expect((await send('DELETE', note, undefined, one.token)).status).toBe(404);
    const again = await send('POST', `${path}/notes`, { note: 'x' }, two.token);
    expect((await send('DELETE', `${path}/notes/${again.body.data.note.id}`)).status).toBe(200);
  });

  test('CM-179 a contractor’s creation sent again answers as it did, whatever was placed since', async () => {
    const options = { token: licence.owner, key: '3f9619ff-8b86-4d01-b42d-00cf4fc964ff' };
    const create = () => service.call('POST', '/contractors', { adminUsername: 'repeated' }, options);
    const first = (await create()).body;
    const { id } = first.data.contractor;
    const position = first.position;
    const totals = { spent: 10_000, leads: 4, placements: 1, days: { '2026-11-20': 1 }, campaigns: {} };
    await service.readStore.commit({
      docs: [
        {
          kind: 'contractor',
          id,
          licenceId: licence.id,
          scopes: [],
          left: [],
          position,
          deleted: false,
          data: { totals },
        },
      ],
      checkpoint: { partition: 'all', position, fence: 1 },
    });
    expect((await create()).body).toEqual(first);
    const changed = await send('PUT', `/contractors/${id}`, { channelName: 'Н' });
    expect(changed.body.data.contractor).toMatchObject({ channelName: 'Н', totalSpent: 100, totalLeads: 4 });
  });

  test('CM-78 licence switches are of settings, and each has its type', async () => {
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
    expect((await send('PUT', '/license/settings', { codeOnlyLogin: 1 }, buyer.token)).status).toBe(403);
    for (const body of [{ codeOnlyLogin: 1 }, { leadValue: -1 }, { leadValue: 'x' }, { buyersEditAll: null }])
      expect((await send('PUT', '/license/settings', body)).status).toBe(422);
    const changed = await send('PUT', '/license/settings', { leadValue: 250, countZeroLeads: false, unknown: 1 });
    expect(changed.body.data.license).toMatchObject({
      id: licence.id,
      settings: { leadValue: 250, countZeroLeads: false },
      ceoLoginCode: null,
    });
    expect(changed.body.data.license.licenseKey).toContain('••••');
    expect((await send('PUT', '/license/settings', {})).body.revision).toBe(changed.body.revision);
  });
});
