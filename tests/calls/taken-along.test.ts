import { tellTakings } from '@zakup/command/auth/tell-takings';
import type { Call } from '@zakup/contracts/calls/call';
import { type CallName, calls } from '@zakup/contracts/calls/calls';
import type { HistoryEntry } from '@zakup/contracts/history';
import { CredentialsUnavailable } from '@zakup/credentials/credentials';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { examples } from './examples.ts';
import { send } from './send.ts';
import { type Actor, givenTeam, type Team } from './team.ts';

const minute = 60_000;
const network = '127.0.0.0/24';

/** Every call that a person takes a file by. */
const files = Object.entries(calls as Readonly<Record<string, Call>>)
  .filter(([, { envelope, realm }]) => envelope === 'file' && realm === 'person')
  .map(([name]) => name as CallName);

describe('what people take along', () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());
  afterEach(() => vi.restoreAllMocks());

  /** What the command side does every second. */
  const told = async (): Promise<void> => {
    const { gateway, eventStore } = team.api;
    const { credentials, log, now, readOnly } = gateway;
    await tellTakings({ credentials, eventStore, keyNameOf: async () => ({}), log, now, readOnly }).stop();
  };
  const audit = async (token = team.owner.token): Promise<readonly HistoryEntry[]> => {
    await told();
    const { status, text } = await send(team.api, 'GET /audit', { query: { limit: '200' } }, token);
    expect(status).toBe(200);
    return (JSON.parse(text) as { readonly data: { readonly entries: readonly HistoryEntry[] } }).data.entries;
  };
  const taken = async (by: Actor, token?: string) =>
    (await audit(token))
      .filter(({ event, actor }) => ['DataTaken', 'LicenceKeyShown'].includes(event) && actor.userId === by.id)
      .map(({ event, facts = {}, entity }) => ({ event, ...facts, of: entity.id }));
  const take = async (name: CallName, by: Actor) => send(team.api, name, await examples[name](team, by), by.token);
  const reveal = (by: Actor) => send(team.api, 'GET /license', { query: { reveal: 'true' } }, by.token);

  test('ACE-1546 whoever takes a file by any call that gives one, or has the key shown, is told with person and network', async () => {
    const { owner } = team;
    expect(files).toHaveLength(9);
    for (const name of files) expect([name, (await take(name, owner)).status]).toEqual([name, 200]);
    expect((await reveal(owner)).text).toContain(team.licence.key);
    const entries = await taken(owner);
    const what = entries.map((one) => ('what' in one ? String(one.what) : 'key'));
    expect(what.toSorted()).toEqual(['archive', 'history', 'key', 'lines', 'table']);
    for (const one of entries) expect(one).toMatchObject({ networks: [network], moreNetworks: false, of: owner.id });
    const table = entries.find((one) => 'what' in one && one.what === 'table');
    expect(table).toMatchObject({ names: [team.campaign.name], count: 1 });
    const { text } = await send(team.api, 'GET /license/history-bundle', {}, owner.token);
    expect(text).toContain('DataTaken');
  });

  test('ACE-1547 a script that takes the same a hundred times is told in two entries, and hides nobody else’s', async () => {
    const [script, other] = [team.actors.TEAM_LEAD, team.actors.ANALYTIC];
    const name = 'GET /campaigns/{id}/export';
    await take(name, script);
    await told();
    // What the costs of reads let through of more is counted like any other.
    let passed = 1;
    for (let turn = 0; turn < 10; turn += 1) if ((await take(name, script)).status === 200) passed += 1;
    await take(name, other);
    expect(await taken(script)).toMatchObject([{ count: 1 }]);
    expect(await taken(other)).toMatchObject([{ count: 1 }]);
    team.api.advance(minute);
    expect(await taken(script)).toMatchObject([{ count: passed - 1 }, { count: 1 }]);
  });

  test('ACE-1548 what cannot be told is not handed out: no file, no key, and a refusal that says to come again', async () => {
    const by = team.owner;
    vi.spyOn(team.api.credentials, 'noteTaking').mockRejectedValue(new CredentialsUnavailable('away'));
    for (const name of files) {
      const { status, text } = await take(name, by);
      expect([name, status]).toEqual([name, 503]);
      expect(text).toContain('"UNAVAILABLE"');
      expect(text.length).toBeLessThan(1_000);
    }
    const { status, text } = await reveal(team.owner);
    expect([status, text.includes(team.licence.key)]).toEqual([503, false]);
    // Whatever hides nothing goes on.
    expect((await send(team.api, 'GET /license', {}, team.owner.token)).status).toBe(200);
  });

  test('ACE-1549 who may not have a file leaves no entry, and no other team sees one', async () => {
    const buyer = team.actors.MEDIA_BUYER;
    expect((await take('GET /license/export', buyer)).status).toBe(403);
    expect((await reveal(buyer)).status).toBe(403);
    expect(await taken(buyer)).toEqual([]);
    expect(await taken(team.owner, await team.stranger())).toEqual([]);
    expect((await send(team.api, 'GET /audit', {}, buyer.token)).status).toBe(403);
  });

  test('ACE-1550 sign-ins at the administration are shown there with their network, refused ones with how many, and in no team’s journal', async () => {
    const login = (password: string) => team.api.call('POST', '/admin/login', { login: 'admin', password });
    team.api.advance(minute);
    for (const guess of ['one', 'two', 'three']) expect((await login(guess)).status).toBe(401);
    team.api.advance(1_000);
    const { token } = (await login('admin-password')).body.data;
    const shown = async () => {
      const { text } = await send(team.api, 'GET /admin/sign-ins', {}, token);
      return (JSON.parse(text) as { readonly data: { readonly signIns: readonly object[] } }).data.signIns;
    };
    await expect
      .poll(async () => (await shown()).slice(0, 2))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ outcome: 'in', network, count: 1 }),
          expect.objectContaining({ outcome: 'refused', network, count: 3 }),
        ]),
      );
    expect((await send(team.api, 'GET /admin/sign-ins', {}, team.owner.token)).status).toBe(401);
    const events = (await audit()).filter(({ actor }) => actor.userId === 'admin').map(({ event }) => event);
    expect(events.filter((event) => /SignedIn|SignInRefused/u.test(event))).toEqual([]);
  });
});
