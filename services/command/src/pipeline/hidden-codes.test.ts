import { randomUUID } from 'node:crypto';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { codeCipher } from '@zakup/credentials/code-cipher';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import { catalog } from '@zakup/domain/catalog';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { afterEach, describe, expect, test } from 'vitest';
import { refuseOtherKey } from './hidden-codes.ts';
import { eventIdOf, requestHashOf, valueHash } from './ids.ts';
import { streamOfValue } from './reservations.ts';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { type GivenLicence, givenLicence, must, ownerPassword } from '../testing/given.ts';
import { hiddenLater } from '../testing/plain-codes.ts';

let service: CommandService;
afterEach(() => service.close());

const person = { name: 'Вера', email: 'vera@example.com', role: 'MEDIA_BUYER', password: 'a-password-of-hers' };
const create = (licence: GivenLicence, more: object, key: string = randomUUID()) =>
  service.call('POST', '/employees/create', { ...person, ...more }, { token: licence.owner, key });
const signIn = (authCode: string) =>
  service.call('POST', '/auth/employee-login', { authCode, password: person.password, endOldest: true });
const logOf = async (): Promise<readonly RecordedEvent[]> => {
  const all: RecordedEvent[] = [];
  const { signal } = new AbortController();
  for await (const message of service.eventStore.subscribe({ after: 0, signal })) {
    if (message.kind === 'caught_up') break;
    // Sign-ins are told when there is time.
    all.push(...message.events.filter(({ stream }) => !stream.startsWith('access-')));
  }
  return all;
};

