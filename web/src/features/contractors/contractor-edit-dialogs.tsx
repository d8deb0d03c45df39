import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { ChangeContractorDialog } from './change-contractor-dialog.tsx';
import { MergeContractorDialog } from './merge-contractor-dialog.tsx';

/** What is being done to the contractor in a dialog above; `intoId`: with whom to begin. */
export type ContractorEdit = { readonly kind: 'change' } | { readonly kind: 'merge'; readonly intoId: string | null };

/** The dialog in which a contractor is changed or merged. */
export const ContractorEditDialogs = ({
  edit,
  contractor,
  noteCount,
  mayMerge,
  onEdit,
  onMerged,
}: {
  readonly edit: ContractorEdit;
  readonly contractor: ContractorWire;
  /** Null while nobody knows. */
  readonly noteCount: number | null;
  readonly mayMerge: boolean;
  /** Goes on to another dialog; null closes. */
  readonly onEdit: (edit: ContractorEdit | null) => void;
  /** Told who it is a part of now. */
  readonly onMerged: (intoId: string) => void;
}) => {
  const close = (): void => onEdit(null);
  switch (edit.kind) {
    case 'change':
      return (
        <ChangeContractorDialog
          contractor={contractor}
          onClose={close}
          onMerge={mayMerge ? (intoId) => onEdit({ kind: 'merge', intoId }) : null}
        />
      );
    case 'merge':
      return (
        <MergeContractorDialog
          contractor={contractor}
          noteCount={noteCount}
          intoId={edit.intoId}
          onClose={close}
          onMerged={(intoId) => {
            close();
            onMerged(intoId);
          }}
        />
      );
  }
};
