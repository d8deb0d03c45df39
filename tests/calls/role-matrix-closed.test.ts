import { type CallName, calls } from '@zakup/contracts/calls/calls';
import { givenLicence, givenPerson } from '@zakup/command/testing/given';
import { messages } from '@zakup/domain/messages';
import { beforeAll, describe, expect, test } from 'vitest';
import { examples } from './examples.ts';
import {
  callsOf,
  opens,
  told,
  done,
  closed,
  signedOut,
  expected,
  ready,
  answersTo,
  withoutToken,
  given,
} from './matrix.ts';
import { send } from './send.ts';
import type { Team } from './team.ts';
import { type Asker, askers, type WhoMay, whoMay } from './who-may.ts';

describe('who may call nothing here', () => {
  describe('without a token of the realm', () => {
    const world = given();

    const oneTimeToken = async ({ fresh, done: did }: Team): Promise<string> => {
      const person = { name: 'Новый', email: `${fresh('new')}@example.com`, role: 'CBDO' };
      const { authCode, temporaryPassword } = await did('POST', '/employees/create', person);
      return (await did('POST', '/auth/employee-login', { authCode, password: temporaryPassword })).token;
    };
    const revoked = async ({ api, askers: people }: Team, asker: Asker): Promise<string> => {
      const { token } = await people[asker].signInAgain();
      expect((await api.call('POST', '/auth/logout', {}, { token })).status).toBe(200);
      return token;
    };

    let ended: readonly string[] = [];
    let oneTime = '';
    beforeAll(async () => {
      const { team } = world;
      ended = await Promise.all(askers.map((asker) => revoked(team, asker)));
      oneTime = await oneTimeToken(team);
    });

    test.each(callsOf('person'))(
      'CALLT-5 %s is closed without a token, with the admin’s, one that ended or that nobody gave, and to a one-time password',
      async (name) => {
        const { team } = world;
        const sent = withoutToken(await examples[name](team, team.owner));
        const before = await team.api.eventStore.head();
        for (const token of [undefined, team.admin, '', 'null', `${team.owner.token}x`, ...ended])
          expect(told(await send(team.api, name, sent, token))).toMatch(signedOut);
        expect(await team.api.eventStore.head()).toBe(before);
        // What it opens may end it, or change the password.
        const token = calls[name].oneTimePassword ? await oneTimeToken(team) : oneTime;
        const { code } = await send(team.api, name, sent, token);
        expect(code === 'PASSWORD_CHANGE_REQUIRED').toBe(!calls[name].oneTimePassword);
      },
    );
  });

  describe('in another licence', () => {
    const world = given();
    let strangers: Readonly<Record<Asker, { readonly token: string }>>;
    beforeAll(async () => {
      const { api } = world.team;
      const licence = await givenLicence(api, { maxConcurrentSessions: 100, ownerName: 'Чужой' });
      const people: [Asker, { readonly token: string }][] = [['OWNER', { token: licence.owner }]];
      for (const asker of askers) if (asker !== 'OWNER') people.push([asker, await givenPerson(api, licence, asker)]);
      strangers = Object.fromEntries(people) as typeof strangers;
    });
    /** Of a session of its own, for a call that may end it. */
    const tokenOf = (name: CallName, asker: Asker): string | Promise<string> =>
      name.includes(' /auth/') ? world.team.stranger() : strangers[asker].token;

    test.each(callsOf('person'))(
      'CALLT-6 %s shows nobody of another licence anything of this one, and changes nothing there',
      async (name) => {
        const { team } = world;
        const requests = (await ready(team, name)).map(([asker, sent]) => [asker, withoutToken(sent)] as const);
        const history = async () => (await team.api.eventStore.readLicence(team.licence.id)).map(({ id }) => id);
        const before = await history();
        for (const [asker, sent] of requests) {
          const got = await send(team.api, name, sent, await tokenOf(name, asker));
          expect([asker, got.status]).toEqual([asker, opens(whoMay[name], asker) ? whoMay[name].foreign : 403]);
          for (const mine of [team.licence.id, team.campaign.id, team.placement.id, team.owner.id, 'Весна'])
            expect(got.text).not.toContain(mine);
        }
        expect(await history()).toEqual(before);
      },
    );
  });

  describe.each(['expired', 'suspended'] as const)('in a licence that is %s', (state) => {
    const world = given();
    const as = async ({ api, admin, licence }: Team, call: string, body: object): Promise<void> => {
      const path = `/admin/licenses/${licence.id}/${call}`;
      expect((await api.call('POST', path, body, { token: admin })).status).toBe(200);
    };
    const close = (team: Team): Promise<void> =>
      state === 'expired'
        ? as(team, 'renew', { expiresAt: '2026-01-01' })
        : as(team, 'suspend', { reason: 'Не оплачено' });
    const open = (team: Team): Promise<void> =>
      state === 'expired' ? as(team, 'renew', { expiresAt: '2031-01-01' }) : as(team, 'resume', {});
    const inactive = `403 LICENSE_INACTIVE ${state === 'expired' ? messages.licenceInactive : messages.licenceSuspended}`;

    const answer = ({ kind, ...row }: WhoMay, asker: Asker): string => {
      const leaves =
        state === 'expired' ? kind !== 'change' : kind === 'session' || (kind === 'read' && asker === 'OWNER');
      return leaves ? (opens({ kind, ...row }, asker) ? done : closed) : inactive;
    };

    test.each(callsOf('person'))(
      'CALLT-10 %s answers what is left in it, and changes nothing of the work',
      async (name) => {
        const { team } = world;
        const requests = await ready(team, name);
        await close(team);
        const before = await team.api.eventStore.head();
        const answers = await answersTo(team, name, requests);
        const after = await team.api.eventStore.head();
        await open(team);
        expect(answers).toEqual(expected((asker) => answer(whoMay[name], asker)));
        expect(whoMay[name].kind !== 'change' || after === before).toBe(true);
      },
    );
  });
});
