import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { apiClient } from '../shared/api/api-client.ts';
import { ApiProvider } from '../shared/api/api-context.tsx';
import { readRetryDelay, retriesRead } from '../shared/api/read-retries.ts';
import { tokenStore } from '../shared/api/tokens.ts';
import { SessionProvider } from '../shared/session/session-context.tsx';
import { router } from './routes.tsx';

const now = (): number => Date.now();
const tokens = tokenStore(localStorage);
const api = apiClient({
  tokens,
  fetch: (input, init) => fetch(input, init),
  now,
  locks: (navigator as { locks?: LockManager }).locks,
  source: () => (window.matchMedia('(width < 768px)').matches ? 'phone' : 'screen'),
});
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: retriesRead,
      retryDelay: readRetryDelay,
    },
  },
});

export const App = () => (
  <ApiProvider value={api}>
    <QueryClientProvider client={queries}>
      <SessionProvider tokens={tokens} storage={localStorage} now={now}>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  </ApiProvider>
);
