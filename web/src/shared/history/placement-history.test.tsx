import { screen, waitFor, within } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import { messages } from '@zakup/domain/messages';
import { expect, it } from 'vitest';
import { type Answer, type Call, stage } from '../testing/stage.tsx';
import { PlacementHistory } from './placement-history.tsx';

const entry = (over: Partial<HistoryEntry>): HistoryEntry => ({
  position: 1,
  revision: 1,
  at: '2026-11-21T11:41:52.000Z',
  actor: { userId: 'anna', name: 'Анна Соколова' },
  commandId: '00000000-0000-4000-8000-000000000001',
  source: 'screen',
  reason: null,
  causedBy: null,
  event: 'PlacementPriceChanged',
  entity: { kind: 'placement', id: 'p1', name: '@kitchen_ads' },
  campaign: { id: 'c1', name: 'Ноябрь | Подписчики' },
  changes: [{ field: 'price', from: 5100, to: 5200 }],
  ...over,
});
const made = entry({
  revision: 0,
  event: 'PlacementAdded',
  at: '2026-11-19T09:20:00.000Z',
  actor: { userId: 'ilya', name: 'Илья Ким' },
  changes: [
    { field: 'price', from: null, to: 5100 },
    { field: 'creativeId', from: null, to: 'cr1', toName: 'Секрет шефа' },
    { field: 'format', from: null, to: '1/24' },
  ],
});
const priced = entry({ position: 2 });
const paid = entry({
  position: 3,
  revision: 2,
  event: 'PlacementMarkedPaid',
  source: 'phone',
  late: true,
  changes: [{ field: 'paymentStatus', from: 'unpaid', to: 'paid' }],
});

const open = (serve: (call: Call) => Answer, readOnly = false) => {
  let closed = 0;
  const staged = stage({
    element: (
      <PlacementHistory
        placementId="p1"
        nick="@kitchen_ads"
        readOnly={readOnly}
        onClose={() => {
          closed += 1;
        }}
      />
    ),
    serve,
  });
  return { ...staged, closed: () => closed };
};
const answering =
  (entries: readonly HistoryEntry[], change: (call: Call) => Answer = () => ({ data: {} })) =>
  (call: Call): Answer =>
    call.method === 'GET' ? { data: { entries } } : change(call);

it('PHI-1 tells who changed what, newest first, in outside form', async () => {
  open(answering([made, priced, paid]));
  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => item.textContent?.replaceAll(/\s/gu, ' '))).toEqual([
    'АСАнна Соколова21 НОЯБРЯ | СУББОТА, 14:41телефонпосле завершения кампанииОплата Не оплачено →, стало ОплаченоВернуть «Не оплачено»',
    'АСАнна Соколова21 НОЯБРЯ | СУББОТА, 14:41экранЦена 5 100 ₽ →, стало 5 200 ₽Вернуть 5 100 ₽',
    'ИКИлья Ким19 НОЯБРЯ | ЧЕТВЕРГ, 12:20экранСоздано 5 100 ₽, Секрет шефа, 1/24',
  ]);
});

it('WLO-52 leads to the same row in the journal, and closes', async () => {
  const { user, closed } = open(answering([made, priced]));
  const link = await screen.findByRole('link', { name: 'Показать в журнале' });
  expect(link.getAttribute('href')).toBe('/journal?entity=placement%3Ap1');
  await user.click(link);
  expect(closed()).toBe(1);
});

it('PHI-2 gives a field the value of before, on the revision of its change, and reads the history anew', async () => {
  const { user, calls } = open(answering([made, priced]));
  await user.click(await screen.findByRole('button', { name: /Вернуть 5.100/u }));
  const dialog = within(await screen.findByRole('dialog', { name: /Вернуть 5.100/u }));
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: /Вернуть 5.100/u }));
  await waitFor(() => expect(calls.filter(({ method }) => method === 'GET')).toHaveLength(2));
  expect(calls.find(({ method }) => method !== 'GET')).toMatchObject({
    method: 'PATCH',
    path: '/api/placements/p1',
    body: { price: 5100, baseRevision: 1 },
  });
});

it('PHI-3 a value set since is shown with who set it, and goes back only when that is wanted', async () => {
  let refusals = 0;
  const { user, calls } = open(
    answering([made, priced], () => {
      refusals += 1;
      if (refusals > 1) return { data: {} };
      const by = { userId: 'ilya', name: 'Илья Ким' };
      const conflict = { field: 'price', base: 5200, theirs: 5300, mine: 5100, by, at: '2026-11-21T11:50:00.000Z' };
      return { problem: { code: 'CONFLICT', message: messages.conflict, conflicts: [conflict], revision: 7 } };
    }),
  );
  await user.click(await screen.findByRole('button', { name: /Вернуть 5.100/u }));
  const dialog = within(await screen.findByRole('dialog', { name: /Вернуть 5.100/u }));
  await user.click(dialog.getByRole('button', { name: /Вернуть 5.100/u }));
  expect((await dialog.findByRole('alert')).textContent).toMatch(/Цена: Илья Ким, 21 ноября, 14:50: 5.300/u);
  await user.click(dialog.getByRole('button', { name: 'Всё равно вернуть' }));
  await waitFor(() => expect(calls.at(-2)?.body).toEqual({ price: 5100, baseRevision: 7 }));
});

it('PHI-4 a completed campaign shows its history and changes nothing', async () => {
  open(answering([made, priced]), true);
  await screen.findAllByRole('listitem');
  expect(screen.queryByRole('button', { name: /Вернуть/u })).toBeNull();
});

it('PHI-5 says why it is not there, and tries again', async () => {
  let asked = 0;
  const { user } = open(() => {
    asked += 1;
    return asked === 1 ? 'no answer' : { data: { entries: [made] } };
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Не загрузилось');
  await user.click(screen.getByRole('button', { name: 'Повторить' }));
  expect(await screen.findAllByRole('listitem')).toHaveLength(1);
});

it('PHI-6 a refusal is said in the confirmation', async () => {
  const { user } = open(
    answering([made, priced], () => ({
      problem: { code: 'CAMPAIGN_COMPLETED', message: messages.campaignCompleted },
    })),
  );
  await user.click(await screen.findByRole('button', { name: /Вернуть 5.100/u }));
  const dialog = within(await screen.findByRole('dialog', { name: /Вернуть 5.100/u }));
  await user.click(dialog.getByRole('button', { name: /Вернуть 5.100/u }));
  expect((await dialog.findByRole('alert')).textContent).toBe(messages.campaignCompleted);
});

it('PHI-7 the history read anew is not older than what was put back, however far the read models are', async () => {
  const back = entry({ position: 9, revision: 3, changes: [{ field: 'price', from: 5200, to: 5100 }] });
  const { user } = open(({ method, path }) => {
    if (method !== 'GET') return { data: {}, position: 9 };
    const isReached = new URLSearchParams(path.split('?')[1] ?? '').get('after') === '9';
    return { data: { entries: isReached ? [made, priced, back] : [made, priced] } };
  });
  await user.click(await screen.findByRole('button', { name: /Вернуть 5.100/u }));
  const dialog = within(await screen.findByRole('dialog', { name: /Вернуть 5.100/u }));
  await user.click(dialog.getByRole('button', { name: /Вернуть 5.100/u }));
  expect(await screen.findByRole('button', { name: /Вернуть 5.200/u })).toBeDefined();
});
