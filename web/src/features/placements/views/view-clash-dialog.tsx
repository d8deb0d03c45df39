import type { Conflict } from '@zakup/contracts/problems';
import type { ViewWire } from '@zakup/contracts/wire-entities';
import { showInstant } from '../../../shared/day/shown-day.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';

/** A view that somebody changed since this person saw it, instead of which nothing was saved. */
export interface ViewClash {
  readonly view: ViewWire;
  readonly conflict: Conflict;
  /** What the next change is to name; null = the server named none. */
  readonly revision: number | null;
}

/** Asks what is to become of what the table shows, as the view is another's by now. */
export const ViewClashDialog = ({
  clash: { view, conflict },
  onReplace,
  onSaveAsNew,
  onShow,
  onClose,
}: {
  readonly clash: ViewClash;
  readonly onReplace: () => void;
  /** Null = this person saves none. */
  readonly onSaveAsNew: (() => void) | null;
  /** Shows the view as the other left it. */
  readonly onShow: () => void;
  readonly onClose: () => void;
}) => {
  const closing = (act: () => void) => () => {
    onClose();
    act();
  };
  const name = conflict.by.name === '' ? 'другой сотрудник' : conflict.by.name;
  return (
    <Dialog
      title="Вид изменён"
      onClose={onClose}
      footer={
        <>
          <Button onClick={closing(onShow)}>Показать изменённый</Button>
          {onSaveAsNew && <Button onClick={closing(onSaveAsNew)}>Сохранить как новый…</Button>}
          <Button look="primary" onClick={closing(onReplace)}>
            Заменить
          </Button>
        </>
      }
    >
      <p>
        Вид «{view.name}» изменён, пока он был открыт: {name}, {showInstant(conflict.at)}. Ничего не сохранено.
      </p>
    </Dialog>
  );
};
