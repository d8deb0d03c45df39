import { peopleActivityData } from '@zakup/contracts/calls/replies';
import { messages } from '@zakup/domain/messages';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { docOf, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const foreignDoc = docOf('0b-foreign');
const at = (hour: number): string => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;

describe('when people were last here', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.stop());
  const ask = async (path = '/users/activity', userId = 'lead') => world.get(path, (await world.signIn(userId)).token);
  const activity = async (id: string) => {
    const { people } = peopleActivityData.strict().parse((await ask()).body.data);
    const found = people.find(({ userId }) => userId === id);
    return found && [found.signedInAt, found.activeAt];
  };
  const about = (event: string, hour: number, id = 'buyer', actorId = id, of = doc) =>
    of.history({ entity: `user:${id}`, actorId, event, at: at(hour) });
  const facts = async (...drafts: ReturnType<typeof about>[]): Promise<void> => {
    for (const draft of drafts) await world.commit(draft);
  };

  test('PPL-1161 who was never signed in has no time, whatever others did to them and however often a try was refused', async () => {
    expect(await activity('buyer')).toEqual([null, null]);
    await facts(about('EmployeeCreated', 8, 'buyer', 'owner'), about('SignInRefused', 9, 'buyer', 'system'));
    expect(await activity('buyer')).toEqual([null, null]);
    expect(await activity('stranger')).toBeUndefined();
  });

  test('PPL-1162 the newest sign-in is told, also under many later entries, and the last of what the person did', async () => {
    await facts(about('SignedIn', 8), about('SignedIn', 9));
    expect(await activity('buyer')).toEqual([at(9), at(9)]);
    await facts(...Array.from({ length: 120 }, () => about('SignInRefused', 10, 'buyer', 'system')));
    await facts(doc.history({ entity: 'placement:p1', actorId: 'buyer', at: at(12) }));
    expect(await activity('buyer')).toEqual([at(9), at(12)]);
  });

  test('PPL-1163 an open session counts, also where the log could not take its sign-in', async () => {
    await facts(about('SignedIn', 8));
    const before = Date.now();
    await world.signIn('buyer');
    const [signedInAt, activeAt] = (await activity('buyer')) ?? [];
    expect(Date.parse(signedInAt ?? '')).toBeGreaterThanOrEqual(before);
    expect(activeAt).toBe(signedInAt);
  });

  test('PPL-1164 nothing of another licence is told or counted', async () => {
    await facts(about('SignedIn', 9, 'buyer', 'buyer', foreignDoc));
    await world.commit(foreignDoc.user(userRow({ id: 'stranger' })));
    await world.signIn('buyer', { licenceId: '0b-foreign' });
    expect(await activity('buyer')).toEqual([null, null]);
    expect(await activity('stranger')).toBeUndefined();
  });

  test('PPL-1165 it needs the right to read people, and is asked of now alone', async () => {
    for (const id of ['buyer', 'analyst']) {
      const refused = await ask('/users/activity', id);
      expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    const past = await ask('/users/activity?at=1');
    expect([past.status, past.body.errors]).toEqual([422, [{ pointer: '/at', detail: messages.unknownParameter }]]);
  });

  test('PPL-1180 the owner sees where anybody of the licence is signed in, and nobody else does', async () => {
    await world.signIn('buyer');
    const { body } = await ask('/users/buyer/sessions', 'owner');
    expect(body.data.sessions).toMatchObject([{ current: false }]);
    expect((await ask('/users/stranger/sessions', 'owner')).status).toBe(404);
    for (const id of ['lead', 'buyer']) {
      const refused = await ask('/users/buyer/sessions', id);
      expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
  });
});
