import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import type { PlacementFieldName } from '@zakup/contracts/placement-fields';
import { messages } from '@zakup/domain/messages';
import { expect, it } from 'vitest';
import { type Moment, MomentProvider } from '../moment/moment-context.ts';
import { memoryReplica } from '../replica/replica.ts';
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

interface Opening {
  readonly readOnly?: boolean;
  readonly field?: PlacementFieldName;
  readonly moment?: Moment | null;
}

const open = (serve: (call: Call) => Answer, { readOnly = false, field, moment = null }: Opening = {}) => {
  let closed = 0;
  const staged = stage({
    element: (
      <MomentProvider value={moment}>
        <PlacementHistory
          placementId="p1"
          nick="@kitchen_ads"
          field={field}
          readOnly={readOnly}
          onClose={() => {
            closed += 1;
          }}
        />
      </MomentProvider>
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
  open(answering([made, priced]), { readOnly: true });
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

const shownItems = async (): Promise<readonly string[]> =>
  (await screen.findAllByRole('listitem')).map((item) => item.textContent.replaceAll(/\s/gu, ' '));
const heading = (): string | null => screen.getByRole('heading', { level: 2 }).textContent;

it('HIS-2480 of a field only its own changes are shown, under its name, with what it was added', async () => {
  const many = entry({
    position: 4,
    revision: 3,
    event: 'PlacementChanged',
    changes: [
      { field: 'price', from: 5200, to: 6000 },
      { field: 'format', from: '1/24', to: '2/48' },
    ],
  });
  const removed = entry({ position: 5, revision: 4, changes: [{ field: 'deleted', from: false, to: true }] });
  open(answering([made, priced, paid, many, removed]), { field: 'price' });
  expect(await shownItems()).toEqual([
    'АСАнна Соколова21 НОЯБРЯ | СУББОТА, 14:41экранЦена 5 200 ₽ →, стало 6 000 ₽Вернуть 5 200 ₽',
    'АСАнна Соколова21 НОЯБРЯ | СУББОТА, 14:41экранЦена 5 100 ₽ →, стало 5 200 ₽Вернуть 5 100 ₽',
    'ИКИлья Ким19 НОЯБРЯ | ЧЕТВЕРГ, 12:20экранСоздано 5 100 ₽',
  ]);
  expect(heading()).toBe('История: Цена, @kitchen_ads');
  expect(screen.queryByText('Не меняли с добавления строки')).toBeNull();
  const link = screen.getByRole('link', { name: 'Показать в журнале' });
  expect(link.getAttribute('href')).toBe('/journal?field=price&entity=placement%3Ap1');
});

it('HIS-2481 a field that never changed says so, with what it was added, and where that was nothing, too', async () => {
  open(answering([made, priced, paid]), { field: 'format' });
  expect(await shownItems()).toEqual(['ИКИлья Ким19 НОЯБРЯ | ЧЕТВЕРГ, 12:20экранСоздано 1/24']);
  expect(screen.getByText('Не меняли с добавления строки')).toBeDefined();
  cleanup();
  open(answering([made, priced, paid]), { field: 'postUrl' });
  expect(await shownItems()).toEqual(['ИКИлья Ким19 НОЯБРЯ | ЧЕТВЕРГ, 12:20экранСоздано —']);
  expect(screen.getByText('Не меняли с добавления строки')).toBeDefined();
});

it('HIS-2482 «Вся история строки» shows the whole row, and leads back, without a call and with the keyboard where it was', async () => {
  const { user, calls } = open(answering([made, priced, paid]), { field: 'price' });
  expect(await shownItems()).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Вся история строки' }));
  expect([(await shownItems()).length, heading()]).toEqual([3, 'История: @kitchen_ads']);
  expect((await shownItems()).at(-1)).toContain('Создано 5 100 ₽, Секрет шефа, 1/24');
  const back = screen.getByRole('button', { name: 'Только «Цена»' });
  expect(document.activeElement).toBe(back);
  await user.keyboard('{Enter}');
  expect([(await shownItems()).length, heading()]).toEqual([2, 'История: Цена, @kitchen_ads']);
  expect(calls).toHaveLength(1);
  cleanup();
  open(answering([made, priced, paid]));
  expect(await shownItems()).toHaveLength(3);
  expect(screen.queryByRole('button', { name: /Вся история|Только/u })).toBeNull();
});

it('HIS-2483 in the past a field has what had happened to it by then; where nothing may be changed nothing goes back', async () => {
  const moment = (position: number): Moment => ({ position, at: null, now: memoryReplica() });
  open(answering([made, priced, paid]), { field: 'price', readOnly: true, moment: moment(2) });
  expect(await shownItems()).toHaveLength(2);
  expect(screen.queryByRole('button', { name: /Вернуть/u })).toBeNull();
  cleanup();
  open(answering([made, priced, paid]), { field: 'price', readOnly: true, moment: moment(1) });
  expect(await shownItems()).toHaveLength(1);
  expect(screen.getByText('Не меняли с добавления строки')).toBeDefined();
});

it('HIS-2484 a value goes back from the history of its field, which is read anew and stays that of the field', async () => {
  const back = entry({ position: 9, revision: 3, changes: [{ field: 'price', from: 5200, to: 5100 }] });
  let isBack = false;
  const { user } = open(
    ({ method }) => {
      if (method === 'GET') return { data: { entries: isBack ? [made, priced, paid, back] : [made, priced, paid] } };
      isBack = true;
      return { data: {}, position: 9 };
    },
    { field: 'price' },
  );
  await user.click(await screen.findByRole('button', { name: /Вернуть 5.100/u }));
  const dialog = within(await screen.findByRole('dialog', { name: /Вернуть 5.100/u }));
  await user.click(dialog.getByRole('button', { name: /Вернуть 5.100/u }));
  expect(await screen.findByRole('button', { name: /Вернуть 5.200/u })).toBeDefined();
  expect([(await shownItems()).length, heading()]).toEqual([3, 'История: Цена, @kitchen_ads']);
});
