import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject } from 'react-router-dom';
import { useSession } from '../shared/session/session-context.tsx';
import { Skeleton } from '../shared/ui/states.tsx';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { rememberedPath } from './remembered-view.ts';
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

/** `/`: the view the person was last on, else the dashboard. */
const Start = ({ children }: { readonly children: ReactNode }) => {
  const { permissions } = useSession();
  const last = rememberedPath(permissions);
  if (last !== null) return <Navigate to={last} replace />;
  return <SectionGuard section={sections.dashboard}>{children}</SectionGuard>;
};

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
          { index: true, element: <Start>{dashboard}</Start> },
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
            { ...sections.creatives, path: `${sections.creatives.path}/:id` },
            lazyPage(async () => (await import('../features/creatives/creative-page.tsx')).CreativePage),
          ),
          guarded(
            sections.contractors,
            lazyPage(async () => (await import('../features/contractors/contractors-page.tsx')).ContractorsPage),
          ),
          guarded(
            sections.journal,
            lazyPage(async () => (await import('../features/journal/journal-page.tsx')).JournalPage),
          ),
          guarded(
            sections.settings,
            lazyPage(async () => (await import('../features/settings/settings-page.tsx')).SettingsPage),
          ),
          guarded(
            sections.profile,
            lazyPage(async () => (await import('../features/profile/profile-page.tsx')).ProfilePage),
          ),
          guarded(
            sections.licenceAdmin,
            lazyPage(async () => (await import('../features/licence/licence-admin-page.tsx')).LicenceAdminPage),
          ),
          { path: '*', element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(routes);
