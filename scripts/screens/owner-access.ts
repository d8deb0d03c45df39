import { randomUUID } from 'node:crypto';
import { doors, signIn } from './viewers.ts';

/** A name that is none, so that nothing is ever sent there. */
const hook = 'https://hooks.zakup.invalid';

/** Gives a demo without keys and webhooks some of both, as the owner would. */
export const givenKeysAndWebhooks = async (address: string): Promise<void> => {
  const { token, refreshToken } = await signIn(address, doors.owner);
  const call = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const answer = await fetch(`${address}/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: Data }).data;
  };
  const { keys } = await call<{ keys: readonly unknown[] }>('GET', '/keys');
  if (keys.length === 0) {
    await call('POST', '/keys', { name: 'Отчёт по расходам в таблице', access: 'read' });
    await call('POST', '/keys', { name: 'Учётная система', access: 'write', expiresAt: '2027-03-31' });
    const sums = ['PlacementAdded', 'PlacementPriceChanged', 'PlacementLeadsRecorded'];
    await call('POST', '/webhooks', { url: `${hook}/buying/placements`, events: sums });
    const { webhook } = await call<{ webhook: { readonly id: string } }>('POST', '/webhooks', {
      url: `${hook}/payments`,
      events: ['PlacementMarkedPaid'],
    });
    await call('PUT', `/webhooks/${webhook.id}`, { status: 'paused' });
  }
  await call('POST', '/auth/logout', { refreshToken });
};
