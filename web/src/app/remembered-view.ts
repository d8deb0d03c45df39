import { keepItem } from '../shared/storage/keep-item.ts';
import { type Section, sections } from './sections.ts';

const key = 'currentView';

const paths: Readonly<Record<string, { readonly section: Section; readonly path: string }>> = {
  dashboard: { section: sections.dashboard, path: sections.dashboard.path },
  analytics: { section: sections.analytics, path: sections.analytics.path },
  creatives: { section: sections.creatives, path: sections.creatives.path },
  contractors: { section: sections.contractors, path: sections.contractors.path },
  users: { section: sections.settings, path: `${sections.settings.path}?tab=employees` },
  settings: { section: sections.settings, path: sections.settings.path },
};

/** The view an address shows, by the name it is remembered under; null = one that is not remembered. */
const viewAt = (pathname: string, search: string): string | null => {
  if (pathname === sections.settings.path)
    return new URLSearchParams(search).get('tab') === 'employees' ? 'users' : 'settings';
  return Object.entries(paths).find(([, { path }]) => path === pathname)?.[0] ?? null;
};

/** Keeps the view of an address for the next start; other addresses leave what was kept. */
export const rememberView = (pathname: string, search: string): void => {
  const view = viewAt(pathname, search);
  if (view !== null) keepItem(localStorage, key, view);
};

/** Whether an address begins with the dashboard, as far as this browser knows. */
export const opensDashboard = (storage: Pick<Storage, 'getItem'>, path: string): boolean =>
  path === sections.dashboard.path || (path === '/' && [null, 'dashboard'].includes(storage.getItem(key)));

/** Where `/` leads: the last view, if the person may still see it; null = to the dashboard, where `/` is already. */
export const rememberedPath = (permissions: Readonly<Record<string, boolean>>): string | null => {
  const kept = paths[localStorage.getItem(key) ?? ''];
  if (kept === undefined || kept.section === sections.dashboard) return null;
  const { permission } = kept.section;
  return permission === null || permissions[permission] === true ? kept.path : null;
};
