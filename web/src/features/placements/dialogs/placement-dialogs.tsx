import { showDate } from '../../../shared/day/shown-day.ts';
import type { PlacementFieldName } from '@zakup/contracts/placement-fields';
import { messages } from '@zakup/domain/messages';
import { roubles } from '../../../shared/money/roubles.ts';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { CommentDialog } from './comment-dialog.tsx';
import { EditPlacementDialog } from './edit-placement-dialog.tsx';
import { NickDialog } from './nick-dialog.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';

const PlacementHistory = lazyPart(
  async () => (await import('../../../shared/history/placement-history.tsx')).PlacementHistory,
  { failed: failedDialog },
);

const RowCplWhy = lazyPart(async () => (await import('../columns/row-cpl-why.tsx')).RowCplWhy, {
  failed: failedDialog,
});

/** A dialog over one placement, with its row as it was when the dialog opened. */
export interface OpenDialog {
  readonly kind: 'nick' | 'comment' | 'edit' | 'remove' | 'history' | 'why';
  readonly row: PlacementRow;
  /** Whose history it is; absent = the whole row's. */
  readonly field?: PlacementFieldName | undefined;
}

/** The dialog that is open over a placement. */
export const PlacementDialogs = ({
  dialog: { kind, row, field },
  current,
  nicks,
  readOnly,
  onChange,
  onRemove,
  onClose,
}: {
  readonly dialog: OpenDialog;
  /** The row as it is now. */
  readonly current: PlacementRow;
  readonly nicks: readonly string[];
  readonly readOnly: boolean;
  readonly onChange: (row: PlacementRow, body: Readonly<Record<string, unknown>>) => void;
  readonly onRemove: (row: PlacementRow) => void;
  readonly onClose: () => void;
}) => {
  switch (kind) {
    case 'nick':
      return (
        <NickDialog
          nick={row.nick}
          nicks={nicks}
          // A nick that another set meanwhile was never shown in the dialog.
          onSave={(contractor) => onChange(current.nick === row.nick ? current : row, { contractor })}
          onClose={onClose}
        />
      );
    case 'comment':
      return (
        <CommentDialog
          nick={row.nick}
          comment={row.placement.comment}
          onSave={(comment) => onChange(row, { comment })}
          onClose={onClose}
        />
      );
    case 'edit':
      return <EditPlacementDialog row={row} onSave={(body) => onChange(row, body)} onClose={onClose} />;
    case 'history':
      return (
        <PlacementHistory placementId={row.id} nick={row.nick} field={field} readOnly={readOnly} onClose={onClose} />
      );
    case 'why':
      return <RowCplWhy row={current} onClose={onClose} />;
    case 'remove':
      return (
        <ConfirmDialog
          title={`Удалить ${current.nick}, ${roubles(current.placement.price)}, ${showDate(current.placement.date)}?`}
          confirm="Удалить"
          danger
          onConfirm={() => {
            onRemove(current);
            onClose();
          }}
          onCancel={onClose}
        >
          {messages.confirmRemovePlacement}
        </ConfirmDialog>
      );
  }
};
