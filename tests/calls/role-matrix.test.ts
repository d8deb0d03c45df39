import { randomUUID } from 'node:crypto';
import type { Call } from '@zakup/contracts/calls/call';
import { type CallName, callNames, calls } from '@zakup/contracts/calls/calls';
import { messages } from '@zakup/domain/messages';
import { describe, expect, test } from 'vitest';
import { examples, type Sent } from './examples.ts';
import {
  isOpenTo,
  callsOf,
  opens,
  told,
  done,
  closed,
  signedOut,
  expected,
  ready,
  answersTo,
  given,
} from './matrix.ts';
import { send } from './send.ts';
import type { Actor, Team } from './team.ts';
import { type Asker, askers, whoMay } from './who-may.ts';

const placementCalls = callNames.filter((name) => whoMay[name].placements);

describe('who may call what', () => {
  test('CALLT-9 every call has its row, and only calls have one; its realm and kind are the call’s', () => {
    expect(Object.keys(whoMay).toSorted()).toEqual([...callNames].toSorted());
    const faults = callNames.filter((name) => {
      const { realm, rights, envelope }: Call = calls[name];
      const { who, kind, placements } = whoMay[name];
      const realmOfRow = who === 'everybody' ? 'open' : who === 'admin' ? 'admin' : 'person';
      // A colleague's means of signing in is refused as a new password is, though the log holds no command of it.
      const ofColleague = name === 'DELETE /users/{id}/second-factor';
      const changes = envelope === 'change' || envelope === 'change_of_many' || ofColleague;
      const onPlacements = rights.some((right) => /^placement\.|^command\.undo$/u.test(right));
      const ownWish =
        /^POST \/(?:license\/(?:renewal-request|close)|notifications\/read)|^\w+ \/(?:views|keys|webhooks)/u.test(name);
      return realmOfRow !== realm || (kind === 'change') !== (changes && !ownWish) || placements !== onPlacements;
    });
    expect(faults).toEqual([]);
  });

  describe('in one’s own licence', () => {
    const world = given();

    test.each(callsOf('person'))(
      'CALLT-4 %s is open to those of its row, and its reply is its schema',
      async (name) => {
        const { team } = world;
        const answers = await answersTo(team, name, await ready(team, name));
        expect(answers).toEqual(expected((asker) => (opens(whoMay[name], asker) ? done : closed)));
        const rights = askers.filter((asker) => isOpenTo(calls[name], team.askers[asker].person));
        expect(rights).toEqual(askers.filter((asker) => opens(whoMay[name], asker)));
      },
    );
  });

  describe('in the other realms', () => {
    const world = given();

    test.each(callsOf('admin'))('CALLT-7 %s is open to the admin alone, and its reply is its schema', async (name) => {
      const { team } = world;
      // Signing out takes a token of its own.
      const { token: own = team.admin, ...sent } = await examples[name](team, team.owner);
      for (const token of [undefined, ...askers.map((asker) => team.askers[asker].token)])
        expect(told(await send(team.api, name, sent, token))).toMatch(signedOut);
      expect(told(await send(team.api, name, sent, own))).toBe(done);
    });

    test.each(callsOf('open'))('CALLT-8 %s is open to everybody, and its reply is its schema', async (name) => {
      const { team } = world;
      expect(told(await send(team.api, name, await examples[name](team, team.owner)))).toBe(done);
    });
  });

  describe('in a completed campaign', () => {
    const world = given();
    const completed = `409 CAMPAIGN_COMPLETED ${messages.campaignCompleted}`;

    type Ready = (team: Team, actor: Actor, campaignId: string) => Promise<Sent>;
    const add = async ({ done: did, placementBody }: Team, campaignId: string, as?: { token: string; key: string }) =>
      (await did('POST', '/placements', { ...placementBody, campaignId }, as)).placement.id;
    const about =
      (body?: unknown, before?: (team: Team, id: string) => Promise<unknown>): Ready =>
      async (team, _actor, campaignId) => {
        const id = await add(team, campaignId);
        await before?.(team, id);
        return { params: { id }, ...(body !== undefined && { body }) };
      };
    const batch =
      (op: string, more: object, atomic: boolean): Ready =>
      async (team, _actor, campaignId) => {
        const placementId = await add(team, campaignId);
        const item = op === 'add' ? { ...team.placementBody, campaignId } : { placementId };
        return { body: { atomic, items: [{ op, ...item, ...more }] } };
      };
    /** Undoes what the actor did to a placement, or where they may not, what the owner did. */
    const undoOf =
      (method: string, body: unknown, path = ''): Ready =>
      async (team, actor, campaignId) => {
        const key = randomUUID();
        const as = { token: actor.person.role === 'ANALYTIC' ? team.owner.token : actor.token, key };
        if (method === 'ADD') await add(team, campaignId, as);
        else await team.done(method, `/placements/${await add(team, campaignId)}${path}`, body, as);
        return { body: { commandId: key, reason: 'Ошибка' } };
      };
    const removed = ({ done: did }: Team, id: string): Promise<unknown> => did('DELETE', `/placements/${id}`);

    const doors: readonly (readonly [CallName, string, Ready])[] = [
      ['POST /placements', '', async (team, _actor, campaignId) => ({ body: { ...team.placementBody, campaignId } })],
      [
        'POST /placements',
        ' of a new contractor',
        async (team, _actor, campaignId) => ({
          body: { ...team.placementBody, campaignId, contractor: team.fresh('@late') },
        }),
      ],
      ['PATCH /placements/{id}', '', about({ leads: 3 })],
      [
        'PATCH /placements/{id}',
        ' in conflict',
        about({ baseRevision: 0, price: 7 }, ({ done: did }, id) => did('PATCH', `/placements/${id}`, { price: 5 })),
      ],
      ['POST /placements/{id}/payment', '', about({ paymentStatus: 'paid' })],
      ['DELETE /placements/{id}', '', about()],
      ['POST /placements/{id}/restore', '', about(undefined, removed)],
      ['POST /placements/batch', ' that adds', batch('add', {}, true)],
      ['POST /placements/batch', ' that changes', batch('change', { price: 5 }, true)],
      ['POST /placements/batch', ' that pays', batch('payment', {}, true)],
      ['POST /placements/batch', ' that deletes', batch('delete', {}, true)],
      [
        'POST /campaigns/{id}/import',
        '',
        async (_team, _actor, campaignId) => ({ params: { id: campaignId }, body: 'Ник;Тематика' }),
      ],
      ['POST /undo', ' of an addition', undoOf('ADD', null)],
      ['POST /undo', ' of a change', undoOf('PATCH', { price: 5 })],
      ['POST /undo', ' of a payment', undoOf('POST', {}, '/payment')],
      ['POST /undo', ' of a removal', undoOf('DELETE', undefined)],
    ];

    const sentTo = async (make: Ready): Promise<readonly (readonly [Asker, Sent])[]> => {
      const { team } = world;
      const { campaign, done: did, fresh } = team;
      const requests: (readonly [Asker, Sent])[] = [];
      for (const asker of askers) {
        const made = await did('POST', '/campaigns', {
          name: fresh('Итог '),
          channelId: campaign.channelId,
          status: 'ACTIVE',
        });
        requests.push([asker, await make(team, team.askers[asker], made.campaign.id)]);
        await did('POST', `/campaigns/${made.campaign.id}/complete`);
      }
      return requests;
    };

    test('CALLT-11 each call that changes placements has its doors here', () => {
      expect([...new Set(doors.map(([name]) => name))].toSorted()).toEqual([...placementCalls].toSorted());
    });

    test.each(doors)('CALLT-12 %s%s is refused to all, and nothing is written', async (name, _told, make) => {
      const { team } = world;
      const requests = await sentTo(make);
      const before = await team.api.eventStore.head();
      const answers = await answersTo(team, name, requests);
      expect(answers).toEqual(expected((asker) => (asker === 'ANALYTIC' ? closed : completed)));
      expect(await team.api.eventStore.head()).toBe(before);
    });

    test('CALLT-13 a batch that is not atomic refuses the items of the completed campaign alone', async () => {
      const { team } = world;
      const requests = await sentTo(batch('change', { price: 5 }, false));
      const answers: unknown[] = [];
      for (const [asker, sent] of requests) {
        const { status, text } = await send(team.api, 'POST /placements/batch', sent, team.askers[asker].token);
        answers.push([asker, status, text.includes('CAMPAIGN_COMPLETED')]);
      }
      expect(answers).toEqual(askers.map((asker) => (asker === 'ANALYTIC' ? [asker, 403, false] : [asker, 200, true])));
    });

    test('CALLT-14 it reads, and takes contractors, as any other', async () => {
      const { team } = world;
      const [[, sent] = [undefined, {}]] = await sentTo(about());
      expect(told(await send(team.api, 'GET /placements/{id}', sent, team.askers.ANALYTIC.token))).toBe(done);
      const merge = await examples['POST /contractors/{id}/merge'](team, team.owner);
      expect(told(await send(team.api, 'POST /contractors/{id}/merge', merge, team.owner.token))).toBe(done);
    });
  });
});
