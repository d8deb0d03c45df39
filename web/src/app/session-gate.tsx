import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { signInMessages } from '@zakup/domain/sign-in-messages';
import { type ActivationProps, LoginPage } from '../features/login/login-page.tsx';
import { useSessionFlow } from '../shared/session/session-context.tsx';
import { Button } from '../shared/ui/button.tsx';
import { FailedPart } from '../shared/ui/error-boundary.tsx';
import { lazyPart } from '../shared/ui/lazy-part.tsx';
import { EmptyState, Skeleton } from '../shared/ui/states.tsx';
import { useGo } from '../shared/ui/use-go.ts';
import { useTitle } from '../shared/moment/use-title.ts';

const Shell = lazy(async () => ({ default: (await import('./shell.tsx')).Shell }));
const Activation = lazyPart(
  async (): Promise<ComponentType<ActivationProps>> =>
    (await import('../features/activation/activation-dialog.tsx')).ActivationDialog,
  { failed: (retry, { onClose }) => <FailedPart onRetry={retry} onClose={onClose} /> },
);
const PasswordChangePage = lazy(async () => ({
  default: (await import('../features/password/password-change-page.tsx')).PasswordChangePage,
}));

/** What a navigation within this page may carry. */
export interface ReturnState {
  /** Path the person wanted before signing in. */
  readonly returnTo?: string;
}

const isHome = (path: string): boolean => ['/', '/login', '/dashboard'].includes(path);

const Unreachable = ({ onRetry, onLeave }: { readonly onRetry: () => void; readonly onLeave: () => void }) => {
  useTitle(signInMessages.connectionFailed);
  return (
    <main className="z-fullscreen">
      <EmptyState
        level={1}
        title={signInMessages.connectionFailed}
        actions={
          <>
            <Button look="primary" onClick={onRetry}>
              Повторить
            </Button>
            <Button onClick={onLeave}>Выйти</Button>
          </>
        }
      >
        Вы вошли, но сервер не отвечает. Попробуйте ещё раз.
      </EmptyState>
    </main>
  );
};

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
      return <Unreachable onRetry={retry} onLeave={leave} />;
    case 'signedIn':
      if (location.pathname === '/login') return <Navigate to="/dashboard" replace />;
      return (
        <Suspense fallback={null}>
          <Shell returnTo={wanted} onReturned={() => setWanted(null)} />
        </Suspense>
      );
  }
};
