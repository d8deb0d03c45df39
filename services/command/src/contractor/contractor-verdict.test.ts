import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenPerson, givenPlacement } from '../testing/given.ts';

describe('verdict of PUT /contractors/{id}', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const given = async () => {
    const { licence, buyer, body } = await givenBuying(service);
    const { contractorId } = await givenPlacement(service, licence.owner, body);
    const put = (change: object, token = licence.owner) =>
      service.call('PUT', `/contractors/${contractorId}`, change, { token });
    const place = () => service.call('POST', '/placements', body, { token: buyer.token });
    const undo = (commandId: string) => service.call('POST', '/undo', { commandId }, { token: licence.owner });
    const merge = async (nick: string, verdict: object) => {
      const other = (await givenPlacement(service, licence.owner, { ...body, contractor: nick })).contractorId;
      await service.call('PUT', `/contractors/${other}`, { verdict }, { token: licence.owner });
      return service.call('POST', `/contractors/${other}/merge`, { intoId: contractorId }, { token: licence.owner });
    };
    return { licence, buyer, put, place, undo, merge };
  };
  const black = { list: 'black', reason: 'Не вернул предоплату' };

  test('VRD-2147 takes the right to contractors, answers with the list, and forbids no placement', async () => {
    const { licence, buyer, put, place } = await given();
    expect((await put({ verdict: black }, buyer.token)).body.code).toBe('ACCESS_DENIED');
    const analyst = await givenPerson(service, licence, 'ANALYTIC', { permissions: { contractors: true } });
    const listed = await put({ baseRevision: 0, verdict: { ...black, reason: ` ${black.reason} ` } }, analyst.token);
    expect([listed.status, listed.body.revision]).toEqual([200, 1]);
    expect(listed.body.data.contractor).toMatchObject({ verdict: black });
    expect((await place()).status).toBe(200);
    expect((await put({ verdict: black })).body.revision, 'nothing new').toBe(1);
    const off = await put({ baseRevision: 1, verdict: null });
    expect(off.body.data.contractor).not.toHaveProperty('verdict');
  });

  test('VRD-2148 two who judge at once: the second is told of the first, and undoing brings back what stood before', async () => {
    const { put, undo } = await given();
    const first = await put({ baseRevision: 0, verdict: black });
    const white = { list: 'white', reason: 'Быстро отвечает' };
    const second = await put({ baseRevision: 0, verdict: white });
    expect([second.status, second.body.conflicts]).toMatchObject([
      409,
      [{ field: 'verdict', base: null, theirs: black, mine: white }],
    ]);
    expect((await put({ baseRevision: 0, channelName: 'Лето' })).status, 'another member').toBe(200);
    const changed = await put({ verdict: white });
    await undo(changed.body.commandId ?? '');
    expect((await put({})).body.data.contractor).toMatchObject({ verdict: black, channelName: 'Лето' });
    expect((await undo(first.body.commandId ?? '')).status).toBe(200);
    expect((await put({})).body.data.contractor).not.toHaveProperty('verdict');
  });

  test('VRD-2155 whoever receives one of the black list stands on it, until the merge is undone', async () => {
    const { put, merge, undo } = await given();
    await put({ verdict: { list: 'white', reason: 'Быстро отвечает' } });
    const merged = await merge('other', black);
    expect(merged.body.data.contractor).toMatchObject({ verdict: black });
    expect((await undo(merged.body.commandId ?? '')).status).toBe(200);
    expect((await put({})).body.data.contractor).toMatchObject({
      verdict: { list: 'white', reason: 'Быстро отвечает' },
    });
  });
});
