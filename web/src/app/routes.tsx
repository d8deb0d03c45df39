import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { createBrowserRouter, Outlet, type RouteObject } from 'react-router-dom';
import { Skeleton } from '../shared/ui/states.tsx';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { SessionGate } from './session-gate.tsx';
import { SectionGuard } from './section-guard.tsx';
import { type Section, sections } from './sections.ts';

const lazyPage = (load: () => Promise<ComponentType>) => {
  const Page = lazy(async () => ({ default: await load() }));
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <Page />
    </Suspense>
  );
};

const dashboard = lazyPage(async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage);

const guarded = (section: Section, element: ReactNode): RouteObject => ({
  path: section.path,
  element: <SectionGuard section={section}>{element}</SectionGuard>,
});

export const routes: RouteObject[] = [
  {
    element: <Outlet />,
    errorElement: <ErrorPage />,
    children: [
      {
        path: '/admin',
        element: lazyPage(async () => (await import('../features/admin/admin-login-page.tsx')).AdminLoginPage),
      },
      {
        path: '/admin/dashboard',
        element: lazyPage(async () => (await import('../features/admin/admin-dashboard-page.tsx')).AdminDashboardPage),
      },
      { path: '/test-auth', element: lazyPage(async () => (await import('./test-auth-page.tsx')).TestAuthPage) },
      {
        element: <SessionGate />,
        children: [
          { index: true, element: <SectionGuard section={sections.dashboard}>{dashboard}</SectionGuard> },
          guarded(sections.dashboard, dashboard),
          guarded(
            sections.analytics,
            lazyPage(async () => (await import('../features/analytics/analytics-page.tsx')).AnalyticsPage),
          ),
          guarded(
            sections.creatives,
            lazyPage(async () => (await import('../features/creatives/creatives-page.tsx')).CreativesPage),
          ),
          guarded(
            sections.contractors,
            lazyPage(async () => (await import('../features/contractors/contractors-page.tsx')).ContractorsPage),
          ),
          guarded(
            sections.settings,
            lazyPage(async () => (await import('../features/settings/settings-page.tsx')).SettingsPage),
          ),
          guarded(
            sections.profile,
            lazyPage(async () => (await import('../features/profile/profile-page.tsx')).ProfilePage),
          ),
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(routes);
