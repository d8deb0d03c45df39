import { formatNumber } from '@zakup/domain/russian';
import { ConfirmDialog } from '../ui/dialog.tsx';

/** Asks before what an import wrote is taken back. */
export const ImportUndoQuestion = ({
  added,
  changed,
  onConfirm,
  onClose,
}: {
  readonly added: number;
  readonly changed: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) => (
  <ConfirmDialog
    title="Отменить импорт?"
    confirm="Отменить импорт"
    cancel="Вернуться"
    danger
    onConfirm={onConfirm}
    onCancel={onClose}
  >
    Добавленные размещения ({formatNumber(added)}) будут удалены, изменённые ({formatNumber(changed)}) получат прежние
    значения.
  </ConfirmDialog>
);
