import type { WebhookWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { problemText } from '../../../shared/api/api-problem.ts';
import { FormProblem } from '../../../shared/form/form-problem.tsx';
import { useSend } from '../../../shared/form/use-send.ts';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { addressParts } from './webhook-texts.ts';

/** Asks, and deletes: nothing is told any more, what waits is dropped. */
export const DeleteWebhookDialog = ({
  target,
  onDeleted,
  onClose,
}: {
  readonly target: WebhookWire;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await send('DELETE', `/api/webhooks/${encodeURIComponent(target.id)}`);
      onDeleted();
      onClose();
    } catch (thrown) {
      setProblem(problemText(thrown));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={`Удалить вебхук ${addressParts(target.url).host}?`}
      confirm="Удалить"
      danger
      busy={busy}
      onCancel={onClose}
      onConfirm={() => {
        remove().catch(() => undefined);
      }}
    >
      <div className="z-form">
        Адрес больше ничего не получит, и то, что ждёт отправки, пропадёт. У нового вебхука будет другой секрет.
        <FormProblem text={problem} />
      </div>
    </ConfirmDialog>
  );
};
