import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionWire } from '@zakup/contracts/entities';
import { showInstant } from '@zakup/domain/calendar';
import { useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { ErrorState, Skeleton } from '../../shared/ui/states.tsx';

const systemOf = (userAgent: string): string =>
  /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/u.exec(userAgent)?.[1]?.replace('Mac OS X', 'macOS') ??
  'Неизвестное устройство';

/** Where the signed-in person is signed in; others than this one can be ended. */
export const OwnSessions = () => {
  const api = useApi();
  const queries = useQueryClient();
  const { person } = useSession();
  const queryKey = ['sessions', person.id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.get<{ sessions: readonly SessionWire[] }>('/api/auth/sessions', { signal })).data.sessions,
  });
  const [ending, setEnding] = useState<string | null>(null);
  const end = (id: string): void => {
    setEnding(id);
    api
      .send('DELETE', `/api/auth/sessions/${id}`)
      .then(() => queries.invalidateQueries({ queryKey }))
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setEnding(null));
  };
  if (error && !data)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          refetch().catch(() => undefined);
        }}
      />
    );
  if (!data) return <Skeleton rows={3} height={40} />;
  return (
    <ul className="z-settings-sessions">
      {data.map((session) => (
        <li key={session.id}>
          <span className="z-settings-name">
            <b>{systemOf(session.userAgent)}</b>
            <small className="z-secondary">
              вход {showInstant(session.createdAt)}, последнее действие {showInstant(session.lastSeenAt)}
            </small>
          </span>
          {session.current ? (
            <Chip tone="good" dot>
              Эта сессия
            </Chip>
          ) : (
            <Button
              small
              disabled={ending !== null}
              aria-label={`Завершить: ${systemOf(session.userAgent)}, вход ${showInstant(session.createdAt)}`}
              onClick={() => end(session.id)}
            >
              Завершить
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
};
