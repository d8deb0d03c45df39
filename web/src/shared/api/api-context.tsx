import { createContext, useContext } from 'react';
import type { ApiClient } from './api-client.ts';

const ApiContext = createContext<ApiClient | null>(null);

export const ApiProvider = ApiContext.Provider;

/** The one client of this tab. */
export const useApi = (): ApiClient => {
  const client = useContext(ApiContext);
  if (client === null) throw new Error('useApi outside of ApiProvider');
  return client;
};
