import { Error as ErrorIcon } from '@blueprintjs/icons';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { Button } from './button.tsx';

/** Nothing here yet (or nothing found): one sentence, what to do next, at most two buttons. */
export const EmptyState = ({
  title,
  children,
  actions,
  icon,
  level = 2,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly icon?: ReactNode;
  /** 1 where the state is the whole screen. */
  readonly level?: 1 | 2;
}) => {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="z-state">
      {icon}
      <Heading>{title}</Heading>
      {children !== undefined && <div className="z-state-text">{children}</div>}
      {actions !== undefined && <div className="z-state-actions">{actions}</div>}
    </div>
  );
};

/** A load that failed: the reason, «Повторить», and the request's id for whoever looks into it. */
export const ErrorState = ({
  error,
  onRetry,
  title = 'Не загрузилось',
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly title?: string;
}) => (
  <div className="z-state" role="alert">
    <ErrorIcon size={20} className="z-bad" />
    <h2>{title}</h2>
    <div className="z-state-text">{problemText(error)}</div>
    <div className="z-state-actions">
      <Button onClick={onRetry}>Повторить</Button>
    </div>
    {error instanceof ApiProblem && error.requestId !== null && (
      <p className="z-mono z-quiet">запрос {error.requestId}</p>
    )}
  </div>
);

/** Grey lines of the height that will come; shown only when loading takes longer than 150 ms. */
export const Skeleton = ({
  rows = 3,
  height = 32,
  label = 'Загрузка',
}: {
  readonly rows?: number;
  /** Of one row, in px. */
  readonly height?: number;
  readonly label?: string;
}) => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={shown ? 'z-skeleton z-skeleton-shown' : 'z-skeleton'} aria-busy="true">
      <span className="z-visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <svg key={row} width="100%" height={height} aria-hidden="true">
          <rect x="0" y={height / 2 - 5} width={`${92 - ((row * 23) % 40)}%`} height="10" rx="3" />
        </svg>
      ))}
    </div>
  );
};
