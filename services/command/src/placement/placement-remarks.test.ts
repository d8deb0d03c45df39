import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenPlacement } from '../testing/given.ts';

describe('what is said of a placement: a comment and the address of its post', () => {
  let service: CommandService;
  let buying: Awaited<ReturnType<typeof givenBuying>>;
  beforeAll(async () => {
    service = await commandService();
    buying = await givenBuying(service);
  });
  afterAll(() => service.close());

  const send = (method: string, path: string, body: object, key?: string) =>
    service.call(method, path, body, { token: buying.buyer.token, ...(key !== undefined && { key }) });
  const add = (more: object) => send('POST', '/placements', { ...buying.body, ...more });
  const patch = (id: string, change: object, key?: string) => send('PATCH', `/placements/${id}`, change, key);
  const given = (more: object = {}) => givenPlacement(service, buying.buyer.token, { ...buying.body, ...more });

  test('CM-1683 are absent as an empty text and null, and stay where they are when they are not sent', async () => {
    expect(await given()).toMatchObject({ comment: '', postUrl: null });
    expect(await given({ comment: null, postUrl: null })).toMatchObject({ comment: '', postUrl: null });
    const said = { comment: 'Первая строка\nвторая', postUrl: 't.me/some/17' };
    const placement = await given(said);
    const kept = { comment: said.comment, postUrl: 'https://t.me/some/17' };
    expect(placement).toMatchObject(kept);
    expect((await patch(placement.id, { price: 5 })).body.data.placement).toMatchObject({ ...kept, price: 5 });
    const paid = await send('POST', `/placements/${placement.id}/payment`, { comment: 'нет', postUrl: null });
    expect(paid.body.data.placement).toMatchObject({ ...kept, paymentStatus: 'paid' });
  });

  test('CM-1684 are set and emptied; what is there already appends nothing', async () => {
    const { id } = await given();
    const set = await patch(id, { comment: ' Реклама в 18:00 ', postUrl: 'http://T.me/some/17' });
    expect(set.body.data.placement).toMatchObject({
      comment: 'Реклама в 18:00',
      postUrl: 'https://t.me/some/17',
      revision: 2,
    });
    const again = await patch(id, { comment: 'Реклама в 18:00', postUrl: 't.me/some/17' });
    expect(again.body.data.placement.revision).toBe(2);
    const emptied = await patch(id, { comment: '', postUrl: null });
    expect(emptied.body.data.placement).toMatchObject({ comment: '', postUrl: null, revision: 4 });
    expect((await patch(id, { comment: null, postUrl: null })).body.data.placement.revision).toBe(4);
  });

  test('CM-1685 have their limits and their texts', async () => {
    const { id } = await given();
    expect((await patch(id, { comment: 'я'.repeat(500) })).status).toBe(200);
    expect((await patch(id, { postUrl: `t.me/${'x'.repeat(187)}` })).status).toBe(200);
    for (const [change, pointer, error] of [
      [{ comment: 'я'.repeat(501) }, '/comment', 'Комментарий: не больше 500 символов'],
      [{ comment: 5 }, '/comment', 'Некорректный текст'],
      [{ comment: 'до\u0000после' }, '/comment', 'Некорректный текст'],
      [{ postUrl: '' }, '/postUrl', 'Некорректная ссылка на пост'],
      [{ postUrl: 17 }, '/postUrl', 'Некорректная ссылка на пост'],
      [{ postUrl: 'javascript:alert(1)' }, '/postUrl', 'Некорректная ссылка на пост'],
      [{ postUrl: 'https://example.com/t.me/some' }, '/postUrl', 'Некорректная ссылка на пост'],
      [{ postUrl: `t.me/${'x'.repeat(188)}` }, '/postUrl', 'Некорректная ссылка на пост'],
      [{ postUrl: 't.me/'.repeat(100_000) }, '/postUrl', 'Некорректная ссылка на пост'],
    ] as const) {
      for (const reply of [await patch(id, change), await add(change)])
        expect([reply.status, reply.body.code, reply.body.error, reply.body.errors?.[0]?.pointer]).toEqual([
          422,
          'VALIDATION_FAILED',
          error,
          pointer,
        ]);
    }
  });

  test('CM-1686 merge as every field: others are none of its business, its own change is a conflict', async () => {
    const { id, revision } = await given({ comment: 'Было' });
    await patch(id, { comment: 'Чужое' });
    const other = await patch(id, { postUrl: 't.me/some/1', baseRevision: revision });
    expect(other.body.data.placement).toMatchObject({ comment: 'Чужое', postUrl: 'https://t.me/some/1' });
    const clash = await patch(id, { comment: 'Моё', baseRevision: revision });
    expect([clash.status, clash.body.code]).toEqual([409, 'CONFLICT']);
    expect(clash.body.conflicts).toMatchObject([{ field: 'comment', base: 'Было', theirs: 'Чужое', mine: 'Моё' }]);
    const unsaid = await patch(id, { postUrl: null, baseRevision: other.body.data.placement.revision });
    expect(unsaid.body.data.placement.postUrl).toBeNull();
    const late = await patch(id, { postUrl: 't.me/some/2', baseRevision: other.body.data.placement.revision });
    expect(late.body.conflicts).toMatchObject([
      { field: 'postUrl', base: 'https://t.me/some/1', theirs: null, mine: 'https://t.me/some/2' },
    ]);
  });

  test('CM-1687 go with a batch, and go back with an undo', async () => {
    const placement = await given({ comment: 'Было', postUrl: 't.me/some/1' });
    const command = randomUUID();
    const batch = await send(
      'POST',
      '/placements/batch',
      {
        items: [
          { op: 'change', placementId: placement.id, comment: 'Стало', postUrl: null },
          { op: 'add', ...buying.body, comment: 'Новое', postUrl: 't.me/some/3' },
        ],
      },
      command,
    );
    expect(batch.body.data.results).toMatchObject([
      { ok: true, placement: { comment: 'Стало', postUrl: null } },
      { ok: true, placement: { comment: 'Новое', postUrl: 'https://t.me/some/3' } },
    ]);
    expect((await send('POST', '/undo', { commandId: command })).status).toBe(200);
    expect((await patch(placement.id, { price: 7 })).body.data.placement).toMatchObject({
      comment: 'Было',
      postUrl: 'https://t.me/some/1',
    });
  });
});
