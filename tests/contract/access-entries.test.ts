import { randomBytes } from 'node:crypto';
import { commandService } from '@zakup/command/testing/command-service';
import { givenLicence, givenPerson, personPassword } from '@zakup/command/testing/given';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { afterAll, expect, test } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';

const server = await eventStoreDbServer();
afterAll(() => server.stop());

test(`ACE-8 on EventStoreDB (${server.kind}) a sign-in is one lone append, told before the answer, twenty at once too`, async () => {
  const service = await commandService(undefined, () =>
    eventStoreDbEventStore({ url: server.url, namespace: `t${randomBytes(6).toString('hex')}` }),
  );
  const licence = await givenLicence(service, { maxConcurrentSessions: 100 });
  const people = await Promise.all(Array.from({ length: 10 }, () => givenPerson(service, licence, 'CBDO')));
  const told = async (person: (typeof people)[number]): Promise<readonly string[]> =>
    (await service.eventStore.read(`access-${licence.id}~${person.id}`)).map(({ type }) => type);
  const login = ({ authCode }: (typeof people)[number], password = personPassword) =>
    service.call('POST', '/auth/employee-login', { authCode, password });
  const answered = await Promise.all([...people, ...people].map((person) => login(person)));
  expect(answered.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  // Each was let in once before.
  for (const person of people) expect(await told(person)).toEqual(['SignedIn', 'SignedIn', 'SignedIn']);
  const [guessed] = people;
  if (guessed === undefined) throw new Error('Nobody was made');
  const before = await service.eventStore.head();
  await login(guessed, 'wrong-password');
  expect(await service.eventStore.head()).toBe(before);
  service.advance(10_000);
  await expect.poll(async () => (await told(guessed)).at(-1)).toBe('SignInRefused');
  await service.close();
});
