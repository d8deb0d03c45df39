import { type ReactNode, useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { FormProblem } from '../../shared/form/form-problem.tsx';
import { useSend } from '../../shared/form/use-send.ts';
import type { KeptKind } from '../../shared/kept/kept-kinds.ts';
import { type KeptCall, useKeptSend } from '../../shared/kept/use-kept-send.ts';

/** Asks, deletes, and says in place why the server would not. */
export const RemoveDialog = ({
  title,
  confirm = 'Удалить',
  path,
  revision,
  kept,
  children,
  onRemoved,
  onClose,
}: {
  readonly title: string;
  readonly confirm?: string;
  readonly path: string;
  /** What the person saw of the entity; absent = there are no versions of it to compare. */
  readonly revision?: number;
  /** Whose deletion is kept while nobody answers; absent = it is not. */
  readonly kept?: Pick<KeptCall<KeptKind>, 'kind' | 'doc' | 'label'>;
  readonly children: ReactNode;
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const keptSend = useKeptSend();
  const [seen] = useState(revision);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // After a refusal the person has read what changed: the next try stands on it.
  const baseRevision = problem === null ? seen : revision;
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      if (kept) await keptSend({ ...kept, method: 'DELETE', path, body: { baseRevision } });
      else await send('DELETE', path, undefined, baseRevision === undefined ? undefined : { baseRevision });
      onRemoved?.();
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
