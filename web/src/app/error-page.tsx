import { Error as ErrorIcon } from '@blueprintjs/icons';
import { isRouteErrorResponse, useRouteError } from 'react-router-dom';
import { Button } from '../shared/ui/button.tsx';
import { CopyButton } from '../shared/ui/copy-button.tsx';
import { EmptyState } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/moment/use-title.ts';
import { KeptChanges } from './kept-changes.tsx';

const detailsOf = (error: unknown): string => {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  if (error instanceof Error) return error.stack ?? `${error.name}: ${error.message}`;
  return String(error);
};

/** The whole window failed: reload, go home, and what to tell whoever looks into it. */
export const ErrorPage = () => {
  const details = `${detailsOf(useRouteError())}\nверсия ${__APP_VERSION__}`;
  useTitle('Что-то пошло не так');
  return (
    <main className="z-fullscreen">
      <EmptyState
        level={1}
        icon={<ErrorIcon size={26} className="z-bad" />}
        title="Что-то пошло не так"
        actions={
          <>
            <Button look="primary" onClick={() => window.location.reload()}>
              Обновить страницу
            </Button>
            <Button onClick={() => window.location.assign('/dashboard')}>На главную</Button>
          </>
        }
      >
        Экран не собрался. <KeptChanges />
      </EmptyState>
      <details className="z-panel z-details">
        <summary>Технические детали</summary>
        <CopyButton small text={details} />
        <pre className="z-mono">{details}</pre>
      </details>
    </main>
  );
};
