import { randomUUID } from 'node:crypto';
import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenPerson } from '../testing/given.ts';

describe('ids of what commands make', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  test('CM-180 a new placement has the id that its person and its key say, in capitals too', async () => {
    const { buyer, body } = await givenBuying(service);
    const key = randomUUID();
    const reply = await service.call('POST', '/placements', body, { token: buyer.token, key: key.toUpperCase() });
    expect(reply.body.data.placement.id).toBe(derivedId(commandKeyOf(buyer.id, key), 'placement'));
    const unkeyed = [1, 2].map(async () => {
      const { data, commandId } = (await service.call('POST', '/placements', body, { token: buyer.token })).body;
      expect(data.placement.id).toBe(derivedId(commandKeyOf(buyer.id, commandId), 'placement'));
      return data.placement.id;
    });
    expect(new Set(await Promise.all(unkeyed)).size, 'without a key each is one of its own').toBe(2);
  });

  test('CM-181 under one key two people, and two licences, make things of different ids', async () => {
    const [ours, theirs] = [await givenBuying(service), await givenBuying(service)];
    const colleague = await givenPerson(service, ours.licence, 'MEDIA_BUYER');
    const key = randomUUID();
    const makers = [
      { body: ours.body, token: ours.buyer.token },
      { body: { ...ours.body, buyerId: colleague.id }, token: colleague.token },
      { body: ours.body, token: ours.licence.owner },
      { body: theirs.body, token: theirs.buyer.token },
      { body: theirs.body, token: theirs.licence.owner },
    ];
    const made: string[] = [];
    for (const { body, token } of makers) {
      const reply = await service.call('POST', '/placements', body, { token, key });
      expect(reply.status).toBe(200);
      made.push(reply.body.data.placement.id);
    }
    expect(new Set(made).size).toBe(makers.length);
  });
});

describe('a log that has forgotten which commands it took', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService(undefined, (clock) => ({
      ...inMemoryEventStore({ clock }),
      readCommand: async () => [],
    }));
  });
  afterAll(() => service.close());

  test('CM-182 a placement is made once by its command: sent again it is refused, with or without it still there', async () => {
    const { buyer, body } = await givenBuying(service);
    const options = { token: buyer.token, key: randomUUID() };
    const first = await service.call('POST', '/placements', body, options);
    expect(first.status).toBe(200);
    const again = async (more: object = {}): Promise<void> => {
      const head = await service.eventStore.head();
      const { status, body: answer } = await service.call('POST', '/placements', { ...body, ...more }, options);
      expect([status, answer.code, answer.error]).toEqual([409, 'DUPLICATE', 'Такое размещение уже есть']);
      expect(await service.eventStore.head()).toBe(head);
    };
    await again();
    await again({ contractor: 'another_nick', price: 7 });
    service.forget();
    await again();
    const { id } = first.body.data.placement;
    expect((await service.call('DELETE', `/placements/${id}`, undefined, { token: buyer.token })).status).toBe(200);
    await again();
  });
});
