import { randomUUID } from 'node:crypto';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenTeam, type Team } from './team.ts';

const query = 'payment=unpaid&sort=-date';

describe('views of the table under names', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());

  type Role = keyof Team['actors'];
  const call = (role: Role, method: string, path: string, body?: object, key?: string) =>
    team.api.call(method, path, body, {
      token: team.actors[role].token,
      ...(key !== undefined && { key }),
    });
  const save = async (role: Role, body: object) => {
    const { body: reply } = await call(role, 'POST', '/views', { query, ...body });
    return (
      reply.data as unknown as {
        readonly view: { readonly id: string; readonly name: string; readonly revision: number };
      }
    ).view;
  };
  const named = async (role: Role): Promise<readonly string[]> => {
    const { body } = await call(role, 'GET', '/views');
    return (body.data as unknown as { readonly views: readonly { readonly name: string }[] }).views.map(
      ({ name }) => name,
    );
  };

  it('VIW-2351 one’s own views are seen by nobody else, the team’s by everybody; each is checked and kept without the page', async () => {
    const name = team.fresh('Мой ');
    const shared = team.fresh('Общий ');
    const { body } = await call('MEDIA_BUYER', 'POST', '/views', { name: ` ${name} `, query: `page=3&${query}` });
    expect(body).toMatchObject({ success: true, data: { view: { name, query, shared: false } } });
    await save('MEDIA_BUYER', { name: shared, shared: true });
    expect(await named('MEDIA_BUYER')).toEqual(expect.arrayContaining([name, shared]));
    const others = await named('ANALYTIC');
    expect([others.includes(name), others.includes(shared)]).toEqual([false, true]);
  });

  it('VIW-2352 a view is saved once for a key, and what one saves another neither changes nor deletes', async () => {
    const key = randomUUID();
    const body = { name: team.fresh('Один '), query };
    const first = await call('MEDIA_BUYER', 'POST', '/views', body, key);
    expect((await call('MEDIA_BUYER', 'POST', '/views', body, key)).body).toEqual(first.body);
    expect((await call('MEDIA_BUYER', 'POST', '/views', body)).body).toMatchObject({
      code: 'DUPLICATE',
      error: messages.viewNameTaken,
    });
    const { view } = first.body.data as unknown as { readonly view: { readonly id: string } };
    for (const role of ['ANALYTIC', 'CBDO'] as const)
      for (const [method, sent] of [['PUT', { name: 'Иначе' }] as const, ['DELETE', undefined] as const])
        expect((await call(role, method, `/views/${view.id}`, sent)).status).toBe(404);
  });

  it('VIW-2353 a view of the team is saved by who may change placements, changed and deleted by its author and by who leads', async () => {
    expect((await call('ANALYTIC', 'POST', '/views', { name: 'Нельзя', query, shared: true })).status).toBe(403);
    const { id } = await save('TEAM_LEAD', { name: team.fresh('Команды '), shared: true });
    expect((await call('MEDIA_BUYER', 'PUT', `/views/${id}`, { query: 'sort=date' })).body).toMatchObject({
      code: 'ACCESS_DENIED',
      error: messages.viewNotYours,
    });
    const renamed = team.fresh('Иначе ');
    expect((await call('CBDO', 'PUT', `/views/${id}`, { name: renamed })).body).toMatchObject({
      data: { view: { id, name: renamed, query, shared: true, authorId: team.actors.TEAM_LEAD.id } },
    });
    const own = await save('MEDIA_BUYER', { name: team.fresh('Байера '), shared: true });
    expect((await call('MEDIA_BUYER', 'DELETE', `/views/${own.id}`)).status).toBe(200);
    expect((await call('CBDO', 'DELETE', `/views/${id}`)).status).toBe(200);
    expect((await call('CBDO', 'DELETE', `/views/${id}`)).status).toBe(404);
  });

  it('VIW-2354 a deletion is undone, with the author of before; one’s own is undone by nobody else, the team’s by who leads', async () => {
    for (const [shared, others] of [
      [false, 403],
      [true, 200],
    ] as const) {
      const name = team.fresh('Вернётся ');
      const { id } = await save('MEDIA_BUYER', { name, shared });
      const commandId = randomUUID();
      await call('MEDIA_BUYER', 'DELETE', `/views/${id}`, undefined, commandId);
      expect(await named('MEDIA_BUYER')).not.toContain(name);
      const foreign = { commandId, actorId: team.actors.MEDIA_BUYER.id, reason: 'Нужен' };
      expect((await call('CBDO', 'POST', '/undo', foreign)).status).toBe(others);
      expect((await call('MEDIA_BUYER', 'POST', '/undo', { commandId })).status).toBe(200);
      expect(await named('MEDIA_BUYER')).toContain(name);
    }
  });

  it('VIW-2565 who names the revision of a view that they saw replaces nothing that another made of it since; other views, and what they did not send, are in nobody’s way', async () => {
    const { id, revision } = await save('TEAM_LEAD', { name: team.fresh('Общий '), shared: true });
    await save('MEDIA_BUYER', { name: team.fresh('Другой '), shared: true });
    const renamed = team.fresh('Иначе ');
    expect((await call('CBDO', 'PUT', `/views/${id}`, { name: renamed, baseRevision: revision })).status).toBe(200);
    const theirs = await call('CBDO', 'PUT', `/views/${id}`, { query: 'sort=price', baseRevision: revision });
    expect(theirs.body).toMatchObject({ data: { view: { name: renamed, query: 'sort=price' } } });
    const refused = await call('TEAM_LEAD', 'PUT', `/views/${id}`, { query: 'sort=leads', baseRevision: revision });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'CONFLICT',
      conflicts: [
        { field: 'query', base: query, theirs: 'sort=price', mine: 'sort=leads', by: { userId: team.actors.CBDO.id } },
      ],
    });
    const back = await call('TEAM_LEAD', 'PUT', `/views/${id}`, { query, baseRevision: revision });
    expect(back.body, 'what it was is meant too').toMatchObject({
      code: 'CONFLICT',
      conflicts: [{ field: 'query', theirs: 'sort=price', mine: query }],
    });
    const { revision: now } = refused.body as unknown as { readonly revision: number };
    const same = await call('TEAM_LEAD', 'PUT', `/views/${id}`, { query: 'sort=price', baseRevision: revision });
    expect(same.status, 'what it is already').toBe(200);
    expect((await call('TEAM_LEAD', 'PUT', `/views/${id}`, { query: 'sort=leads', baseRevision: now })).status).toBe(
      200,
    );
    expect((await call('CBDO', 'PUT', `/views/${id}`, { query: 'sort=date' })).status, 'an older client').toBe(200);
    const ahead = await call('CBDO', 'PUT', `/views/${id}`, { query: 'sort=date', baseRevision: 10_000 });
    expect(ahead.body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/baseRevision', detail: messages.revisionInvalid }],
    });
  });

  it('VIW-2566 the first view of all is taken back like any other, whatever was saved after it', async () => {
    const commandId = randomUUID();
    const [first, second] = [team.fresh('Первый '), team.fresh('Второй ')];
    expect((await call('CEO', 'POST', '/views', { name: first, query }, commandId)).status).toBe(200);
    await save('CEO', { name: second });
    expect((await call('CEO', 'POST', '/undo', { commandId })).status).toBe(200);
    const left = await named('CEO');
    expect([left.includes(first), left.includes(second)]).toEqual([false, true]);
  });
});
