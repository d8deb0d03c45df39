import { sealStoreContractSuite } from './contract-suite.ts';
import { inMemorySealStore } from './in-memory.ts';

sealStoreContractSuite('in memory', async () => {
  const store = inMemorySealStore();
  return { store, another: null, end: () => store.close() };
});
