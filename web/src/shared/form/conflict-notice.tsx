import { WarningSign } from '@blueprintjs/icons';
import { showInstant } from '@zakup/domain/calendar';
import { messages } from '@zakup/domain/messages';
import { Button } from '../ui/button.tsx';
import { useOpenConflict } from './open-conflicts.ts';
import type { EntityForm } from './use-entity-form.ts';
import './conflict-notice.css';

/** What somebody else changed meanwhile, and the two equal ways on. */
export const ConflictNotice = ({
  form,
  label,
  show,
}: {
  readonly form: EntityForm;
  /** Name of a field such as `name` or `participants/<userId>`. */
  readonly label: (field: string) => string;
  readonly show: (field: string, value: unknown) => string;
}) => {
  useOpenConflict(form.conflict !== null);
  if (form.conflict === null) return null;
  const waiting = form.busy || !form.conflictReady;
  return (
    <div className="z-conflict" role="alert">
      <p>
        <WarningSign size={14} />
        <b>{messages.conflict}</b>
      </p>
      <ul>
        {form.conflict.conflicts.map(({ field, theirs, mine, by, at }) => (
          <li key={field}>
            <b>{label(field)}</b>: {by.name === '' ? 'другой сотрудник' : by.name}, {showInstant(at)}:{' '}
            <b>{show(field, theirs)}</b>, у вас: <b>{show(field, mine)}</b>
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
