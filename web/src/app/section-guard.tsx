import type { ReactNode } from 'react';
import { Lock } from '@blueprintjs/icons';
import { signInMessages } from '@zakup/domain/sign-in-messages';
import { useSession } from '../shared/session/session-context.tsx';
import { Button } from '../shared/ui/button.tsx';
import { CopyButton } from '../shared/ui/copy-button.tsx';
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx';
import { EmptyState } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/moment/use-title.ts';
import { type Section, sections } from './sections.ts';
import { useGo } from '../shared/ui/use-go.ts';

/** Why the section is closed and who opens it; the owner's own rights are whole, so only the licence or the operator closes one to them. */
const whyClosed = (section: Section, isOwner: boolean): string => {
  if (section === sections.licenceAdmin)
    return 'Он открыт только тем, кого назвал администратор сервера в ADMIN_EMAILS.';
  return isOwner
    ? 'Его нет в лицензии вашей команды. Состав лицензии меняет администратор сервиса.'
    : 'Доступ даёт владелец или CBDO в карточке сотрудника, если раздел есть в лицензии.';
};

const AccessDenied = ({ section }: { readonly section: Section }) => {
  useTitle(signInMessages.accessDenied);
  const go = useGo();
  const { person, permissions } = useSession();
  const request = `Прошу открыть раздел «${section.name}». ${person.name}, ${person.email}`;
  return (
    <EmptyState
      level={1}
      icon={<Lock size={26} className="z-quiet" />}
      title={signInMessages.accessDenied}
      actions={
        <>
          {permissions[sections.dashboard.permission] === true && section !== sections.dashboard && (
            <Button look="primary" onClick={() => go('/dashboard')}>
              На дашборд
            </Button>
          )}
          <CopyButton text={request} label="Скопировать запрос доступа" />
        </>
      }
    >
      Раздел «{section.name}» закрыт. {whyClosed(section, person.isOwner === true)}
      <p className="z-mono z-quiet">ACCESS_DENIED</p>
    </EmptyState>
  );
};

const Title = ({ text }: { readonly text: string }) => {
  useTitle(text);
  return null;
};

/** Names the window, unless the section itself does, and opens a section only to whom it is open; a crash inside leaves the frame usable. */
export const SectionGuard = ({ section, children }: { readonly section: Section; readonly children: ReactNode }) => {
  const { permissions } = useSession();
  if (section.permission !== null && permissions[section.permission] !== true)
    return <AccessDenied section={section} />;
  return (
    <ErrorBoundary key={section.path}>
      <Title text={section.name} />
      {children}
    </ErrorBoundary>
  );
};
