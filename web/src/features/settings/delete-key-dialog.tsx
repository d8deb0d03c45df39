import type { KeyWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useSend } from '../../shared/form/use-send.ts';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';

/** Asks, and deletes: whatever uses the key is refused from then on. */
export const DeleteKeyDialog = ({
  target,
  onDeleted,
  onClose,
}: {
  readonly target: KeyWire;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await send('DELETE', `/api/keys/${encodeURIComponent(target.id)}`);
      onDeleted();
      onClose();
    } catch (thrown) {
      setProblem(problemText(thrown));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={`Удалить ключ «${target.name}»?`}
      confirm="Удалить"
      danger
      busy={busy}
      onCancel={onClose}
      onConfirm={() => {
        remove().catch(() => undefined);
      }}
    >
      <div className="z-form">
        Программы с этим ключом сразу потеряют доступ. Вернуть его нельзя, можно создать новый.
        <FormProblem text={problem} />
      </div>
    </ConfirmDialog>
  );
};
