import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { eventStoreContractSuite } from '../contract-suite.ts';
import { sqliteEventStore } from './sqlite-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// One file for all: each test meets the events of those before it.
eventStoreContractSuite('SQLite', () => sqliteEventStore({ file: join(folder, 'events.db') }), { gapless: true });
