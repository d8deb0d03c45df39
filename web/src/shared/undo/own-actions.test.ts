import { afterEach, describe, expect, it } from 'vitest';
import { batchDraft, type PartResult } from '../outbox/batch.ts';
import type { CommandDraft, Entry } from '../outbox/entry.ts';
import { memoryEntryStore } from '../outbox/entry-store.ts';
import type { SendResult } from '../outbox/transport.ts';
import { memoryReplica } from '../replica/replica.ts';
import { openedOutbox } from '../testing/outbox.ts';
import { placementDocument } from '../testing/placement-document.ts';
import { toasts, toastStore } from '../toasts/toasts.ts';
import { maxActions } from './own-action.ts';
import { carriedOut } from './carried-out.ts';
import { OwnActions, type OwnActionsDeps } from './own-actions.ts';
import { offerUndo } from './undo-requests.ts';

const rows = ['p1', 'p2', 'p3'];

const memoryStorage = (): Pick<Storage, 'getItem' | 'setItem'> => {
  const items = new Map<string, string>();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => void items.set(key, value) };
};

const price = (id: string, value: number): CommandDraft => ({
  target: { kind: 'placement', id },
  method: 'PATCH',
  path: `/api/placements/${id}`,
  body: { price: value },
  baseRevision: 1,
  label: `Цена: ${value}`,
  scope: 'campaign:c',
});

const accepted: SendResult = { kind: 'accepted', position: 50, revision: 2 };

/** A server that carries out what it is sent unless told otherwise. */
const setUp = async (answer: (entry: Entry) => SendResult | Promise<SendResult> = () => accepted) => {
  const sent: Entry[] = [];
  const replica = memoryReplica();
  const docs = rows.map((id) => ({
    kind: 'placement' as const,
    id,
    position: 1,
    doc: placementDocument({ id, revision: 1, contractorId: 'k', price: 5000 }),
  }));
  const contractor = { kind: 'contractor' as const, id: 'k', position: 1, doc: { id: 'k', adminUsername: '@nick' } };
  replica.apply({ scope: 'campaign:c', position: 1, last: true, docs: [...docs, contractor] });
  const outbox = await openedOutbox(
    async (entry) => {
      sent.push(entry);
      return answer(entry);
    },
    { replica },
  );
  const storage = memoryStorage();
  const open = (more: Partial<OwnActionsDeps> = {}) =>
    new OwnActions({ outbox, replica, storage, key: 'own', ...more });
  /** The server has said what became of it, and the replica shows it. */
  const settled = (path = '/api/placements/') =>
    expect
      .poll(() => outbox.entries().filter((entry) => entry.path.startsWith(path) && entry.state.kind === 'pending'))
      .toEqual([]);
  return { outbox, replica, storage, sent, open, settled };
};

const toastTexts = (): readonly string[] => toastStore.read().shown.map(({ text }) => text.replaceAll('\u00a0', ' '));

