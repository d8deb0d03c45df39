import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { afterAll } from 'vitest';
import { uniquenessSuite } from '../testing/uniqueness-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-unique-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

uniquenessSuite('memory', (clock) => inMemoryEventStore({ clock }));
uniquenessSuite('SQLite', () => sqliteEventStore({ file: join(folder, 'events.db') }));
