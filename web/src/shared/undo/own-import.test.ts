import type { ImportWire } from '@zakup/contracts/imports';
import { afterEach, describe, expect, it } from 'vitest';
import type { Entry } from '../outbox/entry.ts';
import type { SendResult } from '../outbox/transport.ts';
import { memoryReplica } from '../replica/replica.ts';
import { importDocument, undoOfImport } from '../testing/import-document.ts';
import { openedOutbox } from '../testing/outbox.ts';
import { placementDocument } from '../testing/placement-document.ts';
import { toasts, toastStore } from '../toasts/toasts.ts';
import { OwnActions } from './own-actions.ts';

const begun = importDocument({ status: 'running', done: 0, added: 0, changed: 0, position: null });
const label = 'Импорт: 1 200 строк, файл закуп.csv';

/** A person at a server that answers so, who has begun an import. */
const setUp = async (
  answer: (entry: Entry) => SendResult = () => ({ kind: 'accepted', position: 20, revision: null }),
) => {
  const sent: Entry[] = [];
  const replica = memoryReplica();
  const bring = (doc: ImportWire | null, position: number): void =>
    void replica.apply({ scope: 'me', position, last: true, docs: [{ kind: 'import', id: 'i1', position, doc }] });
  const placement = placementDocument({ id: 'p1', revision: 1, contractorId: 'k', price: 5000 });
  replica.apply({
    scope: 'campaign:c',
    position: 1,
    last: true,
    docs: [{ kind: 'placement', id: 'p1', position: 1, doc: placement }],
  });
  bring(begun, 2);
  const outbox = await openedOutbox(
    async (entry) => {
      sent.push(entry);
      return answer(entry);
    },
    { replica },
  );
  const items = new Map<string, string>();
  const storage: Pick<Storage, 'getItem' | 'setItem'> = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
  const open = () => new OwnActions({ outbox, replica, storage, key: 'own' });
  const own = open();
  own.addImport(begun);
  const states = (of = own): readonly string[] =>
    of.list().map(({ action, state }) => `${action.label.replaceAll('\u00a0', ' ')}: ${state}`);
  const undos = (): readonly unknown[] =>
    sent.flatMap(({ path, body }) => (path === '/api/undo' ? body['commandId'] : []));
  return { own, open, outbox, bring, states, undos, sent };
};

const texts = (): readonly string[] => toastStore.read().shown.map(({ text }) => text.replaceAll('\u00a0', ' '));