describe('own actions', () => {
  afterEach(() => {
    for (const { id } of toastStore.read().shown) toasts.dismiss(id);
  });

  it('UND-2240 the last change is undone and repeated by commands of their own, each undoing the one before', async () => {
    const { outbox, sent, open, settled } = await setUp();
    const own = open();
    outbox.issue(price('p1', 5400));
    await settled();
    own.undoLast();
    await expect.poll(toastTexts).toEqual(['Отменено: @nick, цена 5 400 ₽ → 5 000 ₽']);
    own.redoLast();
    await expect.poll(toastTexts).toEqual(['Повторено: @nick, цена 5 000 ₽ → 5 400 ₽']);
    own.undoLast();
    await expect.poll(toastTexts).toEqual(['Отменено: @nick, цена 5 400 ₽ → 5 000 ₽']);
    const [change, undo, redo, again] = sent;
    expect([undo, redo, again].map((one) => [one?.path, one?.body['commandId']])).toEqual([
      ['/api/undo', change?.id],
      ['/api/undo', undo?.id],
      ['/api/undo', redo?.id],
    ]);
    expect([undo?.gives, redo?.gives]).toEqual([{ price: 5000 }, { price: 5400 }]);
  });

  it('UND-2690 what was carried out and left the outbox before this was there is listed and undone; without such a command it says so', async () => {
    const { outbox, replica, sent, open, settled } = await setUp();
    const before = carriedOut(outbox);
    outbox.issue(price('p1', 5400));
    outbox.issue({ ...price('p2', 5600), path: '/api/undo' });
    await settled();
    replica.apply({ scope: 'campaign:c', position: 60, last: true, docs: [] });
    await expect.poll(() => outbox.entries()).toEqual([]);
    const own = open({ earlier: before.entries() });
    const id = sent[0]?.id ?? '';
    expect(own.list().map(({ action, state }) => [action.id, action.label, state])).toEqual([
      [id, 'Цена: 5400', 'done'],
    ]);
    own.undo(id);
    await expect.poll(() => sent.at(-1)?.body).toEqual({ commandId: id });
    expect(open({ earlier: before.entries() }).list()).toHaveLength(1);
    own.undo('unknown');
    expect(toastTexts()).toContain('Отменять нечего');
  });

  it('UND-2256 what is repeated before the server has undone it is repeated then, unless it is undone again', async () => {
    const held: (() => void)[] = [];
    const { outbox, sent, open, settled } = await setUp((entry) =>
      entry.path === '/api/undo' && held.length === 0
        ? new Promise((resolve) => held.push(() => resolve(accepted)))
        : accepted,
    );
    const own = open();
    outbox.issue(price('p1', 5400));
    await settled();
    own.undoLast();
    await expect.poll(() => held.length).toBe(1);
    own.redoLast();
    own.undoLast();
    own.redoLast();
    held[0]?.();
    await expect.poll(toastTexts).toEqual(['Повторено: @nick, цена 5 000 ₽ → 5 400 ₽']);
    const [, undo, redo] = sent;
    expect([sent.length, redo?.body['commandId']]).toEqual([3, undo?.id]);
  });

  it('UND-2241 what was done is known after a reload, in the order in which it was done, and at most a hundred', async () => {
    const { outbox, sent, open, settled } = await setUp();
    open().close();
    const first = open();
    for (let at = 0; at <= maxActions; at += 1) outbox.issue(price('p1', 6000 + at));
    await settled();
    expect(first.list()).toHaveLength(maxActions);
    first.close();
    const second = open();
    expect(
      second
        .list()
        .map(({ action }) => action.label)
        .slice(0, 2),
    ).toEqual(['Цена: 6100', 'Цена: 6099']);
    second.undoLast();
    second.undoLast();
    await settled('/api/undo');
    const changes = sent.filter(({ path }) => path !== '/api/undo');
    const undone = sent.filter(({ path }) => path === '/api/undo').map(({ body }) => body['commandId']);
    expect(undone).toEqual([changes.at(-1)?.id, changes.at(-2)?.id]);
    second.close();
    const third = open();
    third.redoLast();
    await settled('/api/undo');
    expect(
      third
        .list()
        .slice(0, 3)
        .map(({ state }) => state),
    ).toEqual(['undone', 'done', 'done']);
  });

  it('UND-2242 after a new change nothing is repeated by keys', async () => {
    const { outbox, sent, open, settled } = await setUp();
    const own = open();
    outbox.issue(price('p1', 5400));
    await settled();
    own.undoLast();
    await settled('/api/undo');
    outbox.issue(price('p2', 100));
    await settled();
    own.redoLast();
    expect(toastTexts()).toContain('Повторять нечего');
    expect(sent.filter(({ path }) => path === '/api/undo')).toHaveLength(1);
  });

  it('UND-2243 what was never sent is taken back without the server, and issued anew when it is repeated', async () => {
    const { outbox, sent, open } = await setUp(() => ({ kind: 'later', retryAfterSeconds: null }));
    const own = open();
    outbox.issue(price('p1', 5400));
    await expect.poll(() => sent.length).toBe(1);
    await expect.poll(() => outbox.entries()[0]?.state).toEqual({ kind: 'pending', held: true });
    outbox.issue(price('p2', 100));
    await expect.poll(() => outbox.entries().length).toBe(2);
    own.undoLast();
    expect(outbox.entries().map(({ target }) => target.id)).toEqual(['p1']);
    own.redoLast();
    expect(outbox.entries().map(({ target, path }) => [target.id, path])).toEqual([
      ['p1', '/api/placements/p1'],
      ['p2', '/api/placements/p2'],
    ]);
    own.undoLast();
    // This one may be on the server: it is undone behind it.
    own.undoLast();
    expect(outbox.entries().map(({ target, path }) => [target.id, path])).toEqual([
      ['p1', '/api/placements/p1'],
      ['p1', '/api/undo'],
    ]);
    expect(own.list().map(({ action, state }) => [action.target.id, state])).toEqual([
      ['p2', 'undone'],
      ['p1', 'busy'],
    ]);
  });

  it('UND-2244 a batch is one action of what was carried out of it', async () => {
    const results: PartResult[] = [
      { kind: 'accepted', revision: 2 },
      { kind: 'rejected', code: 'NOT_FOUND', reason: 'Размещение не найдено' },
      { kind: 'accepted', revision: 2 },
    ];
    const { outbox, sent, open, settled } = await setUp(({ parts }) =>
      parts === undefined ? accepted : { ...accepted, parts: results },
    );
    const own = open();
    outbox.issue(
      batchDraft(
        rows.map((id) => price(id, 700)),
        'Заполнение вниз: 3 ячейки',
      ),
    );
    await settled();
    expect(own.list().map(({ action }) => action.changes.map(({ id, before }) => [id, before]))).toEqual([
      [
        ['p1', { price: 5000 }],
        ['p3', { price: 5000 }],
      ],
    ]);
    own.undoLast();
    await expect.poll(toastTexts).toEqual(['Отменено: Заполнение вниз: 3 ячейки']);
    own.undoLast();
    expect(toastTexts()).toContain('Отменять нечего');
    expect(sent.map(({ path }) => path)).toEqual(['/api/placements/batch', '/api/undo']);
  });

  const theirs = {
    field: 'price',
    base: 5400,
    mine: 5000,
    theirs: 5200,
    by: { userId: 'ilya', name: 'Илья Кравцов' },
    at: '2026-11-21T11:00:00.000Z',
  };
  const refusing = ({ path }: Entry): SendResult =>
    path === '/api/undo'
      ? { kind: 'rejected', code: 'CONFLICT', reason: 'Данные изменились', conflicts: [theirs] }
      : accepted;

  it('UND-2245 where somebody changed the field since, the choice of before is an ordinary change on the revision of now', async () => {
    const { outbox, replica, sent, open, settled } = await setUp(refusing);
    const own = open();
    outbox.issue(price('p1', 5400));
    await settled();
    const doc = placementDocument({ id: 'p1', revision: 7, contractorId: 'k', price: 5200 });
    replica.apply({
      scope: 'campaign:c',
      position: 60,
      last: true,
      docs: [{ kind: 'placement', id: 'p1', position: 60, doc }],
    });
    own.undoLast();
    await expect.poll(() => own.conflict()?.conflicts).toEqual([theirs]);
    expect(outbox.entries().filter(({ path }) => path === '/api/undo')).toEqual([]);
    own.resolve(new Set());
    await settled();
    expect(sent.at(-1)).toMatchObject({
      method: 'PATCH',
      path: '/api/placements/p1',
      body: { price: 5000 },
      baseRevision: 7,
    });
    expect(own.list().map(({ action, state }) => [action.label, state])).toEqual([
      ['Вернуть прежнее: Цена: 5400', 'done'],
      ['Цена: 5400', 'left'],
    ]);
  });

  it('UND-2246 where the value of now is left nothing is sent, and the keys go on to the change before', async () => {
    const { outbox, sent, open, settled } = await setUp(refusing);
    const own = open();
    outbox.issue(price('p2', 100));
    outbox.issue(price('p1', 5400));
    await settled();
    own.undoLast();
    await expect.poll(() => own.conflict()).not.toBeNull();
    own.resolve(null);
    expect(own.conflict()).toBeNull();
    const before = sent.length;
    own.undoLast();
    await expect.poll(() => sent.length).toBe(before + 1);
    expect(sent.at(-1)?.target.id).toBe('p2');
  });

  it('UND-2247 of a batch in conflict everything else goes back in one command with what was chosen', async () => {
    const { outbox, sent, open, settled } = await setUp((entry) =>
      entry.parts === undefined
        ? { kind: 'rejected', code: 'CONFLICT', reason: '', conflicts: [{ ...theirs, entity: 'placement:p2' }] }
        : { ...accepted, parts: entry.parts.map(() => ({ kind: 'accepted', revision: 2 })) },
    );
    const own = open();
    outbox.issue(
      batchDraft(
        rows.map((id) => price(id, 700)),
        'Заполнение вниз: 3 ячейки',
      ),
    );
    await settled();
    own.undoLast();
    await expect.poll(() => own.conflict()?.known).toBe(true);
    own.resolve(new Set(['p2 price']));
    await settled();
    expect(sent.at(-1)?.parts?.map(({ target, body }) => [target.id, body])).toEqual([
      ['p1', { price: 5000 }],
      ['p3', { price: 5000 }],
    ]);
  });

  it('UND-3472 of a batch in conflict the rest goes back by one command of its own, which is undone in its turn', async () => {
    let rest: Entry | undefined;
    const { outbox, sent, open, settled } = await setUp((entry) =>
      entry.path === '/api/undo' && entry.body['onConflict'] === undefined && entry.body['commandId'] !== rest?.id
        ? {
            kind: 'rejected',
            code: 'CONFLICT',
            reason: '',
            conflicts: [{ ...theirs, entity: 'placement:p2' }],
            undo: { placements: 3, changed: 1 },
          }
        : { ...accepted, ...(entry.parts && { parts: entry.parts.map(() => ({ kind: 'accepted', revision: 2 })) }) },
    );
    const own = open();
    const drafts = rows.map((id) => price(id, 700));
    const id = outbox.issue(batchDraft(drafts, 'Заполнение вниз: 3 ячейки'));
    await settled();
    own.undoLast();
    await expect.poll(() => own.conflict()?.rows).toEqual({ placements: 3, changed: 1 });
    own.choose('skip', new Set());
    await expect.poll(toastTexts).toEqual(['Отменено: Заполнение вниз: 3 ячейки. Остались как есть: 1']);
    rest = sent.at(-1);
    expect(rest?.body).toEqual({ commandId: id, onConflict: 'skip' });
    own.redoLast();
    await expect.poll(toastTexts).toEqual(['Повторено: Заполнение вниз: 3 ячейки']);
    expect(sent.at(-1)?.body).toEqual({ commandId: rest?.id });
  });

  it('UND-3530 of a few cells in conflict each can be chosen: the rest goes back by the undo, the chosen by ordinary changes', async () => {
    const conflicts = ['p1', 'p2'].map((id) => ({ ...theirs, entity: `placement:${id}` }));
    const { outbox, sent, open, settled } = await setUp((entry) =>
      entry.path === '/api/undo' && entry.body['onConflict'] === undefined
        ? { kind: 'rejected', code: 'CONFLICT', reason: '', conflicts, undo: { placements: 3, changed: 2 } }
        : { ...accepted, ...(entry.parts && { parts: entry.parts.map(() => ({ kind: 'accepted', revision: 2 })) }) },
    );
    const own = open();
    const id = outbox.issue(
      batchDraft(
        rows.map((row) => price(row, 700)),
        'Вставка: 3 ячейки',
      ),
    );
    await settled();
    own.undoLast();
    await expect.poll(() => own.conflict()?.byField).toBe(true);
    own.choose('skip', new Set(['placement:p2 price']));
    await settled();
    expect(sent.slice(-2).map(({ path, body }) => [path, body])).toEqual([
      ['/api/undo', { commandId: id, onConflict: 'skip' }],
      ['/api/placements/p2', { price: 5000 }],
    ]);
    await expect.poll(toastTexts).toContain('Отменено: Вставка: 3 ячейки. Остались как есть: 1');
  });

  it('UND-3531 what is chosen as a whole is what others took, what is more than is listed, and what is not about fields', async () => {
    const clash = (id: string) => ({ ...theirs, entity: `placement:${id}` });
    const many = Array.from({ length: 6 }, (_, at) => ({ ...clash('p1'), field: `f${at}` }));
    for (const [conflicts, more] of [
      [[clash('p1')], { denied: 1 }],
      [[clash('p1')], { conflicts: 6 }],
      [many, {}],
      [[{ ...clash('p1'), field: 'deleted' }], {}],
    ] as const) {
      const { outbox, open, settled } = await setUp((entry) =>
        entry.path === '/api/undo'
          ? { kind: 'rejected', code: 'CONFLICT', reason: '', conflicts, undo: { placements: 3, changed: 1, ...more } }
          : { ...accepted, ...(entry.parts && { parts: entry.parts.map(() => ({ kind: 'accepted', revision: 2 })) }) },
      );
      const own = open();
      outbox.issue(
        batchDraft(
          rows.map((row) => price(row, 700)),
          'Вставка: 3 ячейки',
        ),
      );
      await settled();
      own.undoLast();
      await expect.poll(() => own.conflict()?.byField).toBe(false);
      own.close();
    }
  });

  /** Of whatever is undone the row `p1` alone is left, which others changed. */
  const setUpChanged = () =>
    setUp((entry) =>
      entry.path === '/api/undo'
        ? {
            kind: 'rejected',
            code: 'CONFLICT',
            reason: '',
            conflicts: [{ ...theirs, entity: 'placement:p1' }],
            undo: { placements: 1, changed: 1 },
          }
        : { ...accepted, ...(entry.parts && { parts: entry.parts.map(() => ({ kind: 'accepted', revision: 2 })) }) },
    );

  it('UND-3532 cells of one row that were changed at once are chosen field by field, as one cell is', async () => {
    const { outbox, open, settled } = await setUpChanged();
    const own = open();
    const paid: CommandDraft = {
      ...price('p1', 700),
      method: 'POST',
      path: '/api/placements/p1/payment',
      body: { paymentStatus: 'paid' },
    };
    outbox.issue(batchDraft([price('p1', 700), paid], 'Вставка: 2 ячейки'));
    await settled();
    own.undoLast();
    await expect.poll(() => own.conflict()).toMatchObject({ rows: null, byField: false });
  });

  it('UND-3700 of an action on many rows of which others left one, what the person chooses reaches that row alone', async () => {
    const { outbox, sent, open, settled } = await setUpChanged();
    const own = open();
    const drafts = rows.map((id) => price(id, 700));
    outbox.issue(batchDraft(drafts, 'Вставка: 3 ячейки'));
    await settled();
    own.undoLast();
    await expect
      .poll(() => own.conflict())
      .toMatchObject({ rows: { placements: 1, changed: 1 }, known: true, byField: true });
    own.choose('skip', new Set(['placement:p1 price']));
    await settled();
    expect(sent.slice(2).map(({ path, body }) => [path, body])).toEqual([['/api/placements/p1', { price: 5000 }]]);
  });

  it('UND-2248 what the server refuses to undo stays done, and why is said', async () => {
    const { outbox, open, settled } = await setUp(({ path }) =>
      path === '/api/undo' ? { kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'Кампания завершена' } : accepted,
    );
    const own = open();
    outbox.issue(price('p1', 5400));
    await settled();
    own.undoLast();
    await expect.poll(toastTexts).toEqual(['Не отменено: @nick, цена 5 000 ₽ → 5 400 ₽. Кампания завершена']);
    expect(own.list().map(({ state }) => state)).toEqual(['done']);
    expect(outbox.entries().filter(({ path }) => path === '/api/undo')).toEqual([]);
  });

  it('UND-2249 a deletion that is undone by a key is offered back no more, so that it is undone once', async () => {
    const { outbox, sent, open, settled } = await setUp();
    const own = open();
    const id = outbox.issue({ ...price('p1', 0), method: 'DELETE', body: { deleted: true }, label: 'Удаление: @nick' });
    await settled();
    offerUndo(id, 'Удалено: @nick');
    expect(toastTexts()).toEqual(['Удалено: @nick']);
    own.undoLast();
    await expect.poll(toastTexts).toEqual(['Отменено: Удаление: @nick']);
    own.undo(id);
    expect(sent.map(({ path }) => path)).toEqual(['/api/placements/p1', '/api/undo']);
  });

  it('UND-2250 an edit behind an undo in the same field is based on it, so that one does not conflict with oneself', async () => {
    const answers: ((result: SendResult) => void)[] = [];
    const { outbox, sent, open, settled } = await setUp((entry) =>
      entry.path === '/api/undo' ? new Promise((resolve) => void answers.push(resolve)) : accepted,
    );
    const own = open();
    outbox.issue(price('p1', 5400));
    await settled();
    own.undoLast();
    await expect.poll(() => answers.length).toBe(1);
    outbox.issue(price('p1', 5600));
    answers[0]?.({ kind: 'accepted', position: 51, revision: 3 });
    await settled();
    expect(sent.at(-1)).toMatchObject({ body: { price: 5600 }, baseRevision: 3 });
  });

  it('UND-2251 an undo that waits over a reload ends as it would have', async () => {
    const store = memoryEntryStore();
    const storage = memoryStorage();
    const replica = memoryReplica();
    let online = true;
    const send = async ({ path }: Entry): Promise<SendResult> => {
      if (path !== '/api/undo') return accepted;
      return online
        ? { kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: 'Кампания завершена' }
        : { kind: 'later', retryAfterSeconds: null };
    };
    const first = await openedOutbox(send, { store, replica });
    const own = new OwnActions({ outbox: first, replica, storage, key: 'own' });
    first.issue(price('p1', 5400));
    await expect.poll(() => own.list().map(({ state }) => state)).toEqual(['done']);
    online = false;
    own.undoLast();
    await expect
      .poll(() => first.entries().some(({ path, state }) => path === '/api/undo' && 'held' in state))
      .toBe(true);
    expect(own.list().map(({ state }) => state)).toEqual(['busy']);
    own.close();
    first.close();
    online = true;
    const second = await openedOutbox(send, { store, replica });
    const again = new OwnActions({ outbox: second, replica, storage, key: 'own' });
    await expect.poll(() => again.list().map(({ state }) => state)).toEqual(['done']);
    expect(toastTexts().at(-1)).toContain('Кампания завершена');
  });
});
