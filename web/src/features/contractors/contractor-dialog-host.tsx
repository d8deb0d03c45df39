import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ContractorOpenerProvider } from '../../shared/dialogs/contractor-opener.tsx';

const ContractorDialog = lazy(async () => ({
  default: (await import('./contractor-dialog.tsx')).ContractorDialog,
}));

/** Lets everything below open a contractor's dialog; one is open at a time. */
export const ContractorDialogHost = ({ children }: { readonly children: ReactNode }) => {
  const [contractorId, setContractorId] = useState<string | null>(null);
  return (
    <ContractorOpenerProvider value={setContractorId}>
      {children}
      {contractorId !== null && (
        <Suspense fallback={null}>
          <ContractorDialog key={contractorId} contractorId={contractorId} onClose={() => setContractorId(null)} />
        </Suspense>
      )}
    </ContractorOpenerProvider>
  );
};
