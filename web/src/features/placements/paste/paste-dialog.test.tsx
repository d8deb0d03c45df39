import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, ContractorWire } from '@zakup/contracts/wire-entities';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { placementDocument } from '../../../shared/testing/placement-document.ts';
import { type Answer, person, stage, type StageOptions } from '../../../shared/testing/stage.tsx';
import { ToastHost } from '../../../shared/toasts/toast-host.tsx';
import { SlotOutlet, SlotProvider } from '../../../shared/ui/slots.tsx';
import { PlacementsSection } from '../placements-section.tsx';

const campaign = { id: 'c', name: 'Ноябрь', status: 'ACTIVE', participants: [] } as unknown as CampaignWire;
const contractor = (id: string, adminUsername: string) => ({ id, adminUsername, isActive: true }) as ContractorWire;
const buyer = (id: string, name: string) => ({ id, name, role: 'MEDIA_BUYER', isActive: true });

const sizes = { clientHeight: 600, clientWidth: 1200 };
const originals = new Map<string, PropertyDescriptor | undefined>();
// There is no layout here; the window over the rows needs one.
beforeEach(() => {
  for (const [name, value] of Object.entries(sizes)) {
    originals.set(name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name));
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
  }
});
afterEach(() => {
  cleanup();
  for (const [name, descriptor] of originals)
    if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
});

const setUp = async (
  status: CampaignWire['status'] = 'ACTIVE',
  more: Pick<StageOptions, 'kept' | 'serve' | 'connection'> = {},
) => {
  const placements = [
    placementDocument({ id: 'p1', contractorId: 'k1', price: 500, createdAt: '2026-11-01T00:00:00.000Z' }),
    placementDocument({ id: 'p2', contractorId: 'k2', price: 700, createdAt: '2026-11-01T00:00:01.000Z' }),
  ];
  const set = stage({
    element: (
      <SlotProvider>
        <SlotOutlet name="status-left" />
        <PlacementsSection
          campaign={{ ...campaign, status }}
          channelName="Кухня"
          adding={false}
          onAddingChange={() => undefined}
        />
        <ToastHost />
      </SlotProvider>
    ),
    me: person('ilya', { name: 'Илья', role: 'TEAM_LEAD' }),
    docs: {
      workspace: [
        ['user', buyer('anna', 'Анна')],
        ['user', buyer('ilya', 'Илья')],
        ['contractor', contractor('k1', '@kitchen')],
        ['contractor', contractor('k2', '@marina')],
        ['campaign', campaign],
      ],
      'campaign:c': placements.map((one) => ['placement', one] as const),
      'contractor:k2': placements.slice(1).map((one) => ['placement', one] as const),
    },
    withOutbox: true,
    serve: (): Answer => 'no answer',
    ...more,
  });
  await screen.findByText('@marina');
  const paste = (row: string, column: string, text: string): void => {
    const at = screen.getByRole('columnheader', { name: new RegExp(`^${column}`, 'u') }).getAttribute('aria-colindex');
    const line = screen.getAllByRole('row').find((one) => one.textContent.includes(row));
    const cell = line?.querySelector<HTMLElement>(`[aria-colindex="${at}"]`);
    if (!cell) throw new Error(`no cell of ${row} in ${column}`);
    act(() => cell.focus());
    const event = createEvent.paste(cell, {
      clipboardData: { getData: (type: string) => (type === 'text/plain' ? text : '') },
    });
    fireEvent(cell, event);
  };
  return { ...set, paste };
};

it('PST-2227 what is unclear is shown first; a name chosen once goes into all of its cells, and all of it is one command', async () => {
  const { user, paste, outbox, calls } = await setUp();
  paste('@kitchen', 'Байер', 'Ильюша\nИльюша');
  const dialog = await screen.findByRole('dialog', { name: 'Вставка: 2 ячейки' });
  const insert = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Вставить' });
  expect(dialog.textContent).toContain('Пропустится: 2');
  expect(dialog.textContent).toContain('Байер не найден');
  expect(insert.disabled).toBe(true);
  await user.selectOptions(within(dialog).getByLabelText('Байер «Ильюша» (2 ячейки)'), 'Илья');
  expect(within(dialog).getByRole('table', { name: 'Изменится: 2 ячейки' }).textContent).toContain('Анна → Илья');
  expect(dialog.textContent).not.toContain('Пропустится');
  await user.click(insert);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const entries = (await outbox()).entries();
  expect(entries.map(({ label, parts }) => [label, parts?.map(({ body }) => body)])).toEqual([
    ['Вставка: 2 ячейки', [{ buyerId: 'ilya' }, { buyerId: 'ilya' }]],
  ]);
  await expect.poll(() => calls.map(({ path }) => path)).toEqual(['/api/placements/batch']);
});

