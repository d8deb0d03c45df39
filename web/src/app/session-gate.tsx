import { lazy, Suspense, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { messages } from '@zakup/domain/messages';
import { type ActivationProps, LoginPage } from '../features/login/login-page.tsx';
import { useSessionFlow } from '../shared/session/session-context.tsx';
import { Button } from '../shared/ui/button.tsx';
import { EmptyState, Skeleton } from '../shared/ui/states.tsx';
import { useGo } from '../shared/ui/use-go.ts';

const Shell = lazy(async () => ({ default: (await import('./shell.tsx')).Shell }));
const LazyActivation = lazy(async () => ({
  default: (await import('../features/activation/activation-dialog.tsx')).ActivationDialog,
}));
const PasswordChangePage = lazy(async () => ({
  default: (await import('../features/password/password-change-page.tsx')).PasswordChangePage,
}));

/** What a navigation within this page may carry. */
export interface ReturnState {
  /** Path the person wanted before signing in. */
  readonly returnTo?: string;
}

const Activation = (props: ActivationProps) => (
  <Suspense fallback={null}>
    <LazyActivation {...props} />
  </Suspense>
);

const isHome = (path: string): boolean => ['/', '/login', '/dashboard'].includes(path);

/** Login, forced password change or the frame of the application, whichever the session calls for. */
export const SessionGate = () => {
  const { status, notice, retry, leave } = useSessionFlow();
  const location = useLocation();
  const go = useGo();
  const [wanted, setWanted] = useState<string | null>(null);

  switch (status) {
    case 'restoring':
      return null;
    case 'signedOut':
      if (notice !== null && location.pathname !== '/login') {
        const returnTo = isHome(location.pathname) ? {} : { returnTo: location.pathname + location.search };
        return <Navigate to="/login" replace state={returnTo satisfies ReturnState} />;
      }
      return (
        <LoginPage
          activation={Activation}
          notice={notice}
          onSignedIn={() => {
            const state = location.state as ReturnState | null;
            const returnTo =
              state?.returnTo ?? (isHome(location.pathname) ? undefined : location.pathname + location.search);
            setWanted(returnTo ?? null);
            go('/dashboard', { replace: true });
          }}
        />
      );
    case 'changingPassword':
      return (
        <Suspense fallback={<Skeleton />}>
          <PasswordChangePage />
        </Suspense>
      );
    case 'loading':
      return (
        <main className="z-page" aria-busy="true">
          <Skeleton rows={8} />
        </main>
      );
    case 'unreachable':
      return (
        <main className="z-fullscreen">
          <EmptyState
            level={1}
            title={messages.connectionFailed}
            actions={
              <>
                <Button look="primary" onClick={retry}>
                  Повторить
                </Button>
                <Button onClick={leave}>Выйти</Button>
              </>
            }
          >
            Вы вошли, но сервер не отвечает. Попробуйте ещё раз.
          </EmptyState>
        </main>
      );
    case 'signedIn':
      if (location.pathname === '/login') return <Navigate to="/dashboard" replace />;
      return (
        <Suspense fallback={null}>
          <Shell returnTo={wanted} onReturned={() => setWanted(null)} />
        </Suspense>
      );
  }
};
