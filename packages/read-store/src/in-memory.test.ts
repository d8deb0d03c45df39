import { readStoreContractSuite } from './contract-suite.ts';
import { inMemoryReadStore } from './in-memory.ts';

readStoreContractSuite('in-memory', async (declared) => {
  const store = inMemoryReadStore({ declared });
  return { store, end: () => store.close() };
});
