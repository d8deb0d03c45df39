import type { PlacementFieldName } from '@zakup/contracts/placement-fields';
import { useCallback, useMemo, useState } from 'react';
import { useOpenContractor } from '../../../shared/dialogs/contractor-opener.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import type { OpenDialog } from './placement-dialogs.tsx';

/** The dialog that is open over a placement, and the ways to open each; `openers` stay the same object. */
export const usePlacementDialog = () => {
  const openContractor = useOpenContractor();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const closeDialog = useCallback(() => setDialog(null), []);
  const openers = useMemo(
    () => ({
      onOpenContractor: ({ placement }: PlacementRow) => {
        if (placement.contractorId !== '') openContractor(placement.contractorId);
      },
      onEditNick: (row: PlacementRow) => setDialog({ kind: 'nick', row }),
      onEditComment: (row: PlacementRow) => setDialog({ kind: 'comment', row }),
      onEdit: (row: PlacementRow) => setDialog({ kind: 'edit', row }),
      onHistory: (row: PlacementRow, field?: PlacementFieldName) => setDialog({ kind: 'history', row, field }),
      onWhy: (row: PlacementRow) => setDialog({ kind: 'why', row }),
      onRemove: (row: PlacementRow) => setDialog({ kind: 'remove', row }),
    }),
    [openContractor],
  );
  return { dialog, openers, closeDialog };
};