it('PST-2228 new rows are told with who else bought there, or go over the rows if that is chosen', async () => {
  const { user, paste, outbox } = await setUp();
  paste('@kitchen', 'Контрагент', '@marina\t100\t7\n@fresh\t200\t0');
  const dialog = await screen.findByRole('dialog', { name: 'Вставка: 6 ячеек' });
  await user.selectOptions(within(dialog).getByLabelText(/^Тематика строк, где она не указана/u), 'Юмор');
  const made = await within(dialog).findByRole('table', { name: 'Создастся: 2 размещения' });
  expect(made.textContent).toContain('@freshновый');
  expect(made.textContent).toMatch(/@marinaКуплено другим байером .*: Анна/u);
  await user.click(within(dialog).getByLabelText(/^поверх строк таблицы/u));
  expect(within(dialog).getByRole('table', { name: /^Изменится/u }).textContent).toContain('@kitchen → @marina');
  expect(within(dialog).queryByRole('table', { name: /^Создастся/u })).toBeNull();
  await user.click(within(dialog).getByLabelText('новыми размещениями'));
  await user.click(within(dialog).getByRole('button', { name: 'Вставить' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [entry] = (await outbox()).entries();
  const parts = (entry?.parts ?? []).toSorted((a, b) => (a.target.id < b.target.id ? -1 : 1));
  expect(parts.map(({ method, body }) => [method, body['contractor'] ?? body])).toEqual([
    ['POST', '@marina'],
    ['PATCH', { leads: 7 }],
    ['POST', '@fresh'],
  ]);
  const row = await waitFor(() => {
    const found = screen.getAllByRole('row').filter((one) => one.textContent.includes('@marina'));
    expect(found).toHaveLength(2);
    return found.find((one) => one.textContent.includes('100'));
  });
  expect(row?.textContent, 'what waits is shown').toContain('7');
});

it('VRD-2156 a new row of a contractor on a list says on which, and why', async () => {
  const { user, paste, bring } = await setUp();
  const listed: ContractorWire = {
    ...contractor('k2', '@marina'),
    verdict: { list: 'black', reason: 'Не вернул предоплату' },
  };
  act(() => bring('workspace', [['contractor', listed]]));
  paste('@kitchen', 'Контрагент', '@marina\t100\t7\n@fresh\t200\t0');
  const dialog = await screen.findByRole('dialog', { name: 'Вставка: 6 ячеек' });
  await user.selectOptions(within(dialog).getByLabelText(/^Тематика строк, где она не указана/u), 'Юмор');
  const made = await within(dialog).findByRole('table', { name: 'Создастся: 2 размещения' });
  expect(made.textContent).toContain('@marinaЧёрный список Не вернул предоплату');
  expect(made.textContent.match(/Чёрный список/gu)).toHaveLength(1);
});

it('PST-2229 a little that is clear is pasted at once and said, too much and a completed campaign are not', async () => {
  const { paste, outbox } = await setUp();
  paste('@kitchen', 'Цена', '5к\t3\nмного\t4');
  await screen.findByText('Вставлено, изменено: 3 ячейки, пропущено: 1 (Некорректная цена)');
  expect((await outbox()).entries()).toHaveLength(1);
  paste('@kitchen', 'Цена', Array<string>(1001).fill('1').join('\n'));
  await screen.findByText(/^Слишком много: за один раз вставляется не больше/u);
  expect((await outbox()).entries()).toHaveLength(1);
});

it('PST-2230 into a completed campaign nothing is pasted, and that is said', async () => {
  const { paste, outbox } = await setUp('COMPLETED');
  paste('@kitchen', 'Цена', '5к');
  await screen.findByText('Здесь размещения только для чтения, ничего не вставлено');
  expect((await outbox()).entries()).toEqual([]);
});

it('PST-2500 into a filtered and sorted view a block goes over the rows that are shown, as they are shown, and over no others', async () => {
  const kept = { sortBy: 'price', sortOrder: 'desc', filters: { priceFrom: '600' } };
  const { paste, outbox, bring } = await setUp('ACTIVE', { kept: { placementsTable: JSON.stringify(kept) } });
  const more = [
    placementDocument({ id: 'p3', contractorId: 'k1', price: 900, createdAt: '2026-11-01T00:00:02.000Z' }),
    placementDocument({ id: 'p4', contractorId: 'k1', price: 400, createdAt: '2026-11-01T00:00:03.000Z' }),
  ];
  act(() =>
    bring(
      'campaign:c',
      more.map((one) => ['placement', one] as const),
    ),
  );
  await waitFor(() => expect(document.querySelectorAll('[data-row]')).toHaveLength(2));
  paste('@kitchen', 'Приход', '11\n22\n33');
  await screen.findByText(/^Вставлено, изменено: 2 ячейки, пропущено: 1 \(ниже таблицы/u);
  const [entry] = (await outbox()).entries();
  expect(entry?.parts?.map(({ target, body }) => [target.id, body])).toEqual([
    ['p3', { leads: 11 }],
    ['p2', { leads: 22 }],
  ]);
});

it('PST-2501 without a line a paste is shown and kept as one command, and goes once when the line is back', async () => {
  let isBack = false;
  const { paste, outbox, calls } = await setUp('ACTIVE', {
    connection: { state: 'offline', announced: true, dataAt: 0 } as never,
    serve: ({ body }) => {
      const { items } = body as { readonly items: readonly { readonly placementId: string }[] };
      const results = items.map(({ placementId: id }, index) => ({ index, ok: true, placement: { id, revision: 2 } }));
      return isBack ? { data: { results }, position: 50 } : 'no answer';
    },
  });
  paste('@kitchen', 'Приход', '11\n22');
  await screen.findByText('Вставлено, изменено: 2 ячейки');
  expect(
    screen.getAllByRole('row').some((one) => one.textContent.includes('@marina') && one.textContent.includes('22')),
  ).toBe(true);
  const own = await outbox();
  await waitFor(() => expect(own.entries().map(({ state }) => state)).toEqual([{ kind: 'pending', held: true }]));
  const before = calls.length;
  isBack = true;
  own.flush();
  await waitFor(() => expect(own.entries().map(({ state }) => state.kind)).toEqual(['acknowledged']));
  expect(calls.slice(before).map(({ path }) => path)).toEqual(['/api/placements/batch']);
  expect(new Set(calls.map(({ commandId }) => commandId)).size, 'under one id').toBe(1);
});

it('PST-2502 where a colleague changed one of the cells meanwhile the others are pasted, and that one waits with both values', async () => {
  const conflict = {
    field: 'price',
    base: 700,
    theirs: 750,
    mine: 6000,
    by: { userId: 'anna', name: 'Анна' },
    at: '2026-11-21T11:00:00.000Z',
  };
  const problem = {
    success: false,
    status: 409,
    code: 'CONFLICT',
    error: 'Данные изменились',
    conflicts: [conflict],
    revision: 3,
  };
  const results = [
    { index: 0, ok: true, placement: { id: 'p1', revision: 2 } },
    { index: 1, ok: false, problem },
  ];
  const { paste, outbox } = await setUp('ACTIVE', { serve: () => ({ data: { results }, position: 50 }) });
  paste('@kitchen', 'Цена', '5к\n6к');
  const own = await outbox();
  await waitFor(() =>
    expect(
      own.entries().map(({ state, parts, target }) => [state.kind, parts?.map((one) => one.target.id) ?? target.id]),
    ).toEqual(
      expect.arrayContaining([
        ['acknowledged', ['p1']],
        ['conflict', 'p2'],
      ]),
    ),
  );
  const mine = await screen.findByRole('button', { name: 'Оставить моё' });
  expect(mine.parentElement?.textContent.replaceAll('\u00a0', ' ')).toMatch(/Анна.*750 ₽.*У вас 6 000 ₽/u);
});

it('PST-2506 new rows of one day stand in the order in which they were pasted, and «Показать» leads to the first of them', async () => {
  const { user, paste, outbox } = await setUp();
  const nicks = Array.from({ length: 8 }, (_, at) => `@fresh_${at}`);
  paste('@kitchen', 'Дата', `Ник\tТематика\n${nicks.map((nick) => `${nick}\tЮмор`).join('\n')}`);
  const dialog = await screen.findByRole('dialog', { name: 'Вставка: 16 ячеек' });
  await user.click(within(dialog).getByRole('button', { name: 'Вставить' }));
  const shown = (): readonly string[] =>
    screen.getAllByRole('row').flatMap(({ textContent }) => /@fresh_\d/u.exec(textContent)?.[0] ?? []);
  await waitFor(() => expect(shown()).toEqual(nicks));
  const [entry] = (await outbox()).entries();
  const first = entry?.parts?.find(({ body }) => body['contractor'] === '@fresh_0')?.target.id;
  await user.click(screen.getByRole('button', { name: 'Показать' }));
  await waitFor(() =>
    expect(document.querySelector(`[data-row="${first}"] :focus, [data-row="${first}"]:focus`)).not.toBeNull(),
  );
});
