/** The screens of the signed-in part, by the name a person knows. `permission` null = open to everyone signed in. */
export interface Section {
  readonly path: string;
  readonly name: string;
  readonly permission: string | null;
}

export const sections = {
  dashboard: { path: '/dashboard', name: 'Дашборд', permission: 'dashboard' },
  analytics: { path: '/analytics', name: 'Аналитика', permission: 'analytics' },
  creatives: { path: '/creatives', name: 'Креативы', permission: 'creatives' },
  contractors: { path: '/contractors', name: 'Контрагенты', permission: 'contractors' },
  journal: { path: '/journal', name: 'Журнал', permission: 'reports' },
  settings: { path: '/settings', name: 'Настройки', permission: 'settings' },
  licenceAdmin: { path: '/license-admin', name: 'Админ-панель', permission: 'admin' },
  profile: { path: '/profile', name: 'Профиль', permission: null },
} as const satisfies Record<string, Section>;

export const productName = 'media buying analytics';

/** The section a path belongs to; `/` is the dashboard. */
export const sectionAt = (pathname: string): Section | null =>
  pathname === '/'
    ? sections.dashboard
    : (Object.values(sections).find(({ path }) => pathname === path || pathname.startsWith(`${path}/`)) ?? null);
