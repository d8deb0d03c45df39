import { expect, it } from 'vitest';
import type { Try } from './credentials.ts';
import { loginThrottle } from './login-throttle.ts';
import { inMemoryTables } from './in-memory-tables.ts';

const attempt = (account: string, address = account): Try => ({ account, address, device: null, everywhere: 'door' });

it('CRD-41 the number of rows is bounded, also over a restart: those with the fewest failures go first', async () => {
  const tables = inMemoryTables();
  const book = loginThrottle(tables, 100);
  for (let failure = 0; failure < 5; failure += 1) await book.beginTry(attempt('target'), 0);
  for (let index = 0; index < 200; index += 1) await book.beginTry(attempt(`a${index}`), 1);
  // A try adds three rows, and the next one drops what is too much.
  expect((await tables.tries.all()).length).toBeLessThanOrEqual(103);
  const restarted = loginThrottle(tables, 100);
  for (let index = 0; index < 200; index += 1) await restarted.beginTry(attempt(`b${index}`), 2);
  expect((await tables.tries.all()).length).toBeLessThanOrEqual(103);
  expect((await restarted.beginTry(attempt('target'), 3)).kind).toBe('wait');
});

it('CRD-58 codes and names that were tried are not readable in what is kept', async () => {
  const tables = inMemoryTables();
  await loginThrottle(tables).beginTry(
    { account: 'SECRETCODE22', address: '10.0.0.1', device: null, everywhere: 'account' },
    0,
  );
  expect(JSON.stringify(await tables.tries.all())).not.toContain('SECRETCODE22');
});
