import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { AnalyticsPage } from '../features/analytics/analytics-page.tsx';
import { ContractorsPage } from '../features/contractors/contractors-page.tsx';
import { CreativesPage } from '../features/creatives/creatives-page.tsx';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { stage, type StageOptions } from '../shared/testing/stage.tsx';

const refused: StageOptions['scopeStatus'] = {
  kind: 'refused',
  problem: {
    type: 'about:blank',
    title: 'INTERNAL',
    status: 500,
    detail: '',
    instance: 'r7',
    success: false,
    error: 'Что-то пошло не так на сервере',
    code: 'INTERNAL',
  },
};

describe('lists that the line refuses', () => {
  it.each([
    ['Дашборд', <DashboardPage key="dashboard" />],
    ['Аналитика', <AnalyticsPage key="analytics" />],
    ['Креативы', <CreativesPage key="creatives" />],
    ['Контрагенты', <ContractorsPage key="contractors" />],
    ['Настройки', <SettingsPage key="settings" />],
  ])('WLO-12 are said on their screen, with a way to try again: %s', async (_, element) => {
    const { user, tried } = stage({ element, scopeStatus: refused });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Что-то пошло не так на сервере');
    expect(alert.textContent).toContain('запрос r7');
    await user.click(screen.getByRole('button', { name: 'Повторить' }));
    expect(tried.times).toBe(1);
  });
});
