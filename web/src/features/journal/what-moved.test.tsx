import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { HistoryEntry } from '@zakup/contracts/history';
import { messages } from '@zakup/domain/messages';
import { nbsp } from '@zakup/domain/russian';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Call, stage } from '../../shared/testing/stage.tsx';
import { EventPanel } from './event-panel.tsx';
import type { JournalEvent } from './journal-events.ts';
import type { Moves } from './move-labels.ts';

const main: HistoryEntry = {
  position: 20,
  revision: 3,
  at: '2026-11-21T11:41:52.000Z',
  actor: { userId: 'anna', name: 'Анна Соколова' },
  commandId: '00000000-0000-4000-8000-000000000020',
  source: 'screen',
  reason: null,
  causedBy: null,
  event: 'PlacementPriceChanged',
  entity: { kind: 'placement', id: 'p1', name: '@kitchen_ads' },
  campaign: { id: 'c1', name: 'Ноябрь | Подписчики' },
  changes: [{ field: 'price', from: 5100, to: 5200 }],
};
const event: JournalEvent = { position: 20, main, entries: [main] };
const nothing: Moves = {
  outcome: 'told',
  campaigns: [],
  campaignsLeftOut: 0,
  othersBetween: false,
  licenceWide: false,
};
const november: Moves['campaigns'][number] = {
  id: 'c1',
  name: 'Ноябрь | Подписчики',
  figures: [
    { figure: 'spent', from: 999_999_900, to: 1_000_000_000 },
    { figure: 'remaining', from: 100, to: -50.5 },
    { figure: 'budgetUse', from: 73.69, to: 74.7 },
    { figure: 'leads', from: 64, to: 63 },
    { figure: 'cpl', from: 79.69, to: 181.25, classes: { from: 'good', to: 'middle' } },
  ],
  people: [{ userId: 'ilya', name: 'Илья Кравцов', figure: 'earnings', from: 510, to: 522 }],
};

const isMoves = ({ path }: Call): boolean => path.endsWith('/moves');
const open = (moves: (call: Call) => Answer, of = event) =>
  stage({
    element: <EventPanel event={of} onPutBack={() => {}} onOnlyThis={() => {}} onClose={() => {}} />,
    serve: (call) => (isMoves(call) ? moves(call) : { data: { entries: [main], nextCursor: null } }),
  });
const part = async (): Promise<HTMLElement> =>
  (await screen.findByRole('heading', { name: 'Что сдвинулось' })).closest('section') as HTMLElement;
const lines = async (): Promise<readonly (string | undefined)[]> =>
  (await within(await part()).findAllByRole('listitem')).map((line) => line.textContent?.replaceAll(nbsp, ' '));

describe('what moved', () => {
  afterEach(cleanup);

  it('JRN-1220 tells of an open event each figure that moved: by how much, what it was, what it became', async () => {
    const { calls } = open(() => ({ data: { ...nothing, campaigns: [november] } }));
    expect(await lines()).toEqual([
      'Потрачено+100 ₽, было 999 999 900 ₽ → , стало 1 000 000 000 ₽',
      'Остаток бюджета−150,50 ₽, было 100 ₽ → , стало −50,50 ₽',
      'Использование бюджета+1,01 п. п., было 73,69 % → , стало 74,7 %',
      'Приход−1, было 64 → , стало 63',
      'Средний CPL+101,56 ₽, было 79,69 ₽ ▼низкий CPL → , стало 181,25 ₽ ◆средний CPL',
      'Заработок, Илья Кравцов+12,00 ₽, было 510,00 ₽ → , стало 522,00 ₽',
    ]);
    expect(within(await part()).queryByText('Цифры не сдвинулись')).toBeNull();
    expect(calls.filter(isMoves).map(({ path }) => path)).toEqual(['/api/audit/20/moves']);
  });

  it('JRN-1221 a value that was not there is a dash, without a difference; several campaigns have their names', async () => {
    const cpl = { figure: 'cpl' as const, from: null, to: 250, classes: { from: 'none' as const, to: 'bad' as const } };
    const second = { id: 'c2', name: 'Декабрь', figures: [{ ...cpl, from: 250, to: null }], people: [] };
    open(() => ({ data: { ...nothing, campaigns: [{ ...november, figures: [cpl], people: [] }, second] } }));
    expect((await lines())[0]).toBe('Средний CPL, было — → , стало 250,00 ₽ ▲высокий CPL');
    expect(
      within(await part())
        .getAllByRole('heading', { level: 4 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Ноябрь - Подписчики', 'Декабрь']);
  });

  it.each<readonly [string, Partial<Moves>, string]>([
    ['nothing moved', {}, 'Цифры не сдвинулись'],
    [
      'of the whole team',
      { licenceWide: true },
      'Это меняет расчёт сразу во многих кампаниях. Сколько в какой, здесь не считается.',
    ],
    [
      'others between',
      { campaigns: [november], othersBetween: true },
      'Тем временем кампанию меняли и другие. Здесь только то, что сдвинуло это действие.',
    ],
    [
      'too many campaigns',
      { campaignsLeftOut: 2 },
      'Кампаний в этом действии больше, чем показано здесь: ещё 2 кампании.',
    ],
    [
      'too many pieces',
      { outcome: 'scattered', othersBetween: true, campaignsLeftOut: 1 },
      'Действие шло вперемешку с чужими изменениями: что сдвинуло оно одно, не посчитать.',
    ],
    [
      'not readable',
      { outcome: 'unreadable', campaignsLeftOut: 1 },
      'Эта версия программы не может прочитать историю до этого места.',
    ],
  ])('JRN-1222 what there is to say beside figures is said in words: %s', async (_, more, said) => {
    open(() => ({ data: { ...nothing, ...more } }));
    const place = await part();
    await waitFor(() =>
      expect([...place.querySelectorAll('p')].map(({ textContent }) => textContent?.replaceAll(nbsp, ' '))).toEqual([
        said,
      ]),
    );
  });

  it('JRN-1223 says why it did not load, and tries again by the keyboard', async () => {
    let fails = true;
    const { user } = open(() =>
      fails ? { problem: { code: 'UNAVAILABLE', message: messages.notCaughtUp } } : { data: nothing },
    );
    const place = within(await part());
    expect((await place.findByRole('alert')).textContent).toContain(messages.notCaughtUp);
    fails = false;
    place.getByRole('button', { name: 'Повторить' }).focus();
    await user.keyboard('{Enter}');
    expect(await place.findByText('Цифры не сдвинулись')).toBeDefined();
    await waitFor(() => expect(place.queryByRole('alert')).toBeNull());
  });

  it('JRN-1231 a sign-in moves nothing, and nothing is asked or said of figures', async () => {
    const signedIn = {
      ...main,
      event: 'SignedIn',
      entity: { kind: 'employee' as const, id: 'anna', name: 'Анна Соколова' },
      campaign: null,
      changes: [],
      facts: { door: 'owner', knownDevice: true },
    };
    const { calls } = open(() => ({ data: nothing }), { position: 20, main: signedIn, entries: [signedIn] });
    expect(await screen.findByText('Вход')).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'Что сдвинулось' })).toBeNull();
    expect(calls.filter(isMoves)).toEqual([]);
  });
});
