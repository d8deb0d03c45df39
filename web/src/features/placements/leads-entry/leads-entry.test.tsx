import { screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { person, stage, type StageOptions } from '../../../shared/testing/stage.tsx';
import { ToastHost } from '../../../shared/toasts/toast-host.tsx';
import { UndoHost } from '../../../shared/undo/undo-host.tsx';
import { SlotProvider } from '../../../shared/ui/slots.tsx';
import { PlacementsSection } from '../placements-section.tsx';

const campaign = {
  id: 'c',
  revision: 1,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  channelId: 'ch',
  name: '11',
  status: 'ACTIVE',
  totalBudget: 100_000,
  startDate: null,
  endDate: null,
  participants: [],
} as unknown as CampaignWire;

const waiting = (id: string, over: Partial<PlacementWire> = {}): PlacementWire =>
  placementDocument({ id, contractorId: `k-${id}`, buyerId: 'me', leads: 0, date: '2026-11-10', price: 1000, ...over });

const setUp = async (placements: readonly PlacementWire[], over: Partial<StageOptions> = {}) => {
  const staged = stage({
    element: (
      <SlotProvider>
        <UndoHost />
        <PlacementsSection campaign={campaign} channelName="Кухня" adding={false} onAddingChange={() => undefined} />
        <ToastHost />
      </SlotProvider>
    ),
    me: person('me', { role: 'CBDO' }),
    withOutbox: true,
    docs: {
      workspace: [
        ['campaign', campaign],
        ['user', { id: 'me', name: 'Ольга Демидова', role: 'TEAM_LEAD', isActive: true } as never],
        ['user', { id: 'ilya', name: 'Илья Кравцов', role: 'MEDIA_BUYER', isActive: true } as never],
        ...placements.map(
          ({ id, contractorId }) =>
            [
              'contractor',
              { id: contractorId, adminUsername: `@${id}`, channelName: '', isActive: true } as never,
            ] as const,
        ),
      ],
      'campaign:c': placements.map((one) => ['placement', one] as const),
    },
    ...over,
  });
  await staged.user.click(await screen.findByRole('button', { name: /^Внести приход/u }));
  const list = await screen.findByRole('dialog', { name: 'Внести приход' });
  const field = (nick: string) =>
    within(list).getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^@${nick}`, 'u') });
  const nicks = () =>
    within(list)
      .queryAllByRole('textbox')
      .map((one) => document.querySelector(`label[for="${CSS.escape(one.id)}"]`)?.firstChild?.textContent);
  const rowOf = (nick: string): HTMLElement => {
    const row = field(nick).closest('li');
    if (row === null) throw new Error(`no row of ${nick}`);
    return row;
  };
  /** What waits in the outbox, as nothing is answered here. */
  const kept = async () => (await staged.outbox()).entries().map(({ target, body }) => [target.id, body['leads']]);
  return { ...staged, list, field, nicks, rowOf, kept };
};

describe('the list in which leads are entered', () => {
  beforeEach(() => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: query.includes('768'),
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
    return () => vi.restoreAllMocks();
  });

  it('PHN-2380 holds what is out and has no leads, one’s own first, then the oldest, and begins in the first', async () => {
    const { nicks, field } = await setUp([
      waiting('young'),
      waiting('other', { buyerId: 'ilya', date: '2026-11-01' }),
      waiting('old', { date: '2026-11-02' }),
      waiting('told', { leads: 5 }),
      waiting('later', { date: '2099-01-01' }),
      waiting('out', { date: '2099-01-01', status: 'PUBLISHED' }),
      waiting('dropped', { status: 'CANCELLED' }),
      waiting('taken', { status: 'REMOVED_EARLY' }),
    ]);
    expect(nicks()).toEqual(['@old', '@young', '@out', '@other']);
    await waitFor(() => expect(document.activeElement).toBe(field('old')));
    expect(field('old').inputMode).toBe('numeric');
    expect(field('old').getAttribute('enterkeyhint')).toBe('next');
  });

  it('PHN-2381 Enter and «Дальше» save and go on, the keyboard never leaving the fields, until nothing is left', async () => {
    const { user, field, kept, list, rowOf } = await setUp([waiting('a'), waiting('b'), waiting('c')]);
    await waitFor(() => expect(document.activeElement).toBe(field('a')));
    const left: unknown[] = [];
    list.addEventListener('focusout', ({ relatedTarget }) => left.push((relatedTarget as HTMLElement | null)?.tagName));
    await user.keyboard('5к{Enter}');
    expect(document.activeElement).toBe(field('b'));
    await user.keyboard('=10+2');
    await user.click(within(rowOf('b')).getByRole('button', { name: 'Дальше' }));
    expect(document.activeElement).toBe(field('c'));
    expect(left).toEqual(['INPUT', 'INPUT']);
    expect(list.textContent).toContain('Внесено 2 из 3');
    await user.keyboard('7{Enter}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Готово'));
    expect(list.textContent).toContain('Готово: внесено 3 из 3');
    expect(await kept()).toEqual([
      ['a', 5000],
      ['b', 12],
      ['c', 7],
    ]);
    await user.click(within(list).getByRole('button', { name: 'Готово' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('PHN-2382 what is no number stays as it is typed and says so, and is not left without a question', async () => {
    const { user, field, kept, list } = await setUp([waiting('a'), waiting('b')]);
    await waitFor(() => expect(document.activeElement).toBe(field('a')));
    await user.keyboard('12 ок{Enter}');
    expect(document.activeElement).toBe(field('a'));
    expect(field('a').value).toBe('12 ок');
    expect(within(list).getByRole('alert').textContent).toBe('Некорректное количество лидов');
    expect(field('a').getAttribute('aria-invalid')).toBe('true');
    await user.click(within(list).getByRole('button', { name: 'Закрыть' }));
    const question = await screen.findByRole('alertdialog', { name: 'Закрыть без сохранения?' });
    await user.click(within(question).getByRole('button', { name: 'Вернуться' }));
    expect(field('a').value).toBe('12 ок');
    expect(await kept()).toEqual([]);
  });

  it('PHN-2383 one is passed by and come back to; what is typed is saved on the way back and when the list is closed', async () => {
    const { user, field, kept, list, rowOf } = await setUp([waiting('a'), waiting('b')]);
    await waitFor(() => expect(document.activeElement).toBe(field('a')));
    await user.click(within(rowOf('a')).getByRole('button', { name: 'Пропустить' }));
    expect(document.activeElement).toBe(field('b'));
    expect(rowOf('a').textContent).toContain('Пропущено');
    await user.keyboard('9');
    await user.click(within(rowOf('b')).getByRole('button', { name: 'Назад' }));
    expect(document.activeElement).toBe(field('a'));
    expect(list.textContent).toContain('Готово: внесено 1 из 2, пропущено 1');
    await user.click(within(list).getByRole('button', { name: 'К пропущенным' }));
    expect(document.activeElement).toBe(field('a'));
    await user.keyboard('4');
    await user.click(within(list).getByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await kept()).toEqual([
      ['b', 9],
      ['a', 4],
    ]);
  });

  it('PHN-2384 «Отменить» takes back what was entered, and it is to be entered again; the last actions list it', async () => {
    const { user, field, list, rowOf } = await setUp([waiting('a'), waiting('b')]);
    await waitFor(() => expect(document.activeElement).toBe(field('a')));
    await user.keyboard('55{Enter}');
    expect(field('a').value).toBe('55');
    await user.click(await within(rowOf('a')).findByRole('button', { name: 'Отменить' }));
    await waitFor(() => expect(field('a').value).toBe(''));
    expect(list.textContent).toContain('Внесено 0 из 2');
    expect(within(rowOf('a')).queryByRole('button', { name: 'Отменить' })).toBeNull();
  });

  it('PHN-2385 what a colleague entered meanwhile is said, moves nothing, and is passed by; what was deleted says so', async () => {
    const { user, field, nicks, rowOf, bring, withdraw, list } = await setUp([
      waiting('a'),
      waiting('b'),
      waiting('c'),
      waiting('d'),
    ]);
    await waitFor(() => expect(document.activeElement).toBe(field('a')));
    bring('campaign:c', [
      ['placement', { ...waiting('b', { leads: 31, revision: 2 }) }, { userId: 'ilya', name: 'Илья Кравцов' }],
    ]);
    withdraw('campaign:c', { kind: 'placement', id: 'c' });
    await waitFor(() => expect(rowOf('b').textContent).toContain('Уже внесено: 31'));
    await waitFor(() => expect(list.textContent).toContain('@c: размещение удалено'));
    expect(nicks()).toEqual(['@a', '@b', '@d']);
    expect(list.textContent).toContain('Внесено 1 из 3');
    expect(document.activeElement).toBe(field('a'));
    await user.keyboard('1{Enter}');
    expect(document.activeElement).toBe(field('d'));
  });

  it('PHN-2386 where nothing waits it says so', async () => {
    const { list } = await setUp([waiting('told', { leads: 3 })]);
    expect(list.textContent).toContain('Вносить нечего');
  });
});
