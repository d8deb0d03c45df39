import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { givenBuying, givenPerson, givenPlacement } from '../testing/given.ts';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

describe('a batch of placements', () => {
  let service: CommandService;
  let buying: Awaited<ReturnType<typeof givenBuying>>;
  beforeAll(async () => {
    service = await commandService();
    buying = await givenBuying(service);
  });
  afterAll(() => service.close());

  const send = (body: unknown, { token = buying.buyer.token, key }: { token?: string; key?: string } = {}) =>
    service.call('POST', '/placements/batch', body, { token, ...(key !== undefined && { key }) });
  const adding = (more: object = {}) => ({ op: 'add', ...buying.body, ...more });
  const given = (more: object = {}) => givenPlacement(service, buying.buyer.token, { ...buying.body, ...more });
  const results = (reply: Reply) => reply.body.data.results;
  const outcomes = (reply: Reply) =>
    results(reply).map(({ ok, placement, problem }) => (ok ? (placement?.price ?? null) : problem?.code));

  test('CMB-1 does all its items in one append under one command, and answers each as it left its placement', async () => {
    const { id } = await given({ price: 1 });
    const key = randomUUID();
    const head = await service.eventStore.head();
    const reply = await send(
      {
        items: [
          adding({ price: 5 }),
          { op: 'change', placementId: id, price: 2, leads: 1 },
          { op: 'payment', placementId: id },
          { op: 'change', placementId: id, price: 3 },
          { op: 'delete', placementId: id },
        ],
      },
      { key },
    );
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body).toSorted()).toEqual(['commandId', 'data', 'error', 'position', 'success']);
    expect(results(reply)).toMatchObject([
      { index: 0, ok: true, placement: { price: 5, revision: 0, contractorId: expect.any(String) } },
      { index: 1, ok: true, placement: { id, price: 2, leads: 1, revision: 2, paymentStatus: 'unpaid' } },
      { index: 2, ok: true, placement: { id, revision: 3, paymentStatus: 'paid' } },
      { index: 3, ok: true, placement: { id, revision: 4, price: 3, paymentStatus: 'paid' } },
      { index: 4, ok: true, placement: null },
    ]);
    const events = await service.eventStore.readCommand(`${buying.buyer.id}/${key}`);
    expect(events.map(({ type }) => type)).toEqual([
      'PlacementAdded',
      'PlacementPriceChanged',
      'PlacementLeadsRecorded',
      'PlacementMarkedPaid',
      'PlacementPriceChanged',
      'PlacementRemoved',
    ]);
    expect([reply.body.position, await service.eventStore.head()]).toEqual([head + 6, head + 6]);
  });

  test('CMB-1690 brings back what was deleted before it or by itself; what lives stays as it is, what never was is not found', async () => {
    const [gone, living] = [await given({ price: 1 }), await given({ price: 2 })];
    await service.call('DELETE', `/placements/${gone.id}`, undefined, { token: buying.buyer.token });
    const about = (op: string, placementId: string, more: object = {}) => ({ op, placementId, ...more });
    const key = randomUUID();
    const items = [
      about('restore', gone.id),
      about('change', gone.id, { price: 3, postUrl: 'http://t.me/some/17' }),
      about('delete', living.id),
      about('restore', living.id),
      about('restore', living.id),
    ];
    const reply = await send({ items }, { key });
    expect([reply.status, outcomes(reply)]).toEqual([200, [1, 3, null, 2, 2]]);
    expect(results(reply)[1]).toMatchObject({ placement: { revision: 4, postUrl: 'https://t.me/some/17' } });
    const events = await service.eventStore.readCommand(`${buying.buyer.id}/${key}`);
    expect(events.map(({ type }) => type)).toEqual([
      'PlacementRestored',
      'PlacementPriceChanged',
      'PlacementPostUrlChanged',
      'PlacementRemoved',
      'PlacementRestored',
    ]);
    expect(outcomes(await send({ atomic: false, items: [about('restore', 'none')] }))).toEqual(['NOT_FOUND']);
    const undone = await service.call('POST', '/undo', { commandId: key }, { token: buying.buyer.token });
    expect(undone.status).toBe(200);
    const again = await send({ atomic: false, items: [about('change', gone.id), about('change', living.id)] });
    expect(outcomes(again)).toEqual(['NOT_FOUND', 2]);
  });

  test('CMB-2 atomic and one refusal: that refusal with its index, and nothing of the rest', async () => {
    const { id } = await given();
    const head = await service.eventStore.head();
    const key = randomUUID();
    const refused = await send(
      { atomic: true, items: [adding(), { op: 'change', placementId: id, buyerId: buying.licence.ownerId }, adding()] },
      { key },
    );
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: 'Выберите байера', index: 1, errors: [{ pointer: '/items/1/buyerId', detail: 'Выберите байера' }] },
    ]);
    expect(await service.eventStore.head()).toBe(head);
    expect((await send({ items: [adding()] }, { key })).status).toBe(200);
  });

  test('CMB-3 not atomic: each item is refused or accepted by itself, the accepted ones in one append', async () => {
    const { id, revision } = await given();
    await service.call('PATCH', `/placements/${id}`, { price: 7 }, { token: buying.licence.owner });
    const key = randomUUID();
    const head = await service.eventStore.head();
    const reply = await send(
      {
        atomic: false,
        items: [
          adding({ price: 11 }),
          adding({ category: 'Прочее' }),
          { op: 'change', placementId: id, baseRevision: revision, price: 9 },
          { op: 'change', placementId: id, baseRevision: revision, leads: 9 },
          { op: 'change', placementId: 'none', leads: 9 },
          { op: 'burn', placementId: id },
          { op: 'delete', placementId: id, baseRevision: 50 },
          null,
          adding({ contractor: 'never-made', creativeId: 'none' }),
        ],
      },
      { key },
    );
    expect(outcomes(reply)).toEqual([
      11,
      'VALIDATION_FAILED',
      'CONFLICT',
      7,
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
      'NOT_FOUND',
    ]);
    expect(results(reply)[1]?.problem).toMatchObject({
      success: false,
      status: 422,
      error: 'Выберите тематику',
      errors: [{ pointer: '/category' }],
    });
    expect(results(reply)[2]?.problem?.conflicts).toMatchObject([{ field: 'price', base: 100, theirs: 7, mine: 9 }]);
    expect(results(reply)[5]?.problem?.error).toBe('Неизвестная операция');
    const events = await service.eventStore.readCommand(`${buying.buyer.id}/${key}`);
    expect(events.map(({ type }) => type)).toEqual(['PlacementAdded', 'PlacementLeadsRecorded']);
    expect(await service.eventStore.head()).toBe(head + 2);
  });

  test('CMB-4 a contractor is made once for all items that name it, however spelled, and what refused items made is gone', async () => {
    const name = `new${randomUUID().slice(0, 8)}`;
    const key = randomUUID();
    const reply = await send(
      {
        atomic: false,
        items: [
          adding({ contractor: name, price: -1 }),
          adding({ contractor: `https://t.me/${name.toUpperCase()}` }),
          adding({ contractor: `@${name}` }),
          adding({ contractor: `${name}2` }),
        ],
      },
      { key },
    );
    const [, one, two, other] = results(reply).map(({ placement }) => placement?.contractorId);
    expect(one).toBe(two);
    expect(other).not.toBe(one);
    const events = await service.eventStore.readCommand(`${buying.buyer.id}/${key}`);
    const made = events.filter(({ type }) => type === 'ContractorCreated');
    expect(made.map(({ data }) => data['adminUsername'])).toEqual([`@${name.toUpperCase()}`, `@${name}2`]);
  });

  test('CMB-5 sent again it appends nothing and answers every item alike, refused ones too, whatever came since', async () => {
    const { id, revision } = await given({ price: 21 });
    await service.call('PATCH', `/placements/${id}`, { price: 22 }, { token: buying.licence.owner });
    const body = {
      atomic: false,
      items: [
        adding({ contractor: `again${randomUUID().slice(0, 8)}` }),
        { op: 'change', placementId: id, baseRevision: revision, price: 23 },
        { op: 'change', placementId: id, leads: 4 },
        { op: 'payment', placementId: id },
        { op: 'payment', placementId: 'none' },
      ],
    };
    const key = randomUUID();
    const first = await send(body, { key });
    expect(outcomes(first)).toEqual([100, 'CONFLICT', 22, 22, 'NOT_FOUND']);
    await service.call('PATCH', `/placements/${id}`, { price: 23, leads: 5 }, { token: buying.licence.owner });
    await service.call('DELETE', `/placements/${id}`, undefined, { token: buying.licence.owner });
    await service.call('PUT', `/users/${buying.buyer.id}`, { name: 'Другое имя' }, { token: buying.licence.owner });
    service.advance(1000);
    const head = await service.eventStore.head();
    for (const forget of [false, true]) {
      if (forget) service.forget();
      const again = await send(body, { key });
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    const mismatch = await send({ ...body, atomic: true }, { key });
    expect([mismatch.status, mismatch.body.code]).toEqual([422, 'PAYLOAD_MISMATCH']);
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CMB-6 twenty at once under one key append once', async () => {
    const key = randomUUID();
    const head = await service.eventStore.head();
    const body = { items: [adding({ contractor: `race${randomUUID().slice(0, 8)}` }), adding()] };
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(body, { key })));
    for (const reply of replies) expect(reply.body).toEqual(replies[0]?.body);
    expect(await service.eventStore.head()).toBe(head + 4);
  });

  test('CMB-7 batches that meet on one placement are decided one after the other, none half', async () => {
    const { id } = await given({ price: 0 });
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send({
          items: [
            { op: 'change', placementId: id, price: index + 1 },
            { op: 'change', placementId: id, leads: index + 1 },
          ],
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const last = replies.toSorted((one, other) => one.body.position - other.body.position).at(-1);
    const [, second] = last === undefined ? [] : results(last);
    expect(second?.placement?.price).toBe(second?.placement?.leads);
    expect(second?.placement?.revision).toBe(16);
  });

  test('CMB-8 rights are asked per row: with the switch off a buyer’s batch changes their own rows only', async () => {
    const own = await givenBuying(service);
    const other = await givenPerson(service, own.licence, 'MEDIA_BUYER');
    const analyst = await givenPerson(service, own.licence, 'ANALYTIC');
    const mine = await givenPlacement(service, own.buyer.token, own.body);
    const theirs = await givenPlacement(service, own.buyer.token, { ...own.body, buyerId: other.id });
    await service.call('PUT', '/license/settings', { buyersEditAll: false }, { token: own.licence.owner });
    const items = [
      { op: 'change', placementId: mine.id, leads: 1 },
      { op: 'change', placementId: theirs.id, leads: 1 },
      { op: 'add', ...own.body, buyerId: other.id },
      { op: 'change', placementId: mine.id, buyerId: other.id },
    ];
    const each = await send({ atomic: false, items }, { token: own.buyer.token });
    expect(outcomes(each)).toEqual([100, 'ACCESS_DENIED', 'ACCESS_DENIED', 'ACCESS_DENIED']);
    const whole = await send({ items }, { token: own.buyer.token });
    expect([whole.status, whole.body]).toMatchObject([
      403,
      { index: 1, error: 'Доступ запрещен: можно менять только свои размещения' },
    ]);
    expect((await send({ items: [] }, { token: analyst.token })).status).toBe(403);
  });

  test('CMB-9 refusals come in their order: the batch, the shape of all items, rights, what is wrong, what is not found, conflicts', async () => {
    const own = await givenBuying(service);
    const token = own.buyer.token;
    const { id } = await givenPlacement(service, token, own.body);
    await service.call('PATCH', `/placements/${id}`, { price: 5 }, { token: own.licence.owner });
    const conflict = { op: 'change', placementId: id, baseRevision: 0, price: 6 };
    const missing = { op: 'delete', placementId: 'none' };
    const wrong = { op: 'change', placementId: id, buyerId: own.licence.ownerId };
    const shape = { op: 'change', price: -1 };
    const ask = async (items: unknown) => {
      const { status, body } = await send({ items }, { token });
      return [status, body.error];
    };
    expect(await ask([conflict])).toEqual([409, 'Данные изменились: проверьте новые значения и повторите']);
    expect(await ask([conflict, missing])).toEqual([404, 'Placement not found']);
    expect(await ask([conflict, missing, wrong])).toEqual([422, 'Выберите байера']);
    expect(await ask([conflict, missing, wrong, shape])).toEqual([422, 'Размещение не указано']);
    for (const items of [[], Array.from({ length: 1001 }, () => missing), 'x', null, { length: 1 }, undefined])
      expect(await ask(items)).toEqual([422, 'Пакет: от 1 до 1 000 строк']);
    expect((await send({ atomic: 'yes', items: [missing] }, { token })).status).toBe(422);
    const many = Array.from({ length: 1000 }, () => ({ ...own.body, op: 'add', category: 5, price: -1 }));
    const misshapen = await send({ items: many }, { token });
    expect([misshapen.status, misshapen.body.errors?.length]).toEqual([422, 100]);
    const large = { items: [{ ...own.body, op: 'add', contractor: 'x'.repeat(1_100_000) }] };
    expect((await send(large, { token })).status).toBe(413);
  });

  test('CMB-10 a completed campaign refuses its placements, by this door too', async () => {
    const own = await givenBuying(service);
    const token = own.buyer.token;
    const { id } = await givenPlacement(service, token, own.body);
    await service.call('POST', `/campaigns/${own.campaign.id}/complete`, undefined, { token: own.licence.owner });
    const items = [
      { op: 'add', ...own.body },
      { op: 'change', placementId: id, price: 1 },
      { op: 'payment', placementId: id },
      { op: 'delete', placementId: id },
      { op: 'restore', placementId: id },
    ];
    expect(outcomes(await send({ atomic: false, items }, { token }))).toEqual(items.map(() => 'CAMPAIGN_COMPLETED'));
    expect((await send({ items }, { token })).body.code).toBe('CAMPAIGN_COMPLETED');
  });

  test('CMB-11 an item that conflicts with what the batch did before it is told so, as a call of its own would be', async () => {
    const { id, revision } = await given();
    const change = (more: object) => ({ op: 'change', placementId: id, baseRevision: revision, ...more });
    const reply = await send({
      atomic: false,
      items: [change({ price: 1 }), change({ leads: 2 }), change({ price: 3 })],
    });
    expect(outcomes(reply)).toEqual([1, 1, 'CONFLICT']);
    expect(results(reply)[2]?.problem?.conflicts).toMatchObject([
      { field: 'price', base: 100, theirs: 1, mine: 3, by: { userId: buying.buyer.id } },
    ]);
  });

  test('CMB-12 nothing appended: the items answer, the key stays free', async () => {
    const { id } = await given({ price: 3 });
    const key = randomUUID();
    const head = await service.eventStore.head();
    const same = await send({ items: [{ op: 'change', placementId: id, price: 3 }] }, { key });
    expect([same.status, outcomes(same), same.body.position]).toEqual([200, [3], head]);
    const all = await send({ atomic: false, items: [{ op: 'delete', placementId: 'none' }] }, { key });
    expect([all.status, outcomes(all)]).toEqual([200, ['NOT_FOUND']]);
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CMB-13 counts once against the session’s share of changes', async () => {
    const own = await givenBuying(service);
    const session = await service.sessionOf(own.buyer.id);
    service.advance(60_000);
    for (let taken = 0; taken < 499; taken += 1) service.changes.take(session);
    const items = Array.from({ length: 100 }, () => ({ op: 'add', ...own.body }));
    expect((await send({ items }, { token: own.buyer.token })).status).toBe(200);
    expect((await send({ items }, { token: own.buyer.token })).status).toBe(429);
    service.advance(60_000);
  });

  test('CMB-14 a thousand new rows with as many new nicks are done within a second or so, and others have their turn', async () => {
    const own = await givenBuying(service);
    const items = Array.from({ length: 1000 }, (_, index) => ({
      op: 'add',
      ...own.body,
      contractor: `many_${index}`,
      date: '2026-11-21',
      format: '1/24',
      paymentStatus: 'unpaid',
      creativeId: null,
    }));
    const began = scheduledTime();
    const sent = send({ items }, { token: own.buyer.token });
    const meanwhile = given();
    const first = await Promise.race([sent.then(() => 'the batch'), meanwhile.then(() => 'another change')]);
    const reply = await sent;
    expect(began.stop()).toBeLessThan(5000);
    expect([reply.status, results(reply).length, first]).toEqual([200, 1000, 'another change']);
    expect(new Set(results(reply).map(({ placement }) => placement?.contractorId)).size).toBe(1000);
  });

  test('CMB-15 equals the single calls, one after the other', async () => {
    const field = fc.oneof(
      fc.record({ price: fc.nat(2) }),
      fc.record({ leads: fc.nat(2) }),
      fc.record({ contractor: fc.constantFrom('one', 'two', '@ONE') }),
      fc.record({ status: fc.constantFrom('DONE', 'PENDING') }),
    );
    // A misshapen change of a row that is gone: its id is in the path of the call (404), but in the body of the batch (422).
    const added = fc.oneof(field, fc.record({ price: fc.constant(-1) }), fc.record({ contractor: fc.constant('') }));
    const row = fc.nat(2);
    const base = fc.option(fc.nat(3), { nil: undefined });
    const step = fc.oneof(
      fc.record({ op: fc.constant('add' as const), row: fc.constant(0), base: fc.constant(undefined), members: added }),
      fc.record({ op: fc.constant('change' as const), row, base, members: field }),
      fc.record({ op: fc.constant('payment' as const), row, base, members: fc.constant({}) }),
      fc.record({ op: fc.constant('delete' as const), row, base, members: fc.constant({}) }),
      fc.record({ op: fc.constant('restore' as const), row, base: fc.constant(undefined), members: fc.constant({}) }),
    );
    const [left, right] = [await givenBuying(service), await givenBuying(service)];
    const method = { add: 'POST', change: 'PATCH', payment: 'POST', delete: 'DELETE', restore: 'POST' } as const;
    /** What does not hang on the licence it happened in. */
    const bare = (placement: object | null | undefined, code: string | undefined): object => {
      const { price, leads, status, paymentStatus, revision } = (placement ?? {}) as Record<string, unknown>;
      return { price, leads, status, paymentStatus, revision, code };
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        service.advance(20_000);
        const rowsOf = async ({ buyer, body }: typeof left) => {
          const rows: string[] = [];
          for (let made = 0; made < 3; made += 1) rows.push((await givenPlacement(service, buyer.token, body)).id);
          return rows;
        };
        const [rowsLeft, rowsRight] = [await rowsOf(left), await rowsOf(right)];
        const batch = await send(
          {
            atomic: false,
            items: steps.map(({ op, row: index, base: baseRevision, members }) =>
              op === 'add'
                ? { op, ...left.body, ...members }
                : { op, placementId: rowsLeft[index], baseRevision, ...members },
            ),
          },
          { token: left.buyer.token },
        );
        const singly: object[] = [];
        for (const { op, row: index, base: baseRevision, members } of steps) {
          const id = rowsRight[index] ?? '';
          const own = `/${id}`;
          const path = { add: '', change: own, payment: `${own}/payment`, delete: own, restore: `${own}/restore` }[op];
          const query = op === 'delete' && baseRevision !== undefined ? `?baseRevision=${baseRevision}` : '';
          const body = op === 'add' ? { ...right.body, ...members } : { baseRevision, ...members };
          const { status, body: reply } = await service.call(
            method[op],
            `/placements${path}${query}`,
            op === 'delete' ? undefined : body,
            { token: right.buyer.token },
          );
          singly.push(bare(status === 200 ? reply.data.placement : null, status === 200 ? undefined : reply.code));
        }
        expect(results(batch).map(({ placement, problem }) => bare(placement, problem?.code))).toEqual(singly);
      }),
      { numRuns: 30 },
    );
  });
});
