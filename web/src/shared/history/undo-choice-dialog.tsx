import type { HistoryValue } from '@zakup/contracts/history-fields';
import type { Conflict, UndoCounts } from '@zakup/contracts/problems';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { UndoChoice } from '@zakup/domain/undo';
import { type ReactNode, useState } from 'react';
import { showInstant } from '../day/shown-day.ts';
import { FormProblem } from '../form/form-problem.tsx';
import type { Replica } from '../replica/replica.ts';
import { useReplica } from '../replica/replica-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showField, showValue } from './journal-labels.ts';
import { keyOf, mostListed } from './undo-conflicts.ts';
import { nameOf } from './value-names.ts';
import './history.css';

const verbs = {
  undo: {
    title: 'Отменить: часть изменили позже',
    all: 'Вернуть всё равно',
    rest: 'Вернуть остальные',
    ticked: 'Вернуть отмеченное',
    field: 'Вернуть прежнее',
    can: 'Вернуть',
  },
  redo: {
    title: 'Повторить: часть изменили позже',
    all: 'Повторить всё равно',
    rest: 'Повторить остальные',
    ticked: 'Повторить отмеченное',
    field: 'Поставить моё',
    can: 'Повторить',
  },
} as const;

const none: ReadonlySet<string> = new Set();

const rowsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

interface UndoChoiceProps {
  /** What is undone or repeated, as a sentence without its end. */
  readonly what: string;
  readonly way: 'undo' | 'redo';
  readonly conflicts: readonly Conflict[];
  /** Placements that it is about, and those among them that others changed. */
  readonly rows: UndoCounts;
  readonly busy?: boolean;
  readonly problem?: string | null;
  /** All conflicts are listed, and of each it can be chosen whether its field goes back. */
  readonly byField?: boolean;
  /** `back`: of the fields in conflict those that go back beside the rest (keys as `keyOf`). */
  readonly onChoose: (choice: UndoChoice, back: ReadonlySet<string>) => void;
  readonly onClose: () => void;
}

/** What the choices do, and what the person may not change any more. */
const noteOf = (way: UndoChoiceProps['way'], { placements, changed, denied = 0 }: UndoCounts): string => {
  const { all, rest } = verbs[way];
  const kept = `«${rest}» не тронет то, что изменили позже`;
  const replaced = `«${all}» заменит эти изменения; удалённое позже останется удалённым.`;
  if (denied === 0) return changed < placements ? `${kept}. ${replaced}` : replaced;
  const cannot = denied === 1 ? 'вы его менять не можете' : 'вы их менять не можете';
  const taken = `${rowsText(denied)} теперь у другого байера: ${cannot}`;
  if (changed < placements) return `${taken}. ${kept}.`;
  // Nothing can be chosen here.
  const others = 'остальное изменили позже: верните нужные поля по одному из истории размещения';
  return denied < changed ? `${taken}, ${others}.` : `${taken}.`;
};

/**
 * Others changed some of what is to be undone: how much, by whom, three values of the first, and what becomes of the whole, or field by
 * field where they are few. What the person may not change any more is not overwritten.
 */
export const UndoChoiceDialog = ({
  what,
  way,
  conflicts,
  rows,
  busy = false,
  problem = null,
  byField = false,
  onChoose,
  onClose,
}: UndoChoiceProps) => {
  const replica = useReplica();
  const { title, all, rest, ticked, field, can } = verbs[way];
  const [back, setBack] = useState(none);
  const toggle = (key: string): void =>
    setBack(new Set(back.has(key) ? [...back].filter((one) => one !== key) : [...back, key]));
  const untouched = rows.placements - rows.changed;
  const more = (rows.conflicts ?? conflicts.length) - mostListed;
  return (
    <Dialog
      title={title}
      width={600}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Отмена
          </Button>
          {(rows.denied ?? 0) === 0 && (
            <Button look="danger" onClick={() => onChoose('overwrite', none)} disabled={busy}>
              {all}
            </Button>
          )}
          {untouched + back.size > 0 && (
            <Button look="primary" onClick={() => onChoose('skip', back)} disabled={busy}>
              {back.size === 0 ? rest : untouched === 0 ? ticked : `${rest} и отмеченное`}
            </Button>
          )}
        </>
      }
    >
      <p>{what}.</p>
      <p>
        <b>
          {can} без потерь можно {formatNumber(untouched)} из {formatNumber(rows.placements)}
        </b>
        ; изменили позже: {rowsText(rows.changed)}.
      </p>
      <ul className="z-undo-clashes">
        {conflicts.slice(0, mostListed).map((conflict) => (
          <ClashItem key={keyOf(conflict)} conflict={conflict} way={way} replica={replica}>
            {byField && (
              <label>
                <input type="checkbox" checked={back.has(keyOf(conflict))} onChange={() => toggle(keyOf(conflict))} />{' '}
                {field}
              </label>
            )}
          </ClashItem>
        ))}
      </ul>
      {more > 0 && (
        <p className="z-secondary">
          И ещё {formatNumber(more)} {plural(more, 'изменение', 'изменения', 'изменений')}.
        </p>
      )}
      <p className="z-secondary">{noteOf(way, rows)}</p>
      <FormProblem text={problem} />
    </Dialog>
  );
};

const subjectOf = ({ get }: Replica, kind: string, id: string): string | undefined => {
  const contractorId =
    kind === 'placement' ? get('placement', id)?.contractorId : kind === 'contractor' ? id : undefined;
  return contractorId === undefined ? undefined : get('contractor', contractorId)?.adminUsername;
};

/** Before the action, by it, and now, with who set that. */
const ClashItem = ({
  conflict: { entity = '', field, base, mine, theirs, by, at },
  way,
  replica,
  children,
}: {
  readonly conflict: Conflict;
  readonly way: 'undo' | 'redo';
  readonly replica: Replica;
  /** What can be chosen of it. */
  readonly children: ReactNode;
}) => {
  const [kind = 'placement', id = ''] = entity === '' ? [] : entity.split(':');
  const text = (value: unknown): string => {
    if (field === 'deleted') return value === true ? 'удалено' : 'не удалено';
    if (value === null || value === undefined || value === '') return 'пусто';
    return showValue(kind, field, value as HistoryValue, nameOf(replica, kind, field, value));
  };
  const [was, own] = way === 'undo' ? [mine, base] : [base, mine];
  const subject = subjectOf(replica, kind, id);
  const label = field === 'deleted' ? 'удаление' : showField(kind, { field }).toLowerCase();
  const who = by.name === '' ? 'другой сотрудник' : by.name;
  return (
    <li>
      <b>{subject === undefined ? label : `${subject}, ${label}`}</b>
      <dl>
        {was !== null && (
          <div>
            <dt>Было</dt>
            <dd>{text(was)}</dd>
          </div>
        )}
        <div>
          <dt>Стало</dt>
          <dd>{text(own)}</dd>
        </div>
        <div>
          <dt>Сейчас</dt>
          <dd>
            <b>{text(theirs)}</b> <span className="z-secondary">{at === '' ? who : `${who}, ${showInstant(at)}`}</span>
          </dd>
        </div>
      </dl>
      {children}
    </li>
  );
};
