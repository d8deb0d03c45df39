import { randomUUID } from 'node:crypto';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import type { Contractor } from '@zakup/domain/contractor/state';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamOf } from '../pipeline/ids.ts';
import { foldStream } from '../pipeline/stream-cache.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { givenBuying, givenLicence, givenPerson, givenPlacement } from '../testing/given.ts';

describe('POST /contractors/{id}/merge', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  /** A campaign with placements of contractors of these nicks. */
  const givenContractors = async (...nicks: readonly string[]) => {
    const buying = await givenBuying(service);
    const { licence, body } = buying;
    const token = licence.owner;
    const add = (contractor: string) => givenPlacement(service, token, { ...body, contractor });
    const ids: string[] = [];
    for (const nick of nicks) ids.push((await add(nick)).contractorId);
    const merge = (id: string, intoId: unknown, more: object = {}, options: object = {}): Promise<Reply> =>
      service.call('POST', `/contractors/${id}/merge`, { intoId, ...more }, { token, ...options });
    const put = (id: string, change: object): Promise<Reply> =>
      service.call('PUT', `/contractors/${id}`, change, { token });
    const note = (id: string, text: string, by = token): Promise<Reply> =>
      service.call('POST', `/contractors/${id}/notes`, { note: text }, { token: by });
    const undo = (commandId: string): Promise<Reply> => service.call('POST', '/undo', { commandId }, { token });
    const stateOf = async (id: string): Promise<Contractor> => {
      const { state } = foldStream(
        contractorDecider,
        await service.eventStore.read(streamOf('contractor', licence.id, id)),
      );
      if (state === null) throw new Error(`no contractor ${id}`);
      return state;
    };
    return { ...buying, token, add, ids, merge, put, note, undo, stateOf };
  };
  const said = ({ status, body }: Reply) => [status, body.code, body.error];

  test('CMM-1 the merged nick finds the receiving contractor, in whatever spelling, also along a chain', async () => {
    const { ids, add, merge, put } = await givenContractors('one', 'two', 'three');
    const [one = '', two = '', three = ''] = ids;
    const merged = await merge(one, two);
    expect(merged.body.data.contractor).toMatchObject({
      id: two,
      adminUsername: '@two',
      revision: merged.body.revision,
    });
    expect((await add(' https://t.me/ONE ')).contractorId).toBe(two);
    expect((await merge(two, three)).status).toBe(200);
    for (const nick of ['one', 'two', 'three']) expect((await add(nick)).contractorId).toBe(three);
    expect((await put(three, { adminUsername: 'one' })).body.data.contractor.adminUsername).toBe('@one');
    expect((await add('two')).contractorId).toBe(three);
    expect((await put(three, { adminUsername: 'four' })).status).toBe(200);
    for (const nick of ['one', 'two', 'four']) expect((await add(nick)).contractorId).toBe(three);
    expect([one, two, three]).not.toContain((await add('three')).contractorId);
  });

  test('CMM-2 old rows keep their contractor and are answered with the receiving one', async () => {
    const { ids, merge, body, token, licence } = await givenContractors('one', 'two', 'three');
    const [one = '', two = '', three = ''] = ids;
    const row = await givenPlacement(service, token, { ...body, contractor: 'one' });
    const stream = streamOf('placement', licence.id, row.id);
    await merge(one, two);
    await merge(two, three);
    const patch = (change: object) => service.call('PATCH', `/placements/${row.id}`, change, { token });
    expect((await patch({ price: 7 })).body.data.placement.contractorId).toBe(three);
    const paid = await service.call('POST', `/placements/${row.id}/payment`, {}, { token });
    expect(paid.body.data.placement.contractorId).toBe(three);
    const batch = { items: [{ op: 'change', placementId: row.id, price: 8 }] };
    const { results } = (await service.call('POST', '/placements/batch', batch, { token })).body.data;
    expect(results[0]?.placement?.contractorId).toBe(three);
    for (const contractor of ['one', 'two', 'three'])
      expect((await patch({ contractor, baseRevision: 0 })).body.revision).toBe(3);
    const events = await service.eventStore.read(stream);
    expect(events.map(({ type }) => type)).not.toContain('PlacementContractorChanged');
    expect(events[0]?.data['contractorId']).toBe(one);
  });

  test('CMM-3 conflicts name the contractor that everybody sees', async () => {
    const { ids, merge, body, token } = await givenContractors('one', 'two', 'other');
    const [one = '', two = ''] = ids;
    const row = await givenPlacement(service, token, { ...body, contractor: 'other' });
    const patch = (change: object) => service.call('PATCH', `/placements/${row.id}`, change, { token });
    await patch({ contractor: 'one' });
    await merge(one, two);
    const same = await patch({ contractor: 'two', baseRevision: 0 });
    expect([same.status, same.body.revision]).toEqual([200, 1]);
    const conflict = await patch({ contractor: 'fresh', baseRevision: 0 });
    expect(conflict.body.conflicts).toMatchObject([{ field: 'contractorId', base: ids[2], theirs: two }]);
  });

  test('CMM-4 refused: oneself, nobody, a foreign one, a merged or deactivated one, and without the right', async () => {
    const { ids, merge, put, buyer, licence } = await givenContractors('one', 'two', 'three', 'four');
    const [one = '', two = '', three = '', four = ''] = ids;
    const foreign = (await givenContractors('one')).ids[0] ?? '';
    expect(said(await merge(one, one))).toEqual([
      422,
      'VALIDATION_FAILED',
      'Контрагента нельзя объединить с самим собой',
    ]);
    expect(said(await merge(one, undefined))).toEqual([
      422,
      'VALIDATION_FAILED',
      'Выберите, с кем объединить контрагента',
    ]);
    for (const unknown of [foreign, 'nobody', '../~-', randomUUID()])
      expect(said(await merge(one, unknown))).toEqual([404, 'NOT_FOUND', 'Контрагент не найден']);
    for (const unknown of [foreign, 'nobody'])
      expect(said(await merge(unknown, one))).toEqual([404, 'NOT_FOUND', 'Контрагент не найден']);
    await put(three, { isActive: false });
    expect(said(await merge(one, three))).toEqual([
      422,
      'VALIDATION_FAILED',
      'Контрагент, с которым объединяют, отключён',
    ]);
    expect((await merge(three, four)).status).toBe(200);
    const gone = [404, 'NOT_FOUND', 'Контрагент объединён с другим'];
    expect(said(await merge(three, two))).toEqual(gone);
    expect(said(await merge(two, three))).toEqual(gone);
    expect(said(await merge(one, two, {}, { token: buyer.token }))[1]).toBe('ACCESS_DENIED');
    const analyst = await givenPerson(service, licence, 'ANALYTIC', {
      permissions: { dashboard: true, contractors: true },
    });
    expect((await merge(one, two, {}, { token: analyst.token })).status).toBe(200);
  });

  test('CMM-5 a merged one takes no change any more: 404 with the reason', async () => {
    const { ids, merge, put, note, token } = await givenContractors('one', 'two');
    const [one = '', two = ''] = ids;
    const own = (await note(one, 'до')).body.data.note;
    await merge(one, two);
    const gone = [404, 'NOT_FOUND', 'Контрагент объединён с другим'];
    expect(said(await put(one, { channelName: 'Лето' }))).toEqual(gone);
    expect(said(await note(one, 'после'))).toEqual(gone);
    const remove = (id: string) => service.call('DELETE', `/contractors/${id}/notes/${own.id}`, undefined, { token });
    expect(said(await remove(one))).toEqual(gone);
    expect((await remove(two)).status).toBe(200);
  });

  test('CMM-6 the notes of both are the receiving one’s, with who wrote them and when', async () => {
    const { ids, merge, note, buyer, licence } = await givenContractors('one', 'two');
    const [one = '', two = ''] = ids;
    await note(one, 'первая', buyer.token);
    service.advance(1000);
    await note(two, 'вторая');
    service.advance(1000);
    await note(one, 'третья');
    const { contractor } = (await merge(one, two)).body.data;
    expect(contractor.notesHistory.map(({ note: text, authorId }) => [text, authorId])).toEqual([
      ['первая', buyer.id],
      ['вторая', licence.ownerId],
      ['третья', licence.ownerId],
    ]);
    expect(contractor.notes).toBe('третья');
    expect(new Set(contractor.notesHistory.map(({ contractorId }) => contractorId))).toEqual(new Set([two]));
  });

  test('CMM-7 baseRevision: a contractor that changed since is not merged unseen', async () => {
    const { ids, merge, put } = await givenContractors('one', 'two');
    const [one = '', two = ''] = ids;
    await put(one, { channelName: 'Лето' });
    const stale = await merge(one, two, { baseRevision: 0 });
    expect([stale.status, stale.body.revision]).toEqual([409, 1]);
    expect(stale.body.conflicts).toMatchObject([{ field: 'channelName', base: 'Весна', theirs: 'Лето' }]);
    expect(said(await merge(one, two, { baseRevision: 9 }))[0]).toBe(422);
    expect((await merge(one, two, { baseRevision: 1 })).status).toBe(200);
  });

  test('CMM-8 sent again it answers the same and appends nothing', async () => {
    const { ids, merge, note, token } = await givenContractors('one', 'two');
    const [one = '', two = ''] = ids;
    const key = randomUUID();
    const first = await merge(one, two, {}, { token, key });
    await note(two, 'потом');
    service.forget();
    const head = await service.eventStore.head();
    const again = await merge(one, two, {}, { token, key });
    expect(again.body).toEqual(first.body);
    expect(await service.eventStore.head()).toBe(head);
    expect((await merge(two, one, {}, { token, key })).body.code).toBe('PAYLOAD_MISMATCH');
  });

  test('CMM-9 a completed campaign does not matter', async () => {
    const { ids, merge, campaign, token } = await givenContractors('one', 'two');
    await service.call('POST', `/campaigns/${campaign.id}/complete`, {}, { token });
    expect((await merge(ids[0] ?? '', ids[1])).status).toBe(200);
  });

  test('CMM-10 merges and additions in the same instant: nothing is placed with the merged one afterwards', async () => {
    const { ids, merge, body, token, licence } = await givenContractors('one', 'two');
    const [one = '', two = ''] = ids;
    const add = () => service.call('POST', '/placements', { ...body, contractor: 'one' }, { token });
    const replies = await Promise.all([
      ...Array.from({ length: 10 }, add),
      merge(one, two),
      ...Array.from({ length: 10 }, add),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const events = await service.eventStore.readLicence(licence.id);
    const mergedAt = events.find(({ type }) => type === 'ContractorMerged')?.position ?? 0;
    const under = events.filter(({ type, data }) => type === 'PlacementAdded' && data['contractorId'] === one);
    expect(under.filter(({ position }) => position >= mergedAt)).toEqual([]);
    expect(events.filter(({ type }) => type === 'ContractorCreated')).toHaveLength(2);
  });

  test('CMM-11 two merges of a pair into each other at once: one wins, and nobody is lost', async () => {
    const { ids, merge, add } = await givenContractors('one', 'two', 'three');
    const [one = '', two = '', three = ''] = ids;
    const replies = await Promise.all([merge(one, two), merge(two, one), merge(one, three), merge(two, three)]);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const found = new Set([(await add('one')).contractorId, (await add('two')).contractorId]);
    for (const id of found) expect((await merge(id, id)).status).toBe(422);
  });

  test('CMM-12 undone, both are what they were, with nicks and notes; undone again, merged', async () => {
    const { ids, add, merge, note, undo, stateOf } = await givenContractors('one', 'two');
    const [one = '', two = ''] = ids;
    await note(one, 'чужая');
    service.advance(1000);
    await note(two, 'своя');
    service.advance(1000);
    const before = [await stateOf(one), await stateOf(two)];
    const merged = await merge(one, two);
    const later = (await note(two, 'новая')).body.data.note;
    const undone = await undo(merged.body.commandId);
    expect(undone.body.data.changed.map(({ id }) => id)).toEqual([one, two]);
    expect(await stateOf(one)).toEqual(before[0]);
    expect((await stateOf(two)).notes.map(({ note: text }) => text)).toEqual(['своя', 'новая']);
    expect(await add('one')).toMatchObject({ contractorId: one });
    expect(await add('two')).toMatchObject({ contractorId: two });
    expect((await undo(undone.body.commandId)).status).toBe(200);
    expect(await add('one')).toMatchObject({ contractorId: two });
    expect((await stateOf(two)).notes.map(({ note: text }) => text)).toEqual(['чужая', 'своя', 'новая']);
    expect(later.contractorId).toBe(two);
  });

  test('CMM-13 the undoing is refused where the other one goes by the nick now, or was merged on; a deleted note stays deleted', async () => {
    const { ids, merge, note, undo, put, stateOf, token } = await givenContractors('one', 'two', 'three');
    const [one = '', two = '', three = ''] = ids;
    const { id: noteId } = (await note(one, 'чужая')).body.data.note;
    const merged = await merge(one, two);
    await put(two, { adminUsername: 'one' });
    expect(said(await undo(merged.body.commandId))).toEqual([409, 'DUPLICATE', 'Контрагент с таким ником уже есть']);
    await put(two, { adminUsername: 'two' });
    const onward = await merge(two, three);
    const conflict = await undo(merged.body.commandId);
    expect([conflict.status, conflict.body.conflicts]).toMatchObject([
      409,
      [{ field: 'mergedInto', theirs: three, by: { name: 'Анна' } }],
    ]);
    await undo(onward.body.commandId);
    await service.call('DELETE', `/contractors/${two}/notes/${noteId}`, undefined, { token });
    expect((await undo(merged.body.commandId)).status).toBe(200);
    expect((await stateOf(one)).notes).toEqual([]);
  });

  test('CMM-3473 both sides of a merge go back together or neither, whatever is chosen for what is in conflict', async () => {
    const { ids, merge, token, undo } = await givenContractors('one', 'two', 'three');
    const [one = '', two = '', three = ''] = ids;
    const merged = await merge(one, two);
    const apart = await undo(merged.body.commandId);
    expect(apart.status).toBe(200);
    expect((await merge(one, three)).status).toBe(200);
    for (const onConflict of ['overwrite', 'skip']) {
      const { commandId } = merged.body;
      const refused = await service.call('POST', '/undo', { commandId, onConflict }, { token });
      expect([onConflict, refused.status, refused.body.code]).toEqual([onConflict, 409, 'CONFLICT']);
    }
  });

  test('CMM-14 who merged without leading undoes it, also with notes of others; what was done to the merged one before waits', async () => {
    const { ids, merge, note, put, undo, licence, token } = await givenContractors('one', 'two');
    const [one = '', two = ''] = ids;
    await note(one, 'чужая');
    const renamed = await put(one, { channelName: 'Лето' });
    const clerk = await givenPerson(service, licence, 'MEDIA_BUYER', {
      permissions: { dashboard: true, contractors: true },
    });
    const merged = await merge(one, two, {}, { token: clerk.token });
    const conflict = await undo(renamed.body.commandId);
    expect(conflict.body.conflicts).toMatchObject([{ field: 'mergedInto', theirs: two }]);
    const body = { commandId: merged.body.commandId };
    expect((await service.call('POST', '/undo', body, { token: clerk.token })).status).toBe(200);
    expect((await service.call('POST', '/undo', { commandId: renamed.body.commandId }, { token })).status).toBe(200);
  });

  test('CMM-15 a foreign licence merges nothing here', async () => {
    const { ids } = await givenContractors('one', 'two');
    const other = await givenLicence(service);
    const reply = await service.call(
      'POST',
      `/contractors/${ids[0]}/merge`,
      { intoId: ids[1] },
      { token: other.owner },
    );
    expect(said(reply)).toEqual([404, 'NOT_FOUND', 'Контрагент не найден']);
  });

  test('CMM-16 a note deleted while merged stays one note, whatever is undone afterwards and in which order', async () => {
    const givenDeleted = async () => {
      const { ids, merge, note, undo, stateOf, token } = await givenContractors('one', 'two');
      const [one = '', two = ''] = ids;
      const { id: noteId } = (await note(one, 'чужая')).body.data.note;
      const merged = await merge(one, two);
      const deleted = await service.call('DELETE', `/contractors/${two}/notes/${noteId}`, undefined, { token });
      /** Undone, it says which notes the merged one has and which the other one. */
      const undone = async ({ body }: Reply) => {
        const reply = await undo(body.commandId);
        expect(said(reply)).toEqual([200, undefined, null]);
        const { mergedInto, notes } = await stateOf(one);
        return {
          ...reply,
          one: mergedInto === undefined ? notes.length : 'merged',
          two: (await stateOf(two)).notes.length,
        };
      };
      return { merged, deleted, undone };
    };
    const first = await givenDeleted();
    const parted = await first.undone(first.merged);
    expect(parted).toMatchObject({ one: 0, two: 0 });
    const together = await first.undone(parted);
    expect(together).toMatchObject({ one: 'merged', two: 0 });
    expect(await first.undone(first.deleted)).toMatchObject({ one: 'merged', two: 1 });
    expect(await first.undone(together)).toMatchObject({ one: 0, two: 1 });

    const second = await givenDeleted();
    const apart = await second.undone(second.merged);
    expect(await second.undone(second.deleted)).toMatchObject({ one: 0, two: 1 });
    const again = await second.undone(apart);
    expect(again).toMatchObject({ one: 'merged', two: 1 });
    expect(await second.undone(again)).toMatchObject({ one: 0, two: 1 });

    const third = await givenDeleted();
    expect(await third.undone(third.deleted)).toMatchObject({ one: 'merged', two: 1 });
    expect(await third.undone(third.merged)).toMatchObject({ one: 1, two: 0 });
  });
});
