import { type ReactNode, useReducer } from 'react';
import { ContractorOpenerProvider } from '../../shared/dialogs/contractor-opener.tsx';
import { failedDialog } from '../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';

const ContractorDialog = lazyPart(async () => (await import('./contractor-dialog.tsx')).ContractorDialog, {
  failed: failedDialog,
});

interface Opened {
  readonly contractorId: string;
  /** How often one was opened: whoever is asked for again is shown again, also where the dialog went on to another one. */
  readonly times: number;
}

const next = (before: Opened | null, contractorId: string | null): Opened | null =>
  contractorId === null ? null : { contractorId, times: (before?.times ?? 0) + 1 };

/** Lets everything below open a contractor's dialog; one is open at a time. */
export const ContractorDialogHost = ({
  dialog: Dialog = ContractorDialog,
  children,
}: {
  readonly dialog?: typeof ContractorDialog;
  readonly children: ReactNode;
}) => {
  const [opened, open] = useReducer(next, null);
  return (
    <ContractorOpenerProvider value={open}>
      {children}
      {opened !== null && <Dialog key={opened.times} contractorId={opened.contractorId} onClose={() => open(null)} />}
    </ContractorOpenerProvider>
  );
};
