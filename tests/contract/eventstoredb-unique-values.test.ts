import { randomBytes } from 'node:crypto';
import { uniquenessSuite } from '@zakup/command/testing/uniqueness-suite';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { afterAll } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';

const server = await eventStoreDbServer();
afterAll(() => server.stop());

uniquenessSuite(`EventStoreDB (${server.kind})`, () =>
  eventStoreDbEventStore({ url: server.url, namespace: `t${randomBytes(6).toString('hex')}` }),
);