describe('codes in the log', () => {
  test('CT-1593 the log holds no code and no key, nor anything from which one could be guessed without the key', async () => {
    service = await commandService();
    const licence = await givenLicence(service);
    const key = randomUUID();
    const chosen = { authCode: 'ANNA' };
    const anna = must(await create(licence, chosen, key)).body.data.user;
    must(await service.call('POST', `/users/${anna.id}/reissue-code`, {}, { token: licence.owner }));
    must(await service.call('DELETE', `/users/${anna.id}`, undefined, { token: licence.owner }));
    must(await service.call('PUT', `/users/${anna.id}`, { isActive: true }, { token: licence.owner }));

    const events = await logOf();
    const shown = await Promise.all(
      [...new Set(events.map(({ stream }) => stream))].map((stream) => service.commandLog.read(stream)),
    );
    const members = Object.entries(catalog).flatMap(([type, { codes }]) => codes.map((name) => [type, name] as const));
    const plain = shown
      .flat()
      .flatMap(({ type, data }) => members.filter(([of]) => of === type).map(([, name]) => data[name]));
    // The key, the owner's code twice, and three of hers.
    expect(plain).toHaveLength(6);
    expect(plain).toEqual(expect.arrayContaining([licence.key, licence.ownerCode, 'ANNA']));
    const kept = events.map((event) => JSON.stringify(event)).join('\n');
    for (const code of plain as readonly string[]) {
      expect(kept).not.toContain(`"${code}"`);
      expect(kept).not.toContain(valueHash(code));
    }
    const created = events.find(({ type, data }) => type === 'EmployeeCreated' && data['name'] === 'Вера');
    const { stream = '', revision = 0, metadata } = created ?? {};
    const said = { type: 'EmployeeCreated', data: { ...created?.data, ...chosen }, at: metadata?.at ?? '' };
    expect(created?.id).not.toBe(eventIdOf(commandKeyOf(licence.ownerId, key), stream, revision, said));
    const guessed = requestHashOf('POST', '/api/employees/create', { ...person, ...chosen });
    expect(metadata?.requestHash).toMatch(/^[0-9a-f]{64}$/u);
    expect(metadata?.requestHash).not.toBe(guessed);
    expect(metadata?.requestHash).toBe(testCodes.hash(guessed));
  });

  test('SIG-1599 codes and keys of before are taken and free as they were, and open what they opened', async () => {
    const codes = hiddenLater(testCodes);
    service = await commandService(undefined, undefined, codes);
    const licence = await givenLicence(service);
    const anna = must(await create(licence, { authCode: 'ANNA' })).body.data.user;
    const boris = must(await create(licence, { email: 'boris@example.com' })).body.data;
    expect(JSON.stringify(await logOf())).toContain('"ANNA"');
    codes.hideFromNowOn();
    service.forget();

    const other = await givenLicence(service);
    const head = await service.eventStore.head();
    expect((await signIn('ANNA')).status).toBe(200);
    expect((await signIn(boris.authCode)).status).toBe(200);
    const again = { licenseKey: licence.key, password: ownerPassword };
    expect((await service.call('POST', '/licenses/activate', again)).status).toBe(200);
    for (const authCode of ['ANNA', boris.authCode])
      expect((await create(licence, { email: 'third@example.com', authCode })).body.code).toBe('DUPLICATE');
    expect(must(await create(other, { authCode: 'ANNA' })).body.data.authCode).toBe('ANNA');

    const fresh = must(await service.call('POST', `/users/${anna.id}/reissue-code`, {}, { token: licence.owner })).body
      .data.authCode;
    expect((await signIn(fresh)).status).toBe(200);
    const third = must(await create(licence, { email: 'third@example.com', authCode: 'ANNA' })).body.data;
    expect(third.authCode).toBe('ANNA');
    const written = JSON.stringify((await logOf()).filter(({ position }) => position > head));
    for (const code of ['"ANNA"', fresh]) expect(written).not.toContain(code);
    const stream = streamOfValue(testCodes, { category: 'chosencode', value: 'ANNA' });
    expect((await service.eventStore.read(stream)).map(({ type }) => type)).toEqual(['ValueClaimed', 'ValueClaimed']);
  });

  test('SIG-1600 a command is answered the same when it is sent again, also when it was sent before codes were hidden', async () => {
    const codes = hiddenLater(testCodes);
    service = await commandService(undefined, undefined, codes);
    const licence = await givenLicence(service);
    const [early, late] = [randomUUID(), randomUUID()];
    const first = must(await create(licence, { authCode: 'ANNA' }, early));
    codes.hideFromNowOn();
    service.forget();
    const second = must(await create(licence, { email: 'zoya@example.com' }, late));
    const { length } = await logOf();
    service.forget();
    expect((await create(licence, { authCode: 'ANNA' }, early)).body).toEqual(first.body);
    expect((await create(licence, { email: 'zoya@example.com' }, late)).body).toEqual(second.body);
    for (const key of [early, late])
      expect((await create(licence, { email: 'other@example.com' }, key)).body.code).toBe('PAYLOAD_MISMATCH');
    expect(await logOf()).toHaveLength(length);
  });

  test('CT-1594 with another key than that of the licences that are known it does not start', async () => {
    service = await commandService();
    const { readStore } = service;
    const doc = (id: string, licenseKey: string, position: number) => ({
      kind: 'license',
      id,
      licenceId: id,
      scopes: [],
      left: [],
      position,
      deleted: false,
      data: { id, createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2027-01-01T00:00:00.000Z', licenseKey },
    });
    const key = 'LICENSE-AAAA-BBBB-CCCC-DDDD';
    const commit = (docs: readonly ReturnType<typeof doc>[], position: number) =>
      readStore.commit({ docs, checkpoint: { partition: 'all', position, fence: 1 } });
    const others = codeCipher(new Uint8Array(32).fill(1));
    await commit([doc('a1', key, 1)], 1);
    await refuseOtherKey(readStore, others);
    await commit([doc('a2', testCodes.hide({ licenceId: 'a2', member: 'licenseKey' }, key), 2)], 2);
    await refuseOtherKey(readStore, testCodes);
    await expect(refuseOtherKey(readStore, others)).rejects.toThrow('The licenseKey of licence a2 was hidden');
  });
});
