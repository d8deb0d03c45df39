import type { PersonWire } from '@zakup/contracts/wire-entities';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import type { EmployeeAccess } from './use-employee-access.ts';

/** Asks before a means of signing in is given anew or taken. */
export const EmployeeAccessDialogs = ({
  person,
  access: { asking, ask, reissueCode, issuePassword },
}: {
  readonly person: PersonWire;
  readonly access: EmployeeAccess;
}) => {
  const close = (): void => ask(null);
  switch (asking) {
    case null:
      return null;
    case 'code':
      return (
        <ConfirmDialog title="Выдать новый код доступа?" confirm="Выдать" onConfirm={reissueCode} onCancel={close}>
          Прежний код {person.name} перестанет действовать.
        </ConfirmDialog>
      );
    case 'password':
      return (
        <ConfirmDialog
          title="Выдать новый временный пароль?"
          confirm="Выдать"
          onConfirm={issuePassword}
          onCancel={close}
        >
          Прежний пароль перестанет действовать, открытые сессии завершатся.
        </ConfirmDialog>
      );
    case 'disable':
      return (
        <RemoveDialog
          title={`Отключить: ${person.name}?`}
          confirm="Отключить"
          path={`/api/users/${person.id}`}
          revision={person.revision}
          onClose={close}
        >
          Вход закроется сразу, открытые сессии завершатся. Размещения останутся за этим человеком.
        </RemoveDialog>
      );
  }
};
