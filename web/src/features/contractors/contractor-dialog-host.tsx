import { type ReactNode, useState } from 'react';
import { ContractorOpenerProvider } from '../../shared/dialogs/contractor-opener.tsx';
import { failedDialog } from '../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';

const ContractorDialog = lazyPart(async () => (await import('./contractor-dialog.tsx')).ContractorDialog, {
  failed: failedDialog,
});

/** Lets everything below open a contractor's dialog; one is open at a time. */
export const ContractorDialogHost = ({
  dialog: Dialog = ContractorDialog,
  children,
}: {
  readonly dialog?: typeof ContractorDialog;
  readonly children: ReactNode;
}) => {
  const [contractorId, setContractorId] = useState<string | null>(null);
  return (
    <ContractorOpenerProvider value={setContractorId}>
      {children}
      {contractorId !== null && (
        <Dialog key={contractorId} contractorId={contractorId} onClose={() => setContractorId(null)} />
      )}
    </ContractorOpenerProvider>
  );
};
