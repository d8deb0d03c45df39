import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answer, person, stage, stageNow } from '../../shared/testing/stage.tsx';
import { SlotProvider } from '../../shared/ui/slots.tsx';
import { EmployeesTab } from './employees-tab.tsx';

const now = (): number => stageNow;
const ago = (minutes: number): string => new Date(stageNow - minutes * 60_000).toISOString();
const never = { signedInAt: null, activeAt: null };
const people = [
  person('u1', { name: 'Илья Кравцов' }),
  person('u2', { name: 'Роман Гусев' }),
  person('u3', { name: 'Елена Фомина', isActive: false }),
  person('u4', { name: 'Тимур Ахметов' }),
  person('u5', { name: 'Дарья Ким' }),
  person('u6', { name: 'Мария Белова' }),
];
const answer = {
  people: [
    { userId: 'u1', signedInAt: ago(300), activeAt: ago(2) },
    { userId: 'u2', ...never },
    { userId: 'u3', signedInAt: ago(900), activeAt: ago(900) },
    { userId: 'u4', signedInAt: ago(34), activeAt: ago(34) },
    { userId: 'u5', signedInAt: null, activeAt: ago(3 * 24 * 60) },
    { userId: 'u6', signedInAt: ago(20 * 60), activeAt: ago(20 * 60) },
  ],
};

const open = (serve: () => Answer | Promise<Answer>) =>
  stage({
    element: (
      <SlotProvider>
        <EmployeesTab now={now} />
      </SlotProvider>
    ),
    serve,
    docs: { workspace: people.map((one) => ['person', one] as const) },
  });
const rowOf = (name: string): HTMLElement => screen.getByRole('row', { name: new RegExp(name, 'u') });
const said = (name: string): string => within(rowOf(name)).getAllByRole('cell').at(-1)?.textContent ?? '';

describe('when people were last here', () => {
  it('PPL-1166 each person with the time, «ещё не входили» for who never did, and nobody called active before', async () => {
    const { user } = open(() => ({ data: answer }));
    expect(await screen.findByText('ещё не входили')).toBeDefined();
    expect(people.map(({ name }) => [name, said(name)])).toEqual([
      ['Илья Кравцов', 'сейчас'],
      ['Роман Гусев', 'ещё не входили'],
      ['Елена Фомина', 'отключён'],
      ['Тимур Ахметов', '34 мин назад'],
      ['Дарья Ким', '18 ноября, 14:02'],
      ['Мария Белова', 'вчера в 18:02'],
    ]);
    expect(within(rowOf('Илья Кравцов')).getByRole('button', { name: 'сейчас' }).title).toBe(
      'Последнее действие: 21 ноября 2026, 14:00. Последний вход: 21 ноября 2026, 09:02',
    );
    expect(within(rowOf('Дарья Ким')).getByRole('button', { name: '18 ноября, 14:02' }).title).toBe(
      'Последнее действие: 18 ноября 2026, 14:02',
    );
    await user.click(screen.getByRole('button', { name: '34 мин назад' }));
    expect(await screen.findByText(/последний вход 21 ноября, 13:28/u)).toBeDefined();
  });

  it('PPL-1167 while nothing is known nothing is claimed; a failure says so and can be tried again', async () => {
    let found: Answer = 'no answer';
    const { user } = open(() => found);
    expect(await screen.findByText('Активность не загрузилась.')).toBeDefined();
    expect(said('Роман Гусев')).toBe('—');
    expect(said('Елена Фомина')).toBe('отключён');
    found = { data: answer };
    await user.click(screen.getByRole('button', { name: 'Повторить' }));
    expect(await screen.findByText('ещё не входили')).toBeDefined();
    expect(screen.queryByText('Активность не загрузилась.')).toBeNull();
  });

  it('PPL-1168 somebody who was just added is asked about', async () => {
    const { bring, calls } = open(() => ({ data: answer }));
    await screen.findByText('ещё не входили');
    const asked = calls.length;
    bring('workspace', [['person', person('u9', { name: 'Новый Человек' })]]);
    expect(await screen.findByText('Новый Человек')).toBeDefined();
    await expect.poll(() => calls.length).toBe(asked + 1);
    expect(calls.at(-1)?.path).toBe('/api/users/activity');
    expect(said('Роман Гусев'), 'what was known stays meanwhile').toBe('ещё не входили');
  });
});
