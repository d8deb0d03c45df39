import { describe, expect, it } from 'vitest';
import { credentialsContractSuite, suiteOptions } from './contract-suite.ts';
import { inMemoryCredentials } from './in-memory.ts';
import { inMemoryTables } from './in-memory-tables.ts';

credentialsContractSuite('in-memory', async () => {
  const credentials = inMemoryCredentials(suiteOptions);
  return { credentials, end: () => credentials.close() };
});

describe('In-memory tables', () => {
  const row = { hash: 'a', licenceId: '3f', expiresAt: 1 };

  it('CRM-1 a failed transaction leaves nothing', async () => {
    const tables = inMemoryTables();
    const half = tables.transaction(async ({ tickets }) => {
      await tickets.put(row);
      throw new Error('half-way');
    });
    await expect(half).rejects.toThrow('half-way');
    expect(await tables.tickets.all()).toEqual([]);
  });

  it('CRM-2 transactions run one after another, and a read between sees whole ones only', async () => {
    const tables = inMemoryTables();
    const counted = async (): Promise<void> =>
      tables.transaction(async ({ tickets }) => {
        const before = (await tickets.get('a'))?.expiresAt ?? 0;
        await tickets.put({ ...row, expiresAt: before + 0.5 });
        await Promise.resolve();
        await tickets.put({ ...row, expiresAt: before + 1 });
      });
    const counting = Promise.all([counted(), counted(), counted()]);
    const seen = await Promise.all([tables.tickets.get('a'), tables.tickets.all()]);
    await counting;
    expect(seen).toEqual([{ ...row, expiresAt: 3 }, [{ ...row, expiresAt: 3 }]]);
  });
});
