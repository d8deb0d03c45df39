import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Entry, EntryState } from '../shared/outbox/entry.ts';
import { type EntryStore, memoryEntryStore } from '../shared/outbox/entry-store.ts';
import { licence, stage } from '../shared/testing/stage.tsx';
import { KeptChanges } from './kept-changes.tsx';

afterEach(cleanup);

const entry = (id: string, state: EntryState, more: Partial<Entry> = {}): Entry => ({
  id,
  order: 1,
  issuedAt: 0,
  attempted: true,
  target: { kind: 'placement', id: `of ${id}` },
  method: 'PATCH',
  path: `/api/placements/${id}`,
  body: { price: 5400 },
  baseRevision: 1,
  label: 'Цена: 5 400 ₽',
  scope: 'campaign:k',
  state,
  ...more,
});
const pending = (count: number): readonly Entry[] =>
  Array.from({ length: count }, (_, index) => entry(`e${index}`, { kind: 'pending', held: true }));

/** One box of the browser, and the names under which boxes were asked for. */
const kept = async (entries: readonly Entry[]) => {
  const store = memoryEntryStore();
  for (const one of entries) await store.put(one);
  const asked: string[] = [];
  const storeFor = (box: string): Promise<EntryStore> => {
    asked.push(box);
    return Promise.resolve(store);
  };
  return { storeFor, asked };
};

it.each([
  [1, 'Ваши изменения целы: 1 ждёт отправки и уйдёт само.'],
  [3, 'Ваши изменения целы: 3 ждут отправки и уйдут сами.'],
  [11, 'Ваши изменения целы: 11 ждут отправки и уйдут сами.'],
])('ERR-1518 where the window failed it says that %d changes are kept and go by themselves', async (count, text) => {
  const { storeFor, asked } = await kept(pending(count));
  stage({ element: <KeptChanges storeFor={storeFor} /> });
  expect(await screen.findByText(text)).toBeDefined();
  expect(asked).toEqual([`${licence.id}:me`]);
});

it('ERR-1519 what waits for the person, or for what was refused, does not go by itself; without any the sentence is of what is saved', async () => {
  const refused: EntryState = { kind: 'rejected', code: 'VALIDATION_FAILED', reason: 'Цена слишком велика' };
  const making = entry('made', refused, { target: { kind: 'creative', id: 'c1' }, creates: true });
  const waits = entry('named', { kind: 'pending' }, { body: { creativeId: 'c1' } });
  const { storeFor } = await kept([
    making,
    waits,
    entry('contested', { kind: 'conflict', conflicts: [], revision: 2 }),
    ...pending(2),
  ]);
  stage({ element: <KeptChanges storeFor={storeFor} /> });
  expect(await screen.findByText('Ваши изменения целы: 2 ждут отправки и уйдут сами.')).toBeDefined();
  cleanup();
  stage({ element: <KeptChanges storeFor={(await kept([])).storeFor} /> });
  expect(await screen.findByText('Сохранённые данные целы.')).toBeDefined();
});
