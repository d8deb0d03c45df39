import { useSessionFlow } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EntryPage } from '../../shared/ui/entry-page.tsx';
import { useTitle } from '../../shared/moment/use-title.ts';
import { PasswordForm } from '../../shared/session/password-form.tsx';
import { useGo } from '../../shared/ui/use-go.ts';

/** The only screen a temporary password opens. Its form stands in the profile too, so it is shared: features do not know each other. */
export const PasswordChangePage = () => {
  useTitle('Новый пароль');
  const { passwordChanged, leave } = useSessionFlow();
  const go = useGo();
  return (
    <EntryPage
      title="Смените пароль"
      below={
        <Button look="plain" onClick={leave}>
          Выйти
        </Button>
      }
    >
      <p className="z-entry-notice">
        Вы вошли с паролем, который задали не вы. Он временный и открывает только эту страницу: задайте свой, чтобы
        продолжить.
      </p>
      <PasswordForm
        temporary
        onChanged={() => {
          passwordChanged();
          go('/dashboard', { replace: true });
        }}
      />
    </EntryPage>
  );
};
