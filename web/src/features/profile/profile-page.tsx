import { useQueryClient } from '@tanstack/react-query';
import { roleLabel } from '../../shared/session/role-label.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { type Theme, useTheme } from '../../shared/theme/theme.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { PageHeader, Panel } from '../../shared/ui/page.tsx';
import { OwnSessions } from '../../shared/session/own-sessions.tsx';
import { SecondFactor } from '../../shared/session/second-factor.tsx';
import { PasswordForm } from '../../shared/session/password-form.tsx';
import { Statement } from './statement.tsx';
import './profile.css';

const themes: readonly { readonly value: Theme | null; readonly name: string }[] = [
  { value: null, name: 'Как в системе' },
  { value: 'light', name: 'Светлая' },
  { value: 'dark', name: 'Тёмная' },
];

/** One's own data, password, sessions, theme and statement. */
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
              <dt>{person.email.startsWith('@') ? 'Telegram' : 'Почта'}</dt>
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
              queries.invalidateQueries({ queryKey: ['sessions', person.id] }).catch(() => undefined);
            }}
          />
        </Panel>
        <Panel title="Второй фактор">
          <SecondFactor
            path="/api/auth/second-factor"
            owner={person.id}
            rescuer={person.isOwner === true ? 'admin' : 'colleague'}
            needed={licence?.settings.secondFactorForAll === true}
          />
        </Panel>
        <Panel title="Сессии">
          <OwnSessions />
        </Panel>
      </div>
      <Panel title="Моя ведомость" className="z-panel-flush z-statement">
        <Statement />
      </Panel>
    </div>
  );
};
