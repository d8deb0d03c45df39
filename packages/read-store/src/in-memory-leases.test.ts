import { inMemoryLeases } from './in-memory-leases.ts';
import { leasesContractSuite } from './leases-contract-suite.ts';

leasesContractSuite('in-memory', async () => {
  const leases = inMemoryLeases();
  return { of: async () => leases, stall: async (_holder, name) => leases.expire(name), end: async () => undefined };
});
