import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SessionWire } from '@zakup/contracts/entities';
import { showInstant } from '@zakup/domain/calendar';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { roleLabel } from '../../shared/session/role-label.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { type Theme, useTheme } from '../../shared/theme/theme.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { PageHeader, Panel } from '../../shared/ui/page.tsx';
import { ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { PasswordForm } from '../../shared/session/password-form.tsx';
import './profile.css';

/** «Chrome, Windows» out of what a browser says of itself. */
export const deviceName = (userAgent: string): string => {
  const browser = /(YaBrowser|Edg|OPR|Firefox|Chrome|Safari)/u.exec(userAgent)?.[1];
  const names: Readonly<Record<string, string>> = { YaBrowser: 'Яндекс Браузер', Edg: 'Edge', OPR: 'Opera' };
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/u.exec(userAgent)?.[1]?.replace('Mac OS X', 'macOS');
  const known = [browser === undefined ? undefined : (names[browser] ?? browser), system].filter(Boolean).join(', ');
  return known === '' ? 'Неизвестное устройство' : known;
};

const themes: readonly { readonly value: Theme | null; readonly name: string }[] = [
  { value: null, name: 'Как в системе' },
  { value: 'light', name: 'Светлая' },
  { value: 'dark', name: 'Тёмная' },
];

const Sessions = () => {
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

  const end = (id: string | null): void => {
    setEnding(id ?? 'all');
    api
      .send('DELETE', id === null ? '/api/auth/sessions' : `/api/auth/sessions/${id}`)
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
    <>
      <ul className="z-sessions">
        {data.map((session) => (
          <li key={session.id}>
            <span>
              <b>{deviceName(session.userAgent)}</b>
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
          Завершить все остальные
        </Button>
      )}
    </>
  );
};

/** One's own data, password, sessions and theme. */
export const ProfilePage = () => {
  const { person, licence } = useSession();
  const { chosen, choose } = useTheme();
  const queries = useQueryClient();
  return (
    <div className="z-page">
      <PageHeader title="Профиль" />
      <div className="z-profile">
        <Panel title="Мои данные">
          <div className="z-profile-person">
            <Avatar name={person.name} id={person.id} />
            <dl>
              <dt>Имя</dt>
              <dd>{person.name}</dd>
              <dt>Роль</dt>
              <dd>{roleLabel(person.role)}</dd>
              <dt>Почта</dt>
              <dd>{person.email || '—'}</dd>
              {licence?.teamName && (
                <>
                  <dt>Команда</dt>
                  <dd>{licence.teamName}</dd>
                </>
              )}
            </dl>
          </div>
        </Panel>
        <Panel title="Тема">
          <div className="z-choice" role="radiogroup" aria-label="Тема">
            {themes.map(({ value, name }) => (
              <label key={name}>
                <input type="radio" name="theme" checked={chosen === value} onChange={() => choose(value)} />
                {name}
              </label>
            ))}
          </div>
        </Panel>
        <Panel title="Сменить пароль">
          <PasswordForm
            temporary={false}
            onChanged={() => {
              toasts.success('Пароль изменён, остальные сессии завершены');
              queries.invalidateQueries({ queryKey: ['sessions', person.id] }).catch(() => undefined);
            }}
          />
        </Panel>
        <Panel title="Сессии">
          <Sessions />
        </Panel>
      </div>
    </div>
  );
};
