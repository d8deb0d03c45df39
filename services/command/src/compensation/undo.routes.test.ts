import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import {
  givenBuying,
  givenCampaign,
  givenChannel,
  givenLicence,
  givenPerson,
  givenPlacement,
} from '../testing/given.ts';

type Buying = Awaited<ReturnType<typeof givenBuying>>;

describe('undoing a command', () => {
  let service: CommandService;
  let buying: Buying;
  beforeAll(async () => {
    service = await commandService();
    buying = await givenBuying(service);
  });
  afterAll(() => service.close());

  const ask = async (method: string, path: string, body?: object, token = buying.licence.owner): Promise<Reply> =>
    service.call(method, path, body, { token });
  /** A change that must succeed; its reply. */
  const must = async (method: string, path: string, body?: object, token = buying.licence.owner): Promise<Reply> => {
    const reply = await ask(method, path, body, token);
    expect([reply.status, reply.body.error]).toEqual([200, null]);
    return reply;
  };
  const undo = (commandId: string, token = buying.licence.owner, more: object = {}): Promise<Reply> =>
    ask('POST', '/undo', { commandId, ...more }, token);
  const undone = async (commandId: string, token = buying.licence.owner, more: object = {}): Promise<Reply> => {
    const reply = await undo(commandId, token, more);
    expect([reply.status, reply.body.error]).toEqual([200, null]);
    return reply;
  };
  const placementNow = async (id: string) => (await must('PATCH', `/placements/${id}`, {})).body.data.placement;
  const placed = (more: object = {}) => givenPlacement(service, buying.buyer.token, { ...buying.body, ...more });

  test('CMU-1 takes a new placement away and, undone in its turn, brings it back', async () => {
    const { buyer, body } = buying;
    const added = await must('POST', '/placements', { ...body, contractor: 'undo_1' }, buyer.token);
    const { id } = added.body.data.placement;
    const reply = await undone(added.body.commandId, buyer.token);
    expect(Object.keys(reply.body).toSorted()).toEqual(['commandId', 'data', 'error', 'position', 'success']);
    expect(reply.body.data).toEqual({
      undone: added.body.commandId,
      changed: [{ kind: 'placement', id, revision: 1 }],
    });
    expect((await ask('PATCH', `/placements/${id}`, { leads: 1 }, buyer.token)).status).toBe(404);
    const [event, ...more] = await service.eventStore.readCommand(`${buyer.id}/${reply.body.commandId}`);
    const first = await service.eventStore.read(event?.stream ?? '', { to: 0 });
    expect([event?.type, more]).toEqual(['PlacementRemoved', []]);
    expect(event?.metadata).toMatchObject({ source: 'undo', actorId: buyer.id, causedBy: first[0]?.id });
    expect(event?.metadata).not.toHaveProperty('reason');
    const back = await undone(reply.body.commandId, buyer.token);
    expect(back.body.data.changed).toEqual([{ kind: 'placement', id, revision: 2 }]);
    expect(await placementNow(id)).toMatchObject({ price: 100, revision: 2 });
    expect((await undone(added.body.commandId, buyer.token)).body.data.changed).toMatchObject([{ revision: 3 }]);
  });

  test('CMU-2 gives every changed field of a placement its value back, the contractor and the payment too', async () => {
    const lead = await givenPerson(service, buying.licence, 'TEAM_LEAD');
    const creative = (await must('POST', '/creatives', { name: 'К' })).body.data.creative;
    const before = await placed();
    const changes = {
      date: '2025-01-02',
      contractor: 'another_one',
      price: 7.5,
      leads: 3,
      creativeId: creative.id,
      category: 'Юмор',
      format: '1/48',
      buyerId: lead.id,
      status: 'DONE',
    };
    const change = await must('PATCH', `/placements/${before.id}`, changes);
    const payment = await must('POST', `/placements/${before.id}/payment`, { paymentStatus: 'paid' });
    const reply = await undone(change.body.commandId);
    expect(await placementNow(before.id)).toEqual({
      ...before,
      paymentStatus: 'paid',
      revision: 19,
      updatedAt: expect.any(String),
    });
    const events = await service.eventStore.readCommand(`${buying.licence.ownerId}/${reply.body.commandId}`);
    const changed = await service.eventStore.readCommand(`${buying.licence.ownerId}/${change.body.commandId}`);
    const placement = changed.filter(({ stream }) => stream.startsWith('placement-'));
    expect(events.map(({ metadata }) => metadata.causedBy)).toEqual(placement.map(({ id }) => id));
    await undone(payment.body.commandId);
    expect((await placementNow(before.id)).paymentStatus).toBe('unpaid');
    await undone(reply.body.commandId);
    const { contractor: _, ...sent } = changes;
    expect(await placementNow(before.id)).toMatchObject(sent);
  });

  test('CMU-3 is refused with every field that was changed since, and then undoes nothing of it', async () => {
    const { id } = await placed();
    const change = await must('PATCH', `/placements/${id}`, { price: 5, leads: 5, format: '1/48' });
    await must('PATCH', `/placements/${id}`, { price: 6 }, buying.buyer.token);
    await must('PATCH', `/placements/${id}`, { leads: 6, category: 'Юмор' }, buying.buyer.token);
    const head = await service.eventStore.head();
    const refused = await undo(change.body.commandId);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'CONFLICT',
        revision: 6,
        conflicts: [
          { entity: `placement:${id}`, field: 'price', base: 5, theirs: 6, mine: 100, by: { userId: buying.buyer.id } },
          { field: 'leads', base: 5, theirs: 6, mine: 0, by: { name: expect.stringContaining('Сотрудник') } },
        ],
      },
    ]);
    expect(await service.eventStore.head()).toBe(head);
    await must('PATCH', `/placements/${id}`, { price: 100, leads: 0 });
    expect((await undone(change.body.commandId)).body.data.changed).toMatchObject([{ id, revision: 9 }]);
    expect(await placementNow(id)).toMatchObject({ price: 100, leads: 0, format: '1/24', category: 'Юмор' });
  });

  test('CMU-4 goes back step by step: what was undone since does not stand in the way', async () => {
    const added = await must('POST', '/placements', { ...buying.body, price: 1 });
    const { id } = added.body.data.placement;
    const steps = [added];
    for (const price of [2, 3, 4]) steps.push(await must('PATCH', `/placements/${id}`, { price }));
    expect((await undo(steps[1]?.body.commandId ?? '')).status).toBe(409);
    expect((await undo(added.body.commandId)).body.conflicts).toMatchObject([{ field: 'price', mine: null }]);
    for (const price of [3, 2, 1]) {
      await undone(steps.pop()?.body.commandId ?? '');
      expect((await placementNow(id)).price).toBe(price);
    }
    await undone(added.body.commandId);
    expect((await ask('DELETE', `/placements/${id}`)).status).toBe(404);
  });

  test('CMU-5 undoes a batch at once or not at all, and tells which rows are in conflict', async () => {
    const [one, two, three] = [await placed(), await placed(), await placed()];
    const items = [
      { op: 'change', placementId: one.id, price: 1 },
      { op: 'change', placementId: one.id, price: 2, leads: 2 },
      { op: 'delete', placementId: two.id },
      { op: 'payment', placementId: three.id },
      { op: 'add', ...buying.body, contractor: 'only_in_a_batch' },
    ];
    const batch = await must('POST', '/placements/batch', { items });
    const added = batch.body.data.results[4]?.placement?.id ?? '';
    const touched = await must('PATCH', `/placements/${one.id}`, { price: 9 }, buying.buyer.token);
    await must('PATCH', `/placements/${added}`, { leads: 9 }, buying.buyer.token);
    const head = await service.eventStore.head();
    const refused = await undo(batch.body.commandId);
    expect([refused.status, refused.body.conflicts]).toMatchObject([
      409,
      [
        { entity: `placement:${one.id}`, field: 'price', base: 2, theirs: 9, mine: 100 },
        { entity: `placement:${added}`, field: 'leads', base: 0, theirs: 9, mine: null },
      ],
    ]);
    expect(await service.eventStore.head()).toBe(head);
    await undone(touched.body.commandId, buying.buyer.token);
    await must('DELETE', `/placements/${added}`);
    const reply = await undone(batch.body.commandId);
    expect(reply.body.data.changed.map(({ id }) => id)).toEqual([one.id, two.id, three.id]);
    for (const row of [one, two, three])
      expect(await placementNow(row.id)).toMatchObject({ price: 100, leads: 0, paymentStatus: 'unpaid' });
    await undone(reply.body.commandId);
    expect(await placementNow(one.id)).toMatchObject({ price: 2, leads: 2 });
    expect((await ask('PATCH', `/placements/${two.id}`, {})).status).toBe(404);
  });

  test('CMU-3470 of a batch in which others changed rows since, it says how many, and undoes the rest, or all of it but what is gone', async () => {
    const batched = async () => {
      const rows = [await placed(), await placed(), await placed(), await placed()];
      const items = rows.map(({ id }, index) => ({ op: 'change', placementId: id, price: index + 1 }));
      const added = { op: 'add', ...buying.body, price: 5 };
      const batch = await must('POST', '/placements/batch', { items: [...items, added] });
      const last = batch.body.data.results[4]?.placement?.id ?? '';
      const [, two, three] = rows.map(({ id }) => id);
      await must('PATCH', `/placements/${two}`, { price: 9 }, buying.buyer.token);
      await must('PATCH', `/placements/${last}`, { leads: 9 }, buying.buyer.token);
      await must('DELETE', `/placements/${three}`, undefined, buying.buyer.token);
      return { commandId: batch.body.commandId, ids: [...rows.map(({ id }) => id), last] };
    };
    const prices = (ids: readonly string[]) =>
      Promise.all(
        ids.map(async (id) => {
          const reply = await ask('PATCH', `/placements/${id}`, {});
          return reply.status === 404 ? null : reply.body.data.placement.price;
        }),
      );
    const one = await batched();
    for (const more of [{}, { onConflict: 'refuse' }]) {
      const refused = await undo(one.commandId, buying.licence.owner, more);
      expect([refused.status, refused.body]).toMatchObject([
        409,
        { code: 'CONFLICT', undo: { placements: 5, changed: 3 } },
      ]);
    }
    const rest = await undone(one.commandId, buying.licence.owner, { onConflict: 'skip' });
    expect(rest.body.data.changed.map(({ id }) => id)).toEqual([one.ids[0], one.ids[3]]);
    expect(await prices(one.ids)).toEqual([100, 9, null, 100, 5]);
    await undone(rest.body.commandId);
    expect(await prices(one.ids)).toEqual([1, 9, null, 4, 5]);

    const other = await batched();
    const all = await undone(other.commandId, buying.licence.owner, { onConflict: 'overwrite' });
    expect(await prices(other.ids)).toEqual([100, 100, null, 100, null]);
    await undone(all.body.commandId);
    expect(await prices(other.ids)).toEqual([1, 9, null, 4, 5]);
  });

  test('CMU-3471 what may not be changed refuses an undo, whatever was chosen about changes of others', async () => {
    const own = await givenBuying(service);
    const added = await must('POST', '/placements', own.body, own.buyer.token);
    const { id } = added.body.data.placement;
    await must('PATCH', `/placements/${id}`, { leads: 3 }, own.licence.owner);
    await must('POST', `/campaigns/${own.campaign.id}/complete`, undefined, own.licence.owner);
    const refused = await undo(added.body.commandId, own.buyer.token, { onConflict: 'overwrite' });
    expect([refused.status, refused.body.code]).toEqual([409, 'CAMPAIGN_COMPLETED']);
    await must('POST', `/campaigns/${own.campaign.id}/reopen`, undefined, own.licence.owner);
    const nothing = await undone(added.body.commandId, own.buyer.token, { onConflict: 'skip' });
    expect(nothing.body.data.changed).toEqual([]);
    await undone(added.body.commandId, own.buyer.token, { onConflict: 'overwrite' });
    expect((await ask('PATCH', `/placements/${id}`, {}, own.licence.owner)).status).toBe(404);
  });

  /** A buyer of a team in which buyers change their own rows alone, and what they can be given away by. */
  const ownRowsOnly = async () => {
    const own = await givenBuying(service);
    const other = await givenPerson(service, own.licence, 'MEDIA_BUYER');
    await must('PUT', '/license/settings', { buyersEditAll: false }, own.licence.owner);
    const give = (id: string) => must('PATCH', `/placements/${id}`, { buyerId: other.id }, own.licence.owner);
    const back = (commandId: string, more: object = {}) => undo(commandId, own.buyer.token, more);
    return { ...own, other, give, back };
  };

  test('CMU-3530 rows that were given to another buyer since are in conflict: the rest goes back without them, and they are not overwritten', async () => {
    const { body, buyer, licence, other, give, back } = await ownRowsOnly();
    const mine = await givenPlacement(service, buyer.token, body);
    const items = [
      { op: 'add', ...body, price: 1 },
      { op: 'add', ...body, price: 2 },
      { op: 'change', placementId: mine.id, price: 3 },
    ];
    const batch = await must('POST', '/placements/batch', { items }, buyer.token);
    const [one = '', two = ''] = batch.body.data.results.map(({ placement }) => placement?.id ?? '');
    await give(two);
    await give(mine.id);
    const refused = await back(batch.body.commandId);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'CONFLICT',
        conflicts: [
          { entity: `placement:${two}`, field: 'buyerId', base: buyer.id, theirs: other.id, mine: null },
          {
            entity: `placement:${mine.id}`,
            field: 'buyerId',
            base: buyer.id,
            theirs: other.id,
            mine: buyer.id,
            by: { userId: licence.ownerId },
          },
        ],
        undo: { placements: 3, changed: 2, denied: 2, conflicts: 2 },
      },
    ]);
    const overwritten = await back(batch.body.commandId, { onConflict: 'overwrite' });
    expect([overwritten.status, overwritten.body.error]).toEqual([
      403,
      'Доступ запрещен: можно менять только свои размещения',
    ]);
    const skipped = await back(batch.body.commandId, { onConflict: 'skip' });
    expect([skipped.status, skipped.body.data.changed]).toMatchObject([200, [{ id: one }]]);
    for (const [id, price] of [
      [two, 2],
      [mine.id, 3],
    ] as const)
      expect((await must('PATCH', `/placements/${id}`, {}, licence.owner)).body.data.placement.price).toBe(price);
  });

  test('CMU-3531 where nothing else would go back, and where it was never theirs, it is forbidden as before', async () => {
    const { body, buyer, licence, other, give, back } = await ownRowsOnly();
    const added = await must('POST', '/placements', body, buyer.token);
    await give(added.body.data.placement.id);
    expect((await back(added.body.commandId)).status).toBe(403);
    await must('PUT', '/license/settings', { buyersEditAll: true }, licence.owner);
    const theirs = await givenPlacement(service, licence.owner, { ...body, buyerId: other.id });
    const items = [
      { op: 'change', placementId: theirs.id, price: 5 },
      { op: 'add', ...body },
    ];
    const batch = await must('POST', '/placements/batch', { items }, buyer.token);
    await must('PUT', '/license/settings', { buyersEditAll: false }, licence.owner);
    expect((await back(batch.body.commandId)).status).toBe(403);
    expect((await back(batch.body.commandId, { onConflict: 'skip' })).status).toBe(403);
  });

  test('CMU-6 another person’s command takes a leader and a reason, which is kept', async () => {
    const own = await givenBuying(service);
    const lead = await givenPerson(service, own.licence, 'TEAM_LEAD');
    const other = await givenPerson(service, own.licence, 'MEDIA_BUYER');
    const analyst = await givenPerson(service, own.licence, 'ANALYTIC');
    const added = await must('POST', '/placements', own.body, own.buyer.token);
    const { commandId } = added.body;
    const theirs = { actorId: own.buyer.id };
    for (const person of [other, analyst]) {
      const refused = await undo(commandId, person.token, { ...theirs, reason: 'Ошибка' });
      expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    for (const reason of [undefined, null, '', '   ']) {
      const refused = await undo(commandId, lead.token, { ...theirs, reason });
      expect([refused.status, refused.body.error, refused.body.errors?.[0]?.pointer]).toEqual([
        422,
        'Укажите причину отмены',
        '/reason',
      ]);
    }
    expect((await undo(commandId, lead.token, { ...theirs, reason: 'x'.repeat(501) })).status).toBe(422);
    const reply = await undone(commandId, lead.token, { ...theirs, reason: ' Не тот канал ' });
    const [event] = await service.eventStore.readCommand(`${lead.id}/${reply.body.commandId}`);
    expect(event?.metadata).toMatchObject({ source: 'undo', actorId: lead.id, reason: 'Не тот канал' });
  });

  test('CMU-7 without a name it is one’s own command, else whose it is among the people of the licence', async () => {
    const own = await givenBuying(service);
    const lead = await givenPerson(service, own.licence, 'TEAM_LEAD');
    const other = await givenPerson(service, own.licence, 'MEDIA_BUYER');
    const { commandId } = (await must('POST', '/placements', own.body, own.buyer.token)).body;
    await service.readStore.commit({
      docs: [lead, other, own.buyer].map(({ id }) => ({
        kind: 'user',
        id,
        licenceId: own.licence.id,
        scopes: ['workspace'],
        left: [],
        position: 1,
        deleted: false,
        data: { id, isActive: true, createdAt: '' },
      })),
      checkpoint: { partition: 'all', position: 1, fence: 1 },
    });
    expect((await undo(commandId, other.token)).status).toBe(403);
    expect((await undo(commandId, lead.token)).body.error).toBe('Укажите причину отмены');
    await undone(commandId, lead.token, { reason: 'Повтор' });
  });

  test('CMU-8 an unknown command, one of another licence and one that did nothing are not found', async () => {
    const stranger = await givenLicence(service);
    const { commandId } = (await must('POST', '/placements', buying.body, buying.buyer.token)).body;
    const { id } = await placed();
    const nothing = (await must('PATCH', `/placements/${id}`, { price: 100 })).body.commandId;
    const theirs = { actorId: buying.buyer.id, reason: 'x' };
    for (const reply of [
      await undo(randomUUID()),
      await undo(commandId, stranger.owner),
      await undo(commandId, stranger.owner, theirs),
      await undo(randomUUID(), stranger.owner, theirs),
      await undo(nothing),
      await undo(commandId, buying.licence.owner, { actorId: 'nobody', reason: 'x' }),
    ])
      expect([reply.status, reply.body.error]).toEqual([404, 'Изменение не найдено']);
    for (const body of [{}, { commandId: 'x' }, { commandId: 5 }, { commandId, actorId: '' }, { commandId, reason: 5 }])
      expect((await ask('POST', '/undo', body)).status).toBe(422);
  });

  test('CMU-9 a campaign’s fields, participants, completion, deletion and creation go back, its channels told', async () => {
    const { campaign, buyer, licence } = await givenBuying(service);
    const token = licence.owner;
    const other = await givenChannel(service, token);
    const path = `/campaigns/${campaign.id}`;
    const now = async () => (await must('PUT', path, {}, token)).body.data.campaign;
    const before = await now();
    const change = await must(
      'PUT',
      path,
      {
        name: 'Лето',
        channelId: other.id,
        totalBudget: 5,
        startDate: '2026-01-01',
        endDate: '2026-02-01',
        participants: [{ userId: buyer.id, budget: 3 }],
      },
      token,
    );
    await undone(change.body.commandId, token);
    expect(await now()).toEqual({ ...before, revision: 10, updatedAt: expect.any(String) });
    expect((await ask('DELETE', `/channels/${other.id}`, undefined, token)).status).toBe(200);
    expect((await ask('DELETE', `/channels/${campaign.channelId}`, undefined, token)).status).toBe(409);

    const completed = await must('POST', `${path}/complete`, undefined, token);
    const reopened = await undone(completed.body.commandId, token);
    expect((await now()).status).toBe('ACTIVE');
    await undone(reopened.body.commandId, token);
    expect((await now()).status).toBe('COMPLETED');
    await undone((await must('POST', `${path}/reopen`, undefined, token)).body.commandId, token);
    expect((await now()).status).toBe('COMPLETED');

    const deleted = await must('DELETE', path, undefined, token);
    expect((await ask('PUT', path, {}, token)).status).toBe(404);
    await undone(deleted.body.commandId, token);
    expect((await now()).name).toBe(before.name);

    const created = await must('POST', '/campaigns', { name: 'Новая', channelId: campaign.channelId }, token);
    await undone(created.body.commandId, token);
    expect((await ask('PUT', `/campaigns/${created.body.data.campaign.id}`, {}, token)).status).toBe(404);
    await must('DELETE', path, undefined, token);
    const channelDeleted = await must('DELETE', `/channels/${campaign.channelId}`, undefined, token);
    const refused = await undo(deleted.body.commandId, token);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    await undone(channelDeleted.body.commandId, token);
    expect((await must('PUT', `/channels/${campaign.channelId}`, { name: 'Снова' }, token)).status).toBe(200);
  });

  test('CMU-10 a campaign does not become a draft again, and says so', async () => {
    const own = await givenBuying(service);
    const token = own.licence.owner;
    const draft = await givenCampaign(service, token, { status: 'DRAFT' });
    const activated = await must('PUT', `/campaigns/${draft.id}`, { status: 'ACTIVE', name: 'Живая' }, token);
    const refused = await undo(activated.body.commandId, token);
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: 'Кампания не может снова стать черновиком', errors: [{ pointer: '/commandId' }] },
    ]);
  });

  test('CMU-11 channels and creatives go back; a channel with campaigns stays', async () => {
    const own = await givenBuying(service);
    const token = own.licence.owner;
    const created = await must('POST', '/channels', { name: 'Первое' }, token);
    const { id } = created.body.data.channel;
    const renamed = await must('PUT', `/channels/${id}`, { name: 'Второе', avatar: 'https://example.org/a' }, token);
    await undone(renamed.body.commandId, token);
    expect((await must('PUT', `/channels/${id}`, {}, token)).body.data.channel).toMatchObject({
      name: 'Первое',
      avatar: null,
    });
    const used = await must('POST', '/campaigns', { name: 'Лето', channelId: id }, token);
    const refused = await undo(created.body.commandId, token);
    expect([refused.status, refused.body.error]).toEqual([409, 'В канале есть кампании: Лето']);
    await undone(used.body.commandId, token);
    const gone = await undone(created.body.commandId, token);
    expect((await ask('PUT', `/channels/${id}`, {}, token)).status).toBe(404);
    await undone(gone.body.commandId, token);
    expect((await must('PUT', `/channels/${id}`, {}, token)).body.data.channel.name).toBe('Первое');

    const creative = await must('POST', '/creatives', { name: 'К', notes: 'а' }, token);
    const path = `/creatives/${creative.body.data.creative.id}`;
    const now = async () => (await must('PUT', path, {}, token)).body.data.creative;
    const members = { name: 'Л', abbreviation: 'Л', type: 'TEXT_WITH_IMAGE', notes: 'б' };
    const change = await must('PUT', path, members, token);
    expect(await now()).toMatchObject(members);
    await undone(change.body.commandId, token);
    expect(await now()).toMatchObject({ name: 'К', abbreviation: '', type: 'TEXT_ONLY', notes: 'а' });
    const deleted = await must('DELETE', path, undefined, token);
    await undone(deleted.body.commandId, token);
    expect((await now()).isActive).toBe(true);
    await undone(creative.body.commandId, token);
    expect((await now()).isActive).toBe(false);
  });

  test('CMU-12 a contractor’s members go back, its nick only while it is free', async () => {
    const own = await givenBuying(service);
    const token = own.licence.owner;
    const created = await must('POST', '/contractors', { adminUsername: 'first', channelName: 'А' }, token);
    const path = `/contractors/${created.body.data.contractor.id}`;
    const now = async () => (await must('PUT', path, {}, token)).body.data.contractor;
    const change = await must('PUT', path, { adminUsername: 'Second', channelName: 'Б', category: 'Юмор' }, token);
    await undone(change.body.commandId, token);
    expect(await now()).toMatchObject({ adminUsername: '@first', channelName: 'А', category: '' });
    expect((await must('POST', '/contractors', { adminUsername: 'second' }, token)).status).toBe(200);
    expect((await ask('POST', '/contractors', { adminUsername: 'first' }, token)).status).toBe(409);

    const renamed = await must('PUT', path, { adminUsername: 'third' }, token);
    await must('POST', '/contractors', { adminUsername: 'FIRST' }, token);
    const head = await service.eventStore.head();
    const refused = await undo(renamed.body.commandId, token);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'DUPLICATE', error: 'Контрагент с таким ником уже есть' },
    ]);
    expect(await service.eventStore.head()).toBe(head);

    const other = await must('POST', '/contractors', { adminUsername: 'fourth' }, token);
    await undone(other.body.commandId, token);
    expect(
      (await must('PUT', `/contractors/${other.body.data.contractor.id}`, {}, token)).body.data.contractor.isActive,
    ).toBe(false);
  });

  test('CMU-13 notes go and come back with their author and time', async () => {
    const own = await givenBuying(service);
    const token = own.licence.owner;
    const { contractorId } = await givenPlacement(service, own.buyer.token, own.body);
    const path = `/contractors/${contractorId}`;
    const notes = async () => (await must('PUT', path, {}, token)).body.data.contractor.notesHistory;
    const first = await must('POST', `${path}/notes`, { note: 'Первая' }, own.buyer.token);
    service.advance(1000);
    await must('POST', `${path}/notes`, { note: 'Вторая' }, token);
    service.advance(1000);
    const [one, two] = await notes();
    const removed = await must('DELETE', `${path}/notes/${one?.id}`, undefined, token);
    expect(await notes()).toEqual([two]);
    await undone(removed.body.commandId, token);
    const restored = await notes();
    expect(restored).toEqual([{ ...one, revision: 4 }, two]);
    const gone = await undone(first.body.commandId, own.buyer.token);
    expect((await notes()).map(({ note }) => note)).toEqual(['Вторая']);
    await undone(gone.body.commandId, token, { actorId: own.buyer.id, reason: 'Нужна' });
    expect((await notes())[0]).toMatchObject({ authorId: own.buyer.id, createdAt: one?.createdAt });
  });

  test('CMU-14 people and the licence do not go back, and say so', async () => {
    const own = await givenBuying(service);
    const token = own.licence.owner;
    const created = await must(
      'POST',
      '/employees/create',
      { name: 'Иван', email: 'i@example.com', role: 'ANALYTIC' },
      token,
    );
    const renamed = await must('PUT', `/users/${own.buyer.id}`, { name: 'Иное' }, token);
    const settings = await must('PUT', '/license/settings', { leadValue: 5 }, token);
    for (const [{ body }, text] of [
      [created, 'Изменения сотрудников и их доступа не отменяются: измените данные сотрудника заново'],
      [renamed, 'Изменения сотрудников и их доступа не отменяются: измените данные сотрудника заново'],
      [settings, 'Изменения лицензии и её параметров не отменяются: измените параметры заново'],
    ] as const) {
      const refused = await undo(body.commandId, token);
      expect([refused.status, refused.body.error, refused.body.errors?.[0]?.pointer]).toEqual([
        422,
        text,
        '/commandId',
      ]);
    }
  });

  test('CMU-15 a completed campaign refuses it, a deleted one hides it, and both come before conflicts', async () => {
    const own = await givenBuying(service);
    const token = own.licence.owner;
    const { id } = await givenPlacement(service, token, own.body);
    const change = await must('PATCH', `/placements/${id}`, { price: 5 }, token);
    await must('PATCH', `/placements/${id}`, { price: 6 }, token);
    await must('POST', `/campaigns/${own.campaign.id}/complete`, undefined, token);
    const closed = await undo(change.body.commandId, token);
    expect([closed.status, closed.body.code]).toEqual([409, 'CAMPAIGN_COMPLETED']);
    await must('DELETE', `/campaigns/${own.campaign.id}`, undefined, token);
    expect((await undo(change.body.commandId, token)).status).toBe(404);
  });

  test('CMU-16 nothing of a deleted row goes back before the row does', async () => {
    const { id } = await placed();
    const change = await must('PATCH', `/placements/${id}`, { price: 5 });
    const deleted = await must('DELETE', `/placements/${id}`, undefined, buying.buyer.token);
    const refused = await undo(change.body.commandId);
    expect([refused.status, refused.body.conflicts]).toMatchObject([
      409,
      [{ field: 'deleted', base: false, theirs: true, mine: false, by: { userId: buying.buyer.id } }],
    ]);
    await undone(deleted.body.commandId, buying.buyer.token);
    await undone(change.body.commandId);
    expect((await placementNow(id)).price).toBe(100);
  });

  test('CMU-17 sent again it answers the same; given twenty times at once under other keys it undoes once', async () => {
    const { id } = await placed();
    const { commandId } = (await must('PATCH', `/placements/${id}`, { price: 5 })).body;
    const options = { token: buying.licence.owner, key: randomUUID() };
    const first = await service.call('POST', '/undo', { commandId }, options);
    await must('PATCH', `/placements/${id}`, { price: 8 });
    service.forget();
    expect((await service.call('POST', '/undo', { commandId }, options)).body).toEqual(first.body);
    expect((await service.call('POST', '/undo', { commandId, reason: 'x' }, options)).body.code).toBe(
      'PAYLOAD_MISMATCH',
    );

    const again = (await must('PATCH', `/placements/${id}`, { leads: 5 })).body.commandId;
    const head = await service.eventStore.head();
    const replies = await Promise.all(Array.from({ length: 20 }, () => undo(again)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.filter(({ body }) => body.data.changed.length > 0).length).toBe(1);
    expect(await service.eventStore.head()).toBe(head + 1);
  });

  test('CMU-18 what a person may not do they may not undo, also of their own', async () => {
    const own = await givenBuying(service);
    const other = await givenPerson(service, own.licence, 'MEDIA_BUYER');
    const { id } = await givenPlacement(service, own.buyer.token, own.body);
    const change = await must('PATCH', `/placements/${id}`, { price: 5 }, other.token);
    const lead = await givenPerson(service, own.licence, 'TEAM_LEAD');
    const channel = await must('POST', '/channels', { name: 'К' }, lead.token);
    await must('PUT', '/license/settings', { buyersEditAll: false }, own.licence.owner);
    await must('PUT', `/users/${lead.id}`, { permissions: { dashboard: true } }, own.licence.owner);
    expect((await undo(change.body.commandId, other.token)).body.error).toBe(
      'Доступ запрещен: можно менять только свои размещения',
    );
    expect((await undo(channel.body.commandId, lead.token)).status).toBe(403);
  });

  test('CMU-19 a row gets its buyer and creative back, also when nobody could choose them today', async () => {
    const own = await givenBuying(service);
    const token = own.licence.owner;
    const other = await givenPerson(service, own.licence, 'MEDIA_BUYER');
    const creative = (await must('POST', '/creatives', { name: 'К' }, token)).body.data.creative;
    const { id } = await givenPlacement(service, token, { ...own.body, creativeId: creative.id });
    const change = await must('PATCH', `/placements/${id}`, { buyerId: other.id, creativeId: null }, token);
    await must('DELETE', `/users/${own.buyer.id}`, undefined, token);
    await must('DELETE', `/creatives/${creative.id}`, undefined, token);
    await undone(change.body.commandId, token);
    expect((await must('PATCH', `/placements/${id}`, {}, token)).body.data.placement).toMatchObject({
      buyerId: own.buyer.id,
      creativeId: creative.id,
    });
  });
});
