import { problemBodySchema } from '@zakup/contracts/problems';
import { jsonLog } from '@zakup/service-kit/log';
import { expect, onTestFinished, test } from 'vitest';
import { liveClient } from '../testing/live-client.ts';
import { docOf, licenceRow, userRow } from '../testing/rows.ts';
import { licenceId, startWorld } from '../testing/world.ts';

const doc = docOf(licenceId);

test('TRC-3625 what the live channel refuses is a line with the id that was answered, and without what somebody sent', async () => {
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const world = await startWorld({ deps: { log: jsonLog({ level: 'debug', destination }) } });
  onTestFinished(() => world.stop());
  await world.commit(doc.license(licenceRow({ id: licenceId })), doc.user(userRow({ id: 'buyer' })));
  const client = await world.connect((await world.signIn('buyer')).token);
  const emit = client.socket.emit.bind(client.socket) as (event: string, ...args: unknown[]) => unknown;
  emit('hunter2', { scope: 'hunter2' });
  emit('subscribe', { scope: 'hunter2' });
  await client.until(() => client.problems.length === 2);

  const stranger = liveClient(world.address, { token: 'hunter2', protocolVersion: 1 });
  onTestFinished(() => stranger.close());
  const refused = await new Promise<unknown>((resolve) => {
    stranger.socket.on('connect_error', (error) => resolve((error as Error & { readonly data?: unknown }).data));
  });

  const told = logged.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(told).toMatchObject([
    { event: 'other', problem: 'VALIDATION_FAILED', correlationId: client.problems[0]?.instance },
    { event: 'subscribe', problem: 'VALIDATION_FAILED', correlationId: client.problems[1]?.instance },
    { problem: 'UNAUTHENTICATED', correlationId: problemBodySchema.parse(refused).instance },
  ]);
  expect(logged.join('')).not.toContain('hunter2');
});
