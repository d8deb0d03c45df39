import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionWire } from '@zakup/contracts/wire-entities';
import { showInstant } from '../day/shown-day.ts';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { problemText } from '../api/api-problem.ts';
import { QueryFailure } from '../load/query-failure.tsx';
import { toasts } from '../toasts/toasts.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Skeleton } from '../ui/states.tsx';
import './session-list.css';

/** «Chrome, Windows» out of what a browser says of itself. */
const deviceName = (userAgent: string): string => {
  const browser = /(YaBrowser|Edg|OPR|Firefox|Chrome|Safari)/u.exec(userAgent)?.[1];
  const names: Readonly<Record<string, string>> = { YaBrowser: 'Яндекс Браузер', Edg: 'Edge', OPR: 'Opera' };
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/u.exec(userAgent)?.[1]?.replace('Mac OS X', 'macOS');
  const known = [browser === undefined ? undefined : (names[browser] ?? browser), system].filter(Boolean).join(', ');
  return known === '' ? 'Неизвестное устройство' : known;
};

/** Open sessions, oldest first; others than the one on screen can be ended, one by one or all. */
export const SessionList = ({
  path,
  personId,
  endAll,
}: {
  /** Where they are read and ended. */
  readonly path: `/api/${string}`;
  readonly personId: string;
  /** On the button that ends all but the one on screen. */
  readonly endAll: string;
}) => {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = ['sessions', personId];
  const sessions = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.get<{ sessions: readonly SessionWire[] }>(path, { signal })).data.sessions,
  });
  const [ending, setEnding] = useState<string | null>(null);

  const end = (id: string | null): void => {
    setEnding(id ?? 'all');
    api
      .send('DELETE', id === null ? path : `${path}/${id}`)
      .then(() => queries.invalidateQueries({ queryKey }))
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setEnding(null));
  };

  const { data } = sessions;
  if (!data && sessions.error) return <QueryFailure query={sessions} />;
  if (!data) return <Skeleton rows={3} height={40} />;
  if (data.length === 0) return <p className="z-secondary">Открытых сессий нет.</p>;
  return (
    <>
      <QueryFailure of="Сессии" query={sessions} />
      <ul className="z-sessions">
        {data.map((session) => (
          <li key={session.id}>
            <span>
              <b>{deviceName(session.userAgent)}</b>
              <small className="z-secondary">
                <span>вход {showInstant(session.createdAt)},</span>{' '}
                <span>последнее действие {showInstant(session.lastSeenAt)}</span>
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
                aria-label={`Завершить: ${deviceName(session.userAgent)}, вход ${showInstant(session.createdAt)}`}
                onClick={() => end(session.id)}
              >
                Завершить
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.length > 1 && (
        <Button look="danger" disabled={ending !== null} onClick={() => end(null)}>
          {endAll}
        </Button>
      )}
    </>
  );
};
