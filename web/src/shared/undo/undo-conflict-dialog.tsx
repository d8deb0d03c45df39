import type { Conflict } from '@zakup/contracts/problems';
import { messages } from '@zakup/domain/messages';
import { useState } from 'react';
import { showInstant } from '../day/shown-day.ts';
import type { Replica } from '../replica/replica.ts';
import { useReplica } from '../replica/replica-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { actionText, fieldLabel, valueText } from './action-labels.ts';
import type { OwnActions, UndoConflict } from './own-actions.ts';
import { conflictKey, placementOf } from './set-back.ts';
import './undo.css';

const nickOf = (replica: Replica, placementId: string): string => {
  const contractorId = replica.get('placement', placementId)?.contractorId;
  return contractorId === undefined ? '' : (replica.get('contractor', contractorId)?.adminUsername ?? '');
};

interface ThreeValues {
  readonly key: string;
  readonly nick: string;
  readonly field: string;
  readonly was: string;
  readonly own: string;
  readonly now: string;
  readonly who: string;
}

/** Before one's own change, that change, and what stands there now. */
const threeValues = (replica: Replica, { action, way }: UndoConflict, conflict: Conflict): ThreeValues => {
  const { field, base, mine, theirs, by, at } = conflict;
  const id = placementOf(conflict, action);
  const text = (value: unknown): string =>
    field === 'deleted' ? (value === true ? 'удалено' : 'не удалено') : valueText(replica, field, value);
  const [was, own] = way === 'undo' ? [mine, base] : [base, mine];
  const who = by.name === '' ? 'другой сотрудник' : by.name;
  return {
    key: conflictKey(id, field),
    nick: nickOf(replica, id),
    field: field === 'deleted' ? 'Размещение' : fieldLabel(field),
    was: text(was),
    own: text(own),
    now: text(theirs),
    who: at === '' ? who : `${who}, ${showInstant(at)}`,
  };
};

/** An action that made its placement is undone by taking that away: what others set there has no value of before. */
const isAboutWhole = ({ action, way }: UndoConflict, id: string): boolean => {
  const op = action.changes.find((change) => change.id === id)?.op;
  return (way === 'undo' && (op === 'add' || op === 'restore')) || (way === 'redo' && op === 'delete');
};

/** Somebody changed what is to be undone: three values, and a choice for each. */
export const UndoConflictDialog = ({
  conflict,
  actions,
  onClose,
}: {
  readonly conflict: UndoConflict;
  readonly actions: OwnActions;
  readonly onClose: () => void;
}) => {
  const replica = useReplica();
  const { action, way, conflicts, known } = conflict;
  const all = conflicts.map((one) => threeValues(replica, conflict, one));
  const [taken, setTaken] = useState<ReadonlySet<string>>(() => new Set(all.map(({ key }) => key)));
  const verb = way === 'undo' ? 'Вернуть прежнее' : 'Поставить моё';
  const isOne = all.length === 1;
  const toggle = (key: string): void =>
    setTaken((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]));
  const isWhole = conflicts.some((one) => isAboutWhole(conflict, placementOf(one, action)));
  const goOn = isWhole ? 'Всё равно удалить' : isOne ? verb : 'Выполнить выбранное';
  return (
    <Dialog
      title={way === 'undo' ? 'Отменить: значение уже другое' : 'Повторить: значение уже другое'}
      width={560}
      onClose={onClose}
      footer={
        known ? (
          <>
            <Button onClick={() => actions.resolve(null)}>Оставить нынешнее</Button>
            <Button
              look={isWhole ? 'danger' : 'primary'}
              onClick={() => actions.resolve(new Set(all.flatMap(({ key }) => (taken.has(key) ? [] : [key]))))}
            >
              {goOn}
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={() => actions.resolve(null)}>
            Оставить нынешнее
          </Button>
        )
      }
    >
      <p>
        {actionText(replica, action)}. {messages.conflict}.
      </p>
      <ul className="z-undo-conflicts">
        {all.map(({ key, nick, field, was, own, now, who }) => (
          <li key={key}>
            <b>{nick === '' ? field : `${nick}, ${field}`}</b>
            <dl>
              {!isWhole && (
                <div>
                  <dt>Было</dt>
                  <dd>{was}</dd>
                </div>
              )}
              <div>
                <dt>{isWhole ? 'У вас было' : 'Вы поставили'}</dt>
                <dd>{own}</dd>
              </div>
              <div>
                <dt>Сейчас</dt>
                <dd>
                  <b>{now}</b> <span className="z-secondary">{who}</span>
                </dd>
              </div>
            </dl>
            {!isOne && !isWhole && known && (
              <label>
                <input type="checkbox" checked={taken.has(key)} onChange={() => toggle(key)} /> {verb}
              </label>
            )}
          </li>
        ))}
      </ul>
      {!known && (
        <p className="z-secondary">
          Это действие целиком уже не вернуть: верните нужные поля по одному из истории размещения.
        </p>
      )}
    </Dialog>
  );
};
