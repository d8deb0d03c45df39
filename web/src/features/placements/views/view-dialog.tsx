import type { Conflict } from '@zakup/contracts/problems';
import type { ViewWire } from '@zakup/contracts/wire-entities';
import { limits } from '@zakup/domain/limits';
import { useState } from 'react';
import { ApiProblem, problemText } from '../../../shared/api/api-problem.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useSend } from '../../../shared/form/use-send.ts';
import { TextField } from '../../../shared/ui/field.tsx';

/** Says whose name a view has by now. */
const renamedText = ({ by, theirs }: Conflict): string =>
  `Теперь вид называется «${String(theirs)}»: ${by.name === '' ? 'другой сотрудник' : by.name}. «Сохранить» ещё раз заменит это название`;

/** Saves what the table shows under a name, or gives a view another name. */
export const ViewDialog = ({
  view,
  query,
  canShare,
  onSaved,
  onClose,
}: {
  /** `null` = a new one. */
  readonly view: ViewWire | null;
  /** As the address says what the table shows. */
  readonly query: string;
  /** Whether this person may save for the team. */
  readonly canShare: boolean;
  readonly onSaved: (view: ViewWire) => void;
  readonly onClose: () => void;
}) => {
  const send = useSend();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Of the view as this person saw it last; only the team's are changed by others. */
  const [baseRevision, setBaseRevision] = useState(view?.shared ? view.revision : undefined);
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const { data } =
        view === null
          ? await send<{ readonly view: ViewWire }>('POST', '/api/views', { name, query, shared })
          : await send<{ readonly view: ViewWire }>('PUT', `/api/views/${view.id}`, { name, baseRevision });
      onSaved(data.view);
      onClose();
    } catch (thrown) {
      const clash = thrown instanceof ApiProblem && thrown.code === 'CONFLICT' ? thrown : null;
      const [conflict] = clash?.conflicts ?? [];
      if (clash) setBaseRevision(clash.revision ?? undefined);
      setProblem(conflict ? renamedText(conflict) : problemText(thrown));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={view === null ? 'Сохранить вид' : 'Переименовать вид'}
      save="Сохранить"
      busy={busy}
      endsWithAnswer
      dirty={name !== (view?.name ?? '')}
      problem={problem}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onClose={onClose}
    >
      <TextField
        label="Название"
        maxLength={limits.viewName}
        focusOnMount
        value={name}
        onChange={(next) => {
          setName(next);
          setProblem(null);
        }}
      />
      {view === null && canShare && (
        <label className="z-view-shared">
          <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />
          Для всей команды
        </label>
      )}
    </FormDialog>
  );
};
