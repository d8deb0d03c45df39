import { Cross } from '@blueprintjs/icons';
import { Button } from '../../../shared/ui/button.tsx';

/** That a placement stands where order, page and filters would not have it, and the way to where they do. */
export const RevealedNote = ({
  isOutside,
  onShow,
  onClose,
}: {
  /** The filters leave it out. */
  readonly isOutside: boolean;
  readonly onShow: () => void;
  readonly onClose: () => void;
}) => (
  <div className="z-revealed-note">
    <span>{isOutside ? 'Показано сверху: не подходит под фильтр' : 'Показано сверху: стоит на другой странице'}</span>
    <Button small look="plain" onClick={onShow}>
      Показать на своём месте
    </Button>
    <Button small look="plain" icon={<Cross size={12} />} aria-label="Вернуть список как был" onClick={onClose} />
  </div>
);
