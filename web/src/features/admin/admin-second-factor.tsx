import { WarningSign } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { adminSecondFactorData } from '@zakup/contracts/calls/replies';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';
import { SecondFactor } from '../../shared/session/second-factor.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';

type State = z.infer<typeof adminSecondFactorData>;

const path = '/api/admin/second-factor';

/** A request for it where other machines reach the server and a password alone guards the administration. */
export const SecondFactorAsked = ({ onSetUp }: { readonly onSetUp: () => void }) => {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['second-factor', 'admin'],
    queryFn: async ({ signal }) => (await api.get<State>(path, { signal })).data,
  });
  if (data === undefined || data.since !== null || data.wanted === 'optional') return null;
  return (
    <section className="z-admin-asked" aria-label="Второй фактор не включён">
      <WarningSign size={16} />
      <p>
        Сервер доступен с других компьютеров, а администратора защищает один пароль: кто его узнает, получит все
        лицензии.
      </p>
      <Button look="primary" onClick={onSetUp}>
        Включить второй фактор
      </Button>
    </section>
  );
};

/** The admin's second factor: whether it is on, and switching it on and off. */
export const AdminSecondFactor = ({ onClose }: { readonly onClose: () => void }) => (
  // A click beside it would lose recovery codes that are shown once.
  <Dialog title="Второй фактор администратора" closeOnOutsideClick={false} onClose={onClose}>
    <SecondFactor path={path} owner="admin" rescuer="server" />
  </Dialog>
);
