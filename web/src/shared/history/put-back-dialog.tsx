import { WarningSign } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import type { HistoryValue } from '@zakup/contracts/history-fields';
import type { Conflict } from '@zakup/contracts/problems';
import { showInstant } from '../day/shown-day.ts';
import { messages } from '@zakup/domain/messages';
import type { UndoChoice } from '@zakup/domain/undo';
import { type FormEvent, useId, useState } from 'react';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { CheckedForm } from '../form/checked-form.tsx';
import { FormProblem } from '../form/form-problem.tsx';
import { useSend } from '../form/use-send.ts';
import { useReplica } from '../replica/replica-context.tsx';
import { useSession } from '../session/session-context.tsx';
import { announce } from '../toasts/toasts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { backWords, type HistoryChangeWire, showActor, showEntity, showField, showValue } from './journal-labels.ts';
import { setBackOf } from './put-back.ts';
import { nameOf } from './value-names.ts';
import { UndoChoiceDialog } from './undo-choice-dialog.tsx';
import '../form/conflict-notice.css';
import './history.css';

/** One field of an entry, or (`change` null) all that its command did. */
export interface PutBackOrder {
  readonly entry: HistoryEntry;
  readonly change: HistoryChangeWire | null;
}

interface PutBackProps {
  readonly order: PutBackOrder;
  readonly onClose: () => void;
  /** It is as before, by a change at this position of the log. */
  readonly onDone: (position: number) => void;
}

interface Clash {
  readonly conflicts: readonly Conflict[];
  readonly revision: number | null;
  /** Of an undo that is about placements. */
  readonly rows: ApiProblem['undo'];
}

const kindOf = (conflict: Conflict, entry: HistoryEntry): string =>
  conflict.entity?.split(':', 1)[0] ?? entry.entity.kind;

const ClashNotice = ({ clash, entry }: { readonly clash: Clash; readonly entry: HistoryEntry }) => {
  const replica = useReplica();
  return (
    <div className="z-conflict" role="alert">
      <p>
        <WarningSign size={14} />
        <b>{messages.conflict}</b>
      </p>
      <ul>
        {clash.conflicts.map((conflict) => {
          const { field, theirs, by, at } = conflict;
          const kind = kindOf(conflict, entry);
          return (
            <li key={`${conflict.entity ?? ''} ${field}`}>
              <b>{showField(kind, { field })}</b>: {by.name === '' ? 'другой сотрудник' : by.name}, {showInstant(at)}:{' '}
              <b>{showValue(kind, field, theirs as HistoryValue, nameOf(replica, kind, field, theirs))}</b>
            </li>
          );
        })}
      </ul>
    </div>
  );
};

const clashOf = (thrown: unknown): Clash | null =>
  thrown instanceof ApiProblem && thrown.code === 'CONFLICT' && thrown.conflicts.length > 0
    ? { conflicts: thrown.conflicts, revision: thrown.revision, rows: thrown.undo }
    : null;

/** Asks, gives one field the value of before, and shows who has set another one since. */
const SetBackDialog = ({
  order: { entry },
  change,
  onClose,
  onDone,
}: PutBackProps & { readonly change: HistoryChangeWire }) => {
  const send = useSend();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const { entity, actor, at } = entry;
  const restoring = change.field === 'deleted' || change.field === 'isActive';
  const old = showValue(entity.kind, change.field, change.from, change.fromName);
  const verb = backWords(entity.kind, change);

  const run = async (): Promise<void> => {
    const back = setBackOf(entry, change);
    if (back === null) return;
    setBusy(true);
    setProblem(null);
    const baseRevision = clash?.revision ?? entry.revision;
    try {
      const body = back.path.endsWith('/restore') ? back.body : { ...back.body, baseRevision };
      const { position } = await send(back.method, back.path, body);
      announce(restoring ? `Возвращено: ${showEntity(entity)}` : `${showField(entity.kind, change)}: ${old}`);
      onDone(position ?? 0);
    } catch (thrown) {
      setBusy(false);
      const found = clashOf(thrown);
      setClash(found);
      if (found === null) setProblem(problemText(thrown));
    }
  };

  return (
    <Dialog
      title={verb}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Отмена
          </Button>
          <Button look="primary" onClick={() => void run()} disabled={busy}>
            {clash === null ? verb : 'Всё равно вернуть'}
          </Button>
        </>
      }
    >
      <div className="z-form">
        <p>
          {showEntity(entity)}
          {restoring ? (
            <> снова будет в списках.</>
          ) : (
            <>
              , {showField(entity.kind, change)}: станет <b>{old}</b> вместо{' '}
              {showValue(entity.kind, change.field, change.to, change.toName)}.
            </>
          )}
        </p>
        <p className="z-secondary">
          Изменение: {showActor(actor)}, {showInstant(at)}.
        </p>
        {clash !== null && <ClashNotice clash={clash} entry={entry} />}
        <FormProblem text={problem} />
      </div>
    </Dialog>
  );
};

/** Asks (for a reason too, where it was somebody else) and undoes the whole command. */
const UndoDialog = ({ order: { entry }, onClose, onDone }: PutBackProps) => {
  const { person } = useSession();
  const send = useSend();
  const formId = useId();
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const foreign = entry.actor.userId !== person.id;

  const run = async (choice?: UndoChoice): Promise<void> => {
    if (foreign && reason.trim() === '') {
      setWrong(messages.undoReasonRequired);
      return;
    }
    setBusy(true);
    setProblem(null);
    if (choice === undefined) setClash(null);
    try {
      const { position } = await send('POST', '/api/undo', {
        commandId: entry.commandId,
        actorId: entry.actor.userId,
        ...(reason.trim() !== '' && { reason: reason.trim() }),
        ...(choice !== undefined && { onConflict: choice }),
      });
      announce('Изменение отменено');
      onDone(position ?? 0);
    } catch (thrown) {
      setBusy(false);
      const found = clashOf(thrown);
      setClash(found);
      if (found === null) setProblem(problemText(thrown));
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };

  if (clash !== null && clash.rows !== null && clash.rows.placements > 0)
    return (
      <UndoChoiceDialog
        what={`Действие от ${showInstant(entry.at)} (${showActor(entry.actor)})`}
        way="undo"
        conflicts={clash.conflicts}
        rows={clash.rows}
        busy={busy}
        problem={problem}
        onChoose={(choice) => void run(choice)}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title="Отменить изменение"
      dirty={reason !== '' && !busy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Закрыть
          </Button>
          {clash === null && (
            <Button type="submit" form={formId} look="primary" disabled={busy}>
              Отменить изменение
            </Button>
          )}
        </>
      }
    >
      <CheckedForm id={formId} onSubmit={submit}>
        <p>
          Действие от {showInstant(entry.at)} ({showActor(entry.actor)}) отменится целиком: всё, что оно изменило,
          станет прежним.
        </p>
        {foreign && clash === null && (
          <TextField
            label="Причина"
            value={reason}
            maxLength={1000}
            error={wrong}
            focusOnMount
            onChange={(value) => {
              setReason(value);
              setWrong(null);
            }}
          />
        )}
        {clash !== null && (
          <>
            <ClashNotice clash={clash} entry={entry} />
            <p>Ничего не отменено: эти поля меняли позже. Верните нужные поля по одному.</p>
          </>
        )}
        <FormProblem text={problem} />
      </CheckedForm>
    </Dialog>
  );
};

/** The confirmation of going back, of one field or of a whole command. */
export const PutBackDialog = (props: PutBackProps) =>
  props.order.change === null ? <UndoDialog {...props} /> : <SetBackDialog {...props} change={props.order.change} />;