describe('own imports', () => {
  afterEach(() => {
    for (const { id } of toastStore.read().shown) toasts.dismiss(id);
  });

  it('UND-2683 an import is an action once it has ended: undone after a question, followed to its end, and repeated', async () => {
    const { own, open, bring, states, undos, sent } = await setUp();
    expect(states()).toEqual([]);
    bring(importDocument(), 9);
    expect(states()).toEqual([`${label}: done`]);
    own.undoLast();
    expect([own.question()?.imported, undos()]).toMatchObject([{ added: 1190, changed: 10 }, []]);
    own.answer(false);
    expect([own.question(), states(), undos()]).toEqual([null, [`${label}: done`], []]);
    own.undoLast();
    own.answer(true);
    await expect.poll(texts).toEqual([`Отменяется: ${label}`]);
    expect(undos()).toEqual(['i1']);
    bring(importDocument({ position: null, undo: undoOfImport() }), 20);
    expect(states()).toEqual([`${label}: busy`]);
    expect(states(open())).toEqual([`${label}: busy`]);
    const commandId = sent[0]?.id ?? '';
    bring(importDocument({ position: 25, undo: undoOfImport({ commandId, status: 'done', done: 1200, kept: 3 }) }), 25);
    expect(states()).toEqual([`${label}: undone`]);
    expect(texts()).toEqual([`Отменено: ${label}. Остались как есть: 3`]);
    own.redoLast();
    await expect.poll(undos).toEqual(['i1', sent[0]?.id]);
  });

  it('UND-2684 it is the newest until something else is done, and one that wrote nothing is none', async () => {
    const { own, outbox, bring, states, sent } = await setUp();
    bring(importDocument({ status: 'cancelled', done: 0, added: 0, changed: 0 }), 9);
    expect(states()).toEqual([]);
    bring(importDocument({ status: 'cancelled', done: 250, added: 250, changed: 0 }), 10);
    outbox.issue({
      target: { kind: 'placement', id: 'p1' },
      method: 'PATCH',
      path: '/api/placements/p1',
      body: { price: 5400 },
      baseRevision: 1,
      label: 'Цена',
      scope: 'campaign:c',
    });
    await expect.poll(() => sent.length).toBe(1);
    expect(new Set(states())).toEqual(new Set([`${label}: done`, 'Цена: done']));
    own.undo('i1');
    expect(own.question()?.imported).toMatchObject({ added: 250, changed: 0 });
  });

  it('UND-3701 an import of one row, of which no change is known here, is chosen about as a whole', async () => {
    const by = { userId: 'ilya', name: 'Илья' };
    const conflicts = [{ field: 'price', base: 2, mine: 1, theirs: 3, by, at: '2026-11-21T11:00:00.000Z' }];
    const undo = { placements: 1, changed: 1 };
    const { own, bring } = await setUp(() => ({ kind: 'rejected', code: 'CONFLICT', reason: '', conflicts, undo }));
    bring(importDocument({ added: 0, changed: 1 }), 9);
    own.undoLast();
    own.answer(true);
    await expect.poll(() => own.conflict()).toMatchObject({ rows: undo, byField: false });
  });

  it('UND-3470 where others changed some of it since, the person chooses what becomes of that; the rest goes back and comes again', async () => {
    const by = { userId: 'ilya', name: 'Илья' };
    const conflicts = [{ field: 'price', base: 2, mine: 1, theirs: 3, by, at: '2026-11-21T11:00:00.000Z' }];
    const { own, bring, states, sent } = await setUp(({ body }) =>
      body['onConflict'] === undefined
        ? { kind: 'rejected', code: 'CONFLICT', reason: '', conflicts, undo: { placements: 1200, changed: 1 } }
        : { kind: 'accepted', position: 20, revision: null },
    );
    bring(importDocument(), 9);
    own.undoLast();
    own.answer(true);
    await expect.poll(() => own.conflict()).toMatchObject({ way: 'undo', rows: { placements: 1200, changed: 1 } });
    expect(states()).toEqual([`${label}: done`]);
    own.choose('skip', new Set());
    expect(own.conflict()).toBeNull();
    await expect.poll(texts).toEqual([`Отменяется: ${label}`]);
    expect(sent.at(-1)?.body).toEqual({ commandId: 'i1', onConflict: 'skip' });
    const undo = undoOfImport({ commandId: sent.at(-1)?.id ?? '', status: 'done', done: 1200, kept: 1 });
    bring(importDocument({ position: 25, undo }), 25);
    expect(texts()).toEqual([`Отменено: ${label}. Остались как есть: 1`]);
    own.redoLast();
    await expect.poll(() => sent.at(-1)?.body).toEqual({ commandId: undo.commandId });
  });

  it('UND-2685 what the server refuses stays done and is told in its words', async () => {
    const { own, bring, states } = await setUp(() => ({
      kind: 'rejected',
      code: 'IMPORT_RUNNING',
      reason: 'В эту кампанию уже идёт импорт',
    }));
    bring(importDocument(), 9);
    own.undoLast();
    own.answer(true);
    await expect.poll(texts).toEqual([`Не отменено: ${label}. В эту кампанию уже идёт импорт`]);
    expect([own.conflict(), states()]).toEqual([null, [`${label}: done`]]);
  });

  it('UND-3471 one that the person took back in the list of imports or in another browser is repeated by keys as any', async () => {
    const { own, bring, states, undos } = await setUp(() => ({ kind: 'accepted', position: 35, revision: null }));
    bring(importDocument(), 9);
    bring(importDocument({ position: null, undo: undoOfImport({ commandId: 'there' }) }), 20);
    bring(importDocument({ position: 25, undo: undoOfImport({ commandId: 'there', status: 'done', done: 1200 }) }), 25);
    expect(states()).toEqual([`${label}: undone`]);
    own.redoLast();
    await expect.poll(undos).toEqual(['there']);
    await expect.poll(texts).toEqual([`Повторяется: ${label}`]);
    const restored = undoOfImport({ commandId: 'again', restores: true, status: 'done', done: 1200 });
    bring(importDocument({ position: 40, undo: restored }), 40);
    expect(states()).toEqual([`${label}: done`]);
    own.undoLast();
    own.answer(true);
    await expect.poll(undos).toEqual(['there', 'i1']);
  });

  it('UND-2686 an undo that stopped half way can go on; one of another person is told, and is not repeated here', async () => {
    const { own, bring, states, undos } = await setUp();
    bring(importDocument(), 9);
    own.undoLast();
    own.answer(true);
    await expect.poll(texts).toEqual([`Отменяется: ${label}`]);
    bring(importDocument({ position: 22, undo: undoOfImport({ status: 'failed', code: 'CAMPAIGN_COMPLETED' }) }), 22);
    expect(texts()).toEqual([`${label}. Отмена прервана: 250 из 1 200`]);
    expect(states()).toEqual([`${label}: done`]);
    const other = await setUp();
    other.bring(importDocument({ undo: undoOfImport({ status: 'done', by: 'lead' }) }), 30);
    expect(other.states()).toEqual([`${label}: undone`]);
    other.own.redo('i1');
    expect(texts()).toContain('Импорт отменил другой сотрудник: повторить его может только он');
    expect([undos(), other.undos()]).toEqual([['i1'], []]);
  });
});
