import { WarningSign } from '@blueprintjs/icons';
import { showInstant } from '../day/shown-day.ts';
import { messages } from '@zakup/domain/messages';
import { Button } from '../ui/button.tsx';
import { useOpenConflict } from './open-conflicts.ts';
import type { EntityForm } from './use-entity-form.ts';
import './conflict-notice.css';

/** How a conflict is told. */
export interface ConflictWords {
  /** Name of a field such as `name` or `participants/<userId>`. */
  readonly label: (field: string) => string;
  readonly show: (field: string, value: unknown) => string;
}

/** What of a form a conflict is about. */
export type ConflictForm = Pick<EntityForm, 'conflict' | 'conflictReady' | 'busy' | 'takeTheirs' | 'keepMine'>;

/** What somebody else changed meanwhile, and the two equal ways on. */
export const ConflictNotice = ({ form, label, show }: ConflictWords & { readonly form: ConflictForm }) => {
  useOpenConflict(form.conflict !== null);
  if (form.conflict === null) return null;
  const waiting = form.busy || !form.conflictReady;
  return (
    <div className="z-conflict" role="alert" data-waits="" tabIndex={-1}>
      <p>
        <WarningSign size={14} />
        <b>{messages.conflict}</b>
      </p>
      <ul>
        {form.conflict.conflicts.map(({ field, base, theirs, mine, by, at }) => (
          <li key={field}>
            <b>{label(field)}</b>: {by.name === '' ? 'другой сотрудник' : by.name}, {showInstant(at)}:{' '}
            <b>{show(field, theirs)}</b>
            {base !== undefined && base !== null && base !== '' && ` (было ${show(field, base)})`}, у вас:{' '}
            <b>{show(field, mine)}</b>
          </li>
        ))}
      </ul>
      <div>
        <Button small disabled={waiting} onClick={form.takeTheirs}>
          Взять новое
        </Button>
        <Button small disabled={waiting} onClick={form.keepMine}>
          Оставить моё
        </Button>
      </div>
    </div>
  );
};
