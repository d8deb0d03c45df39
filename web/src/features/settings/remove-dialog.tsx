import { type ReactNode, useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useSend } from '../../shared/form/use-send.ts';

/** Asks, deletes, and says in place why the server would not. */
export const RemoveDialog = ({
  title,
  confirm = 'Удалить',
  path,
  revision,
  children,
  onClose,
}: {
  readonly title: string;
  readonly confirm?: string;
  readonly path: string;
  /** What the person saw of the entity. */
  readonly revision: number;
  readonly children: ReactNode;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const [seen] = useState(revision);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // After a refusal the person has read what changed: the next try stands on it.
  const baseRevision = problem === null ? seen : revision;
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await send('DELETE', path, undefined, { baseRevision });
      onClose();
    } catch (thrown) {
      setProblem(problemText(thrown));
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      danger
      busy={busy}
      onCancel={onClose}
      onConfirm={() => {
        remove().catch((thrown: unknown) => setProblem(problemText(thrown)));
      }}
    >
      <div className="z-form">
        {children}
        <FormProblem text={problem} />
      </div>
    </ConfirmDialog>
  );
};
