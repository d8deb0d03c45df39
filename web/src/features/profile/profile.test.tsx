import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answer, type Call, person, stage } from '../../shared/testing/stage.tsx';
import { ProfilePage } from './profile-page.tsx';

const sum = (count: number, price: number) => ({ count, price });
const statement = {
  salary: {
    userId: 'me',
    name: 'Анна',
    role: 'MEDIA_BUYER',
    isActive: true,
    salaryType: 'performance',
    threshold: 100,
    salaryReportBonus: 540.5,
    formula: '10 % от 5 405 ₽',
    countedTotal: sum(3, 5405),
    leftOutTotal: sum(2, 9000),
    counted: [],
    leftOut: [],
  },
  earnings: [
    {
      campaignId: 'k',
      campaignName: 'Ноябрь - Подписчики',
      terms: { salaryType: 'budget', salaryRate: 10, cplThreshold: 100, source: 'participant' },
      budget: 165_000,
      spent: 93_650.75,
      earnings: 9365.08,
      zeroLeads: sum(1, 900),
      formula: '93 650,75 ₽ × 10 %',
    },
  ],
};

const serving =
  (own: Answer) =>
  ({ path }: Call): Answer =>
    path === '/api/profile/statement' ? own : { data: { sessions: [], since: null, recoveryCodesLeft: 0 } };

describe('the profile', () => {
  it('PRF1-1 shows the own data, password, sessions, theme and statement', async () => {
    const me = person('me', { name: 'Анна Соколова', role: 'MEDIA_BUYER', email: 'sokolova@vkus.media' });
    stage({ element: <ProfilePage />, me, serve: serving({ data: statement }) });
    expect(await screen.findByText('Анна Соколова')).toBeTruthy();
    expect(screen.getByText('Медиа-байер')).toBeTruthy();
    expect(screen.getByText('sokolova@vkus.media')).toBeTruthy();
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Мои данные',
      'Тема',
      'Сменить пароль',
      'Второй фактор',
      'Сессии',
      'Моя ведомость',
    ]);
  });

  it('PRF1-2 the statement shows earnings by campaign with their calculation, and the bonus apart, never added', async () => {
    stage({ element: <ProfilePage />, serve: serving({ data: statement }) });
    const row = within(await screen.findByRole('row', { name: /Ноябрь - Подписчики/u }));
    expect(row.getByText(/9\s365,08\s₽/u)).toBeTruthy();
    expect(row.getByText(/93 650,75 ₽ × 10 % · без лидов засчитано: 1 на 900\s₽/u)).toBeTruthy();
    expect(screen.getByText(/540,50\s₽/u)).toBeTruthy();
    expect(screen.getByText(/Засчитано 3 размещения на 5\s405\s₽, не засчитано 2 на 9\s000\s₽/u)).toBeTruthy();
    expect(screen.queryByText(/9\s905,58/u)).toBeNull();
  });

  it('PRF1-3 an empty statement and a failed one are said in words', async () => {
    const nothing = {
      salary: { ...statement.salary, countedTotal: sum(0, 0), leftOutTotal: sum(0, 0) },
      earnings: [],
    };
    let up = false;
    const { user } = stage({
      element: <ProfilePage />,
      serve: (call) => serving(up ? { data: nothing } : 'no answer')(call),
    });
    const again = await screen.findByRole('button', { name: 'Повторить' });
    up = true;
    await user.click(again);
    expect(await screen.findByText('Ведомость пуста')).toBeTruthy();
  });
});
