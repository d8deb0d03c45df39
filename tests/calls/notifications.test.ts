import { replySchemaOf } from '@zakup/contracts/calls/call';
import { calls } from '@zakup/contracts/calls/calls';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenTeam, type Team } from './team.ts';

describe('notifications of a person', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());

  const told = async (token: string) => {
    const { body } = await team.api.call('GET', '/notifications', undefined, { token });
    return body.data as unknown as {
      readonly unread: number;
      readonly notifications: readonly { readonly text: string; readonly position: number; readonly read: boolean }[];
    };
  };
  const read = (upTo: unknown, token: string, key?: string) =>
    team.api.call('POST', '/notifications/read', { upTo }, { token, ...(key !== undefined && { key }) });

  it('NTF-20 what others do is told to whom it concerns, newest first, and is read up to a position, once and for all', async () => {
    const { token } = team.actors.MEDIA_BUYER;
    await team.done('PATCH', `/placements/${team.placement.id}`, { price: 150 });
    const before = await told(token);
    const [newest, oldest] = before.notifications;
    expect(before.unread).toBe(before.notifications.length);
    expect(newest?.text).toMatch(/^Ваше размещение изменено: @seller/u);
    expect(newest?.position).toBeGreaterThan(oldest?.position ?? 0);
    const key = crypto.randomUUID();
    const first = await read(newest?.position, token, key);
    expect(first.body).toMatchObject({ success: true, data: { readUpTo: newest?.position }, revision: 0 });
    expect(await told(token)).toMatchObject({ unread: 0 });
    expect((await read(newest?.position, token, key)).body).toEqual(first.body);
    expect((await read(oldest?.position, token)).body.data).toEqual({ readUpTo: newest?.position });
  });

  it('NTF-21 nobody sees what another person is told', async () => {
    const { notifications } = await told(team.actors.ANALYTIC.token);
    expect(notifications.filter(({ text }) => text.includes('@seller'))).toEqual([]);
  });

  it('NTF-22 a position that is none, or that the log has not reached, is refused', async () => {
    const { token } = team.actors.MEDIA_BUYER;
    for (const wrong of [undefined, null, -1, 1.5, '7', 2 ** 60])
      expect((await read(wrong, token)).body).toMatchObject({
        code: 'VALIDATION_FAILED',
        error: messages.positionInvalid,
      });
    expect((await read(1_000_000, token)).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      error: messages.positionAhead,
    });
  });

  it('NTF-23 who has read nothing and reads up to nothing is answered without a revision: there is no stream yet', async () => {
    const { token } = team.actors.ANALYTIC;
    const { status, body } = await read(0, token);
    expect(status).toBe(200);
    expect(replySchemaOf(calls['POST /notifications/read']).parse(body)).toEqual(body);
    expect(body).toMatchObject({ data: { readUpTo: 0 }, position: 0 });
    expect(body).not.toHaveProperty('revision');
    expect((await read(1, token)).body).toMatchObject({ data: { readUpTo: 1 }, revision: 0 });
  });
});
