import { describe, expect, it } from 'vitest';
import { credentialsContractSuite, suiteOptions } from './contract-suite.ts';
import { inMemoryCredentials } from './in-memory.ts';
import { inMemoryTables } from './in-memory-tables.ts';

credentialsContractSuite('in-memory', async () => {
  const credentials = inMemoryCredentials(suiteOptions);
  return { credentials, end: () => credentials.close() };
});

describe('In-memory tables', () => {
  it('CRM-1 a failed transaction leaves nothing', () => {
    const tables = inMemoryTables();
    const row = { hash: 'a', licenceId: '3f', expiresAt: 1 };
    expect(() =>
      tables.transaction(() => {
        tables.tickets.put(row);
        throw new Error('half-way');
      }),
    ).toThrow('half-way');
    expect(tables.tickets.all()).toEqual([]);
  });
});
