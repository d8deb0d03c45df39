import { createContext, use } from 'react';

const OpenerContext = createContext<((contractorId: string) => void) | null>(null);

/** The app layer gives the function that shows a contractor's dialog: features do not know each other. */
export const ContractorOpenerProvider = OpenerContext.Provider;

const nothing = (): void => undefined;

/** Opens the contractor's dialog from anywhere; does nothing where no such dialog is registered. */
export const useOpenContractor = (): ((contractorId: string) => void) => use(OpenerContext) ?? nothing;
