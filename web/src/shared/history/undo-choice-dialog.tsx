import type { HistoryValue } from '@zakup/contracts/history-fields';
import type { Conflict, Problem } from '@zakup/contracts/problems';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { UndoChoice } from '@zakup/domain/undo';
import { showInstant } from '../day/shown-day.ts';
import { FormProblem } from '../form/form-problem.tsx';
import type { Replica } from '../replica/replica.ts';
import { useReplica } from '../replica/replica-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { showField, showValue } from './journal-labels.ts';
import { nameOf } from './value-names.ts';
import './history.css';

/** Changes of others that are listed; the rest is counted. */
const mostListed = 5;

const verbs = {
  undo: {
    title: 'Отменить: часть изменили позже',
    all: 'Вернуть всё равно',
    rest: 'Вернуть остальные',
    can: 'Вернуть',
  },
  redo: {
    title: 'Повторить: часть изменили позже',
    all: 'Повторить всё равно',
    rest: 'Повторить остальные',
    can: 'Повторить',
  },
} as const;

const rowsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

interface UndoChoiceProps {
  /** What is undone or repeated, as a sentence without its end. */
  readonly what: string;
  readonly way: 'undo' | 'redo';
  readonly conflicts: readonly Conflict[];
  /** Placements that it is about, and those among them that others changed. */
  readonly rows: NonNullable<Problem['undo']>;
  readonly busy?: boolean;
  readonly problem?: string | null;
  readonly onChoose: (choice: UndoChoice) => void;
  readonly onClose: () => void;
}

/** Others changed some of what is to be undone: how much, by whom, three values of the first, and what becomes of the whole. */
export const UndoChoiceDialog = ({
  what,
  way,
  conflicts,
  rows,
  busy = false,
  problem = null,
  onChoose,
  onClose,
}: UndoChoiceProps) => {
  const replica = useReplica();
  const { title, all, rest, can } = verbs[way];
  const untouched = rows.placements - rows.changed;
  const more = conflicts.length - mostListed;
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
          <Button look="danger" onClick={() => onChoose('overwrite')} disabled={busy}>
            {all}
          </Button>
          {untouched > 0 && (
            <Button look="primary" onClick={() => onChoose('skip')} disabled={busy}>
              {rest}
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
          <ClashItem
            key={`${conflict.entity ?? ''} ${conflict.field}`}
            conflict={conflict}
            way={way}
            replica={replica}
          />
        ))}
      </ul>
      {more > 0 && (
        <p className="z-secondary">
          И ещё {formatNumber(more)} {plural(more, 'изменение', 'изменения', 'изменений')}.
        </p>
      )}
      <p className="z-secondary">
        «{rest}» не тронет то, что изменили позже. «{all}» заменит эти изменения; удалённое позже останется удалённым.
      </p>
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
}: {
  readonly conflict: Conflict;
  readonly way: 'undo' | 'redo';
  readonly replica: Replica;
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
    </li>
  );
};
