import { testCodes } from '@zakup/credentials/testing/test-codes';
import { randomUUID } from 'node:crypto';
import type { EventToAppend } from '@zakup/event-store/event-store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReservedValue, streamOfValue } from '../pipeline/reservations.ts';
import { type CommandService, commandService, type OpenEventStore, type Reply } from './command-service.ts';
import { givenBuying, givenLicence, givenPerson, givenPlacement } from './given.ts';

const spellings = [
  'Nick',
  '@nick',
  ' NICK ',
  'https://t.me/nick',
  't.me/Nick/17',
  'http://telegram.me/nIck?x=1',
  '@@nick',
];

/** What holds of unique values on every store of the log, when many want one at once and when a process ended between two steps. */
export const uniquenessSuite = (name: string, open: OpenEventStore): void => {
  describe(`unique values on ${name}`, () => {
    let service: CommandService;
    beforeAll(async () => {
      service = await commandService(undefined, open);
    });
    afterAll(() => service.close());

    const statuses = (replies: readonly Reply[]): readonly number[] =>
      replies.map(({ status }) => status).toSorted((a, b) => a - b);
    const said = ({ status, body }: Reply) => [status, body.code, body.error];
    const atOnce = <Result>(count: number, of: (index: number) => Promise<Result>): Promise<Result[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => of(index)));
    const employee = (token: string, more: object): Promise<Reply> =>
      service.call('POST', '/employees/create', { name: 'Олег', role: 'MEDIA_BUYER', ...more }, { token });
    const add = (token: string, body: object): Promise<Reply> => service.call('POST', '/placements', body, { token });
    const rename = (token: string, id: string, adminUsername: string): Promise<Reply> =>
      service.call('PUT', `/contractors/${id}`, { adminUsername }, { token });

    /** As a process leaves it that ended after its claim, before anything else. */
    const claimAlone = async (reserved: ReservedValue, licenceId: string, id: string): Promise<void> => {
      const event: EventToAppend = {
        id: randomUUID(),
        type: 'ValueClaimed',
        data: { holder: { licenceId, id } },
        metadata: {
          licenceId,
          actorId: 'somebody',
          source: 'api',
          commandId: randomUUID(),
          requestHash: '00',
          at: new Date(service.now()).toISOString(),
          schemaVersion: 1,
        },
      };
      const write = {
        stream: streamOfValue(testCodes, reserved),
        expectedRevision: 'no_stream',
        events: [event],
      } as const;
      expect(await service.eventStore.append([write])).toMatchObject({ kind: 'appended' });
    };

    test('CMM-50 fifty additions at once of one new nick in different spellings make one contractor', async () => {
      const { licence, buyer, body } = await givenBuying(service);
      const replies = await atOnce(50, (index) =>
        add(index % 2 === 0 ? buyer.token : licence.owner, {
          ...body,
          contractor: spellings[index % spellings.length],
        }),
      );
      expect(statuses(replies)).toEqual(replies.map(() => 200));
      expect(new Set(replies.map(({ body: reply }) => reply.data.placement.contractorId)).size).toBe(1);
      const events = await service.eventStore.readLicence(licence.id);
      expect(events.filter(({ type }) => type === 'ContractorCreated')).toHaveLength(1);
    });

    test('CMM-51 a taken nick is refused to a rename; of many who want a free one at once one gets it', async () => {
      const { licence, body } = await givenBuying(service);
      const ids: string[] = [];
      for (const contractor of ['one', 'two', 'three', 'four'])
        ids.push((await givenPlacement(service, licence.owner, { ...body, contractor })).contractorId);
      const [one = '', two = ''] = ids;
      for (const taken of ['two', '@TWO', 't.me/two'])
        expect(said(await rename(licence.owner, one, taken))).toEqual([
          409,
          'DUPLICATE',
          'Контрагент с таким ником уже есть',
        ]);
      const replies = await Promise.all([
        ...ids.map((id) => rename(licence.owner, id, 'free')),
        service.call('POST', '/contractors', { adminUsername: 'free' }, { token: licence.owner }),
      ]);
      expect(statuses(replies)).toEqual([200, 409, 409, 409, 409]);
      expect((await rename(licence.owner, two, 'two')).status).toBe(200);
    });

    test('CMM-52 an e-mail wanted by many at once, in any case, is one person’s', async () => {
      const licence = await givenLicence(service);
      const other = await givenPerson(service, licence, 'MEDIA_BUYER');
      const created = await atOnce(12, (index) =>
        employee(licence.owner, { email: index % 2 === 0 ? 'Oleg@Example.com' : ' oleg@example.COM ' }),
      );
      expect(statuses(created)).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
      const moved = await service.call(
        'PUT',
        `/users/${other.id}`,
        { email: 'OLEG@example.com' },
        { token: licence.owner },
      );
      expect(said(moved)).toEqual([409, 'DUPLICATE', 'Сотрудник с таким e-mail уже есть']);
    });

    test('CMM-53 a chosen access code wanted by many at once, in two licences, is one person’s in each', async () => {
      const licences = [await givenLicence(service), await givenLicence(service)];
      const authCode = `CODE${randomUUID().slice(0, 8)}`.toUpperCase();
      const replies = await atOnce(12, (index) =>
        employee(licences[index % 2]?.owner ?? '', { email: `p${index}@example.com`, authCode }),
      );
      for (const ofOne of [0, 1])
        expect(statuses(replies.filter((_, index) => index % 2 === ofOne))).toEqual([200, 409, 409, 409, 409, 409]);
      const refused = replies.filter(({ status }) => status === 409).map((reply) => said(reply).join(' '));
      expect(new Set(refused)).toEqual(new Set(['409 DUPLICATE Такой код доступа уже занят']));
    });

    test('CMM-54 a nick that was claimed for a contractor never made: the next ones make it, under the id that was reserved', async () => {
      const { licence, body } = await givenBuying(service);
      await claimAlone({ category: 'nick', licenceId: licence.id, value: 'nick' }, licence.id, 'reserved');
      const replies = await atOnce(10, (index) =>
        add(licence.owner, { ...body, contractor: spellings[index % spellings.length] }),
      );
      expect(statuses(replies)).toEqual(replies.map(() => 200));
      expect(new Set(replies.map(({ body: reply }) => reply.data.placement.contractorId))).toEqual(
        new Set(['reserved']),
      );
      const events = await service.eventStore.readLicence(licence.id);
      expect(events.filter(({ type }) => type === 'ContractorCreated')).toHaveLength(1);
    });

    test('CMM-55 an e-mail that was claimed for a person never made is free after 60 s, for one', async () => {
      const licence = await givenLicence(service);
      const email = 'Dead@example.com';
      await claimAlone(
        { category: 'email', licenceId: licence.id, value: 'dead@example.com' },
        licence.id,
        'never-made',
      );
      service.advance(60_000);
      expect((await employee(licence.owner, { email })).status).toBe(409);
      service.advance(1);
      expect(statuses(await atOnce(5, () => employee(licence.owner, { email })))).toEqual([200, 409, 409, 409, 409]);
    });

    test('CMM-56 a chosen access code that was claimed for a person never made is free after 60 s, for one', async () => {
      const here = await givenLicence(service);
      const authCode = `DEAD${randomUUID().slice(0, 8)}`.toUpperCase();
      await claimAlone({ category: 'chosencode', value: authCode }, here.id, 'never-made');
      const create = (index: number) => employee(here.owner, { email: `d${index}@example.com`, authCode });
      service.advance(60_000);
      expect((await create(0)).status).toBe(409);
      service.advance(1);
      const replies = await atOnce(5, create);
      expect(statuses(replies)).toEqual([200, 409, 409, 409, 409]);
      const login = { authCode, password: replies.find(({ status }) => status === 200)?.body.data.temporaryPassword };
      expect((await service.call('POST', '/auth/employee-login', login)).status).toBe(200);
    });

    test('CMM-57 a nick that was claimed for a rename that never came is taken for 60 s, then makes a new contractor', async () => {
      const { licence, body } = await givenBuying(service);
      const { contractorId } = await givenPlacement(service, licence.owner, { ...body, contractor: 'old' });
      await claimAlone({ category: 'nick', licenceId: licence.id, value: 'wanted' }, licence.id, contractorId);
      const wanted = { ...body, contractor: 'wanted' };
      expect(said(await add(licence.owner, wanted))).toEqual([409, 'DUPLICATE', 'Контрагент с таким ником уже есть']);
      service.advance(60_001);
      const replies = await atOnce(5, () => add(licence.owner, wanted));
      expect(statuses(replies)).toEqual(replies.map(() => 200));
      const found = new Set(replies.map(({ body: reply }) => reply.data.placement.contractorId));
      expect(found.size).toBe(1);
      expect(found).not.toContain(contractorId);
      expect((await givenPlacement(service, licence.owner, { ...body, contractor: 'old' })).contractorId).toBe(
        contractorId,
      );
    });

    test('CMM-58 what somebody has stays theirs, however old the claim', async () => {
      const { licence, body } = await givenBuying(service);
      const { contractorId } = await givenPlacement(service, licence.owner, { ...body, contractor: 'kept' });
      const second = await givenPlacement(service, licence.owner, { ...body, contractor: 'second' });
      const person = await givenPerson(service, licence, 'MEDIA_BUYER', { email: 'kept@example.com' });
      service.advance(600_000);
      expect((await rename(licence.owner, second.contractorId, 'kept')).status).toBe(409);
      expect((await employee(licence.owner, { email: 'KEPT@example.com' })).status).toBe(409);
      const code = { email: 'other@example.com', authCode: person.authCode };
      expect((await employee(licence.owner, code)).status).toBe(409);
      expect((await givenPlacement(service, licence.owner, { ...body, contractor: 'kept' })).contractorId).toBe(
        contractorId,
      );
    });

    test('CMM-59 a merge and additions of its nick at once: each is placed with who has the nick then', async () => {
      const { licence, body } = await givenBuying(service);
      const token = licence.owner;
      const [one, two] = [
        await givenPlacement(service, token, { ...body, contractor: 'one' }),
        await givenPlacement(service, token, { ...body, contractor: 'two' }),
      ];
      const merge = (from: string, intoId: string) =>
        service.call('POST', `/contractors/${from}/merge`, { intoId }, { token });
      const additions = () => atOnce(8, () => add(token, { ...body, contractor: 'one' }));
      const replies = await Promise.all([additions(), merge(one.contractorId, two.contractorId), additions()]);
      expect(statuses(replies.flat())).toEqual(replies.flat().map(() => 200));
      const events = await service.eventStore.readLicence(licence.id);
      const merged = events.find(({ type }) => type === 'ContractorMerged')?.position ?? 0;
      const late = events.filter(({ type, position }) => type === 'PlacementAdded' && position > merged);
      // Where a precondition is looked at just before the append, a moment late is still in time: the one is a part of the other.
      const parts = service.eventStore.atomicAcrossStreams ? [] : [one.contractorId];
      for (const { data } of late) expect([two.contractorId, ...parts]).toContain(data['contractorId']);
      expect((await add(token, { ...body, contractor: 'one' })).body.data.placement.contractorId).toBe(
        two.contractorId,
      );
    });
  });
};
