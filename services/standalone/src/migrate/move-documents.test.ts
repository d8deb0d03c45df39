import { deliveryKey } from '@zakup/credentials/delivery-book';
import { inMemoryTables } from '@zakup/credentials/in-memory-tables';
import { expect, test } from 'vitest';
import { credentialsDifference, moveCredentials, placesInCredentials } from './move-documents.ts';

const moved = (position: number): number => position + 1000;
const places = { has: (position: number) => position !== 38, of: moved, upTo: moved };

test('MGR-2970 webhooks and what they still have to tell name the places of the server, but for what the log has lost', async () => {
  const [source, target] = [inMemoryTables(), inMemoryTables()];
  const webhook = {
    id: 'w1',
    licenceId: 'l1',
    createdBy: 'u1',
    createdAt: 1,
    url: 'enc:url',
    secret: 'enc:secret',
    events: '["*"]',
    campaignId: null,
    status: 'active',
    version: 7,
    position: 40,
    waiting: 1,
    lastDelivery: JSON.stringify({ at: 5, status: 500, ms: 3, error: null, position: 39, type: 'ChannelCreated' }),
  } as const;
  const delivery = {
    key: deliveryKey('w1', 39),
    webhookId: 'w1',
    position: 39,
    eventId: 'e39',
    stream: 'channel-l1~c1',
    revision: 0,
    type: 'ChannelCreated',
    entity: 'channel:c1',
    tries: '[]',
    failures: 1,
    since: 5,
    due: 6,
  };
  await source.transaction(async (inside) => {
    await inside.webhooks.put(webhook);
    await inside.deliveries.put(delivery);
    await inside.deliveries.put({ ...delivery, key: deliveryKey('w1', 38), position: 38 });
  });
  const named: number[] = [];
  for await (const position of placesInCredentials(source)) named.push(position);
  expect(named.toSorted((a, b) => a - b)).toEqual([7, 38, 39, 39, 40]);
  expect(await moveCredentials(source, target, places, () => undefined)).toBe(2);
  const [there] = await target.webhooks.all();
  expect([there?.position, there?.version, there?.url]).toEqual([1040, 1007, 'enc:url']);
  expect(JSON.parse(there?.lastDelivery ?? '{}')).toMatchObject({ position: 1039, status: 500 });
  const [waiting] = await target.deliveries.all();
  expect([waiting?.key, waiting?.position, waiting?.due]).toEqual([deliveryKey('w1', 1039), 1039, 6]);
  expect(await credentialsDifference(source, target, places)).toBeNull();
  await target.transaction((inside) =>
    inside.deliveries.put({ ...delivery, key: deliveryKey('w1', 1039), position: 1039, due: 7 }),
  );
  expect(await credentialsDifference(source, target, places)).toContain('deliveries');
});
