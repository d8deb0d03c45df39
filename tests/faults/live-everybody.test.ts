import { givenLicence, givenPerson, ownerPassword, personPassword } from '@zakup/command/testing/given';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { givenTeam, type Team } from '../calls/team.ts';
import { type Watchable, watchable } from '../calls/watchable.ts';
import { askers } from '../calls/who-may.ts';
import { printedChance } from '../support/seeded.ts';
import { randomCommands } from './live-everybody/random-commands.ts';
import { type Rights, type RightsOverTime, rightsOverTime } from './live-everybody/rights.ts';
import { contentOf, type Signed, type Watcher, watcher } from './live-everybody/watcher.ts';

const rounds = inject('isDeep') ? 8 : 3;
const clientActions = 60;
const rightsActions = 6;
/** Seconds of processor time after which no further round begins. */
const enough = 45;

interface Person {
  readonly id: string;
  authCode: string;
  password: string;
  readonly isOwner: boolean;
  readonly rights: RightsOverTime;
}

interface Seat {
  readonly person: Person;
  readonly watcher: Watcher;
  /** Texts of the other licence. */
  readonly foreign: () => readonly string[];
  /** A scope of the other licence. */
  readonly closed: () => string;
}

let team: Team;
let live: Watchable;
beforeAll(async () => {
  team = await givenTeam();
  live = await watchable(team.api.gateway);
});
afterAll(async () => {
  await live.close();
  await team.api.close();
});

test('LFZ-1 twenty clients that come and go, renew, lose and regain rights hold what a fresh load shows, and never get what is closed', async () => {
  const chance = printedChance('live-everybody');
  const { api } = team;
  const began = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e6;
  };

  const personOf = (id: string, authCode: string, role: string, isOwner: boolean): Person => {
    const first: Rights = {
      userId: id,
      role,
      isOwner,
      isActive: true,
      permissions: null,
      earningsVisible: true,
      suspended: false,
    };
    return { id, authCode, password: isOwner ? ownerPassword : personPassword, isOwner, rights: rightsOverTime(first) };
  };
  const people: Person[] = [personOf(team.owner.id, team.licence.ownerCode, 'CEO', true)];
  for (const role of [
    ...askers.slice(1),
    'MEDIA_BUYER',
    'MEDIA_BUYER',
    'MEDIA_BUYER',
    'TEAM_LEAD',
    'ANALYTIC',
    'CBDO',
  ]) {
    const { id, authCode } = await givenPerson(api, team.licence, role);
    people.push(personOf(id, authCode, role, false));
  }
  const buyers = people.filter(({ rights }) => rights.now().role === 'MEDIA_BUYER').map(({ id }) => id);
  const movable = people.slice(1);
  const activeBuyers = (): readonly [string, ...string[]] => {
    const active = buyers.filter((id) => {
      const now = people.find((one) => one.id === id)?.rights.now();
      return now?.isActive === true && now.role === 'MEDIA_BUYER';
    });
    return [team.actors.MEDIA_BUYER.id, ...active];
  };
  const commands = await randomCommands(team, chance, activeBuyers);

  const other = await givenLicence(api, { maxConcurrentSessions: 10_000, ownerName: 'Чужой', teamName: 'Чужая' });
  const stranger = personOf(other.ownerId, other.ownerCode, 'CEO', true);
  const theirCampaign = (
    await api.call(
      'POST',
      '/campaigns',
      {
        name: 'Чужая кампания',
        channelId: (
          await api.call('POST', '/channels', { name: 'Чужой канал' }, { token: other.owner })
        ).body.data.channel.id,
        status: 'ACTIVE',
      },
      { token: other.owner },
    )
  ).body.data.campaign.id;

  const signIn = (person: Person) => async (): Promise<Signed | null> => {
    const path = person.isOwner ? '/auth/ceo-login' : '/auth/employee-login';
    const name = person.isOwner ? 'loginCode' : 'authCode';
    const { password } = person;
    const { status, body } = await api.call('POST', path, { [name]: person.authCode, password });
    return status === 200 ? body.data : null;
  };
  const refresh = async (refreshToken: string): Promise<Signed | null> => {
    const { status, body } = await api.call('POST', '/auth/refresh', { refreshToken });
    return status === 200 ? body.data : null;
  };
  const ours = [team.licence.id, team.campaign.id, 'Кампания ', '@fuzz_'];
  const seats = Array.from({ length: 20 }, (_, index): Seat => {
    const person = index < 2 ? stranger : (people[index % people.length] ?? stranger);
    const strange = person === stranger;
    return {
      person,
      watcher: watcher({ live, signIn: signIn(person), refresh, patches: index % 2 === 1 }),
      foreign: () => (strange ? ours : [other.id, 'Чуж']),
      closed: () => `campaign:${strange ? (commands.campaigns()[0] ?? '') : theirCampaign}`,
    };
  });
  const scopeFor = ({ person }: Seat): string =>
    person === stranger
      ? chance.oneOf(['workspace', 'me', `campaign:${theirCampaign}`])
      : chance.oneOf([
          'workspace',
          'me',
          ...commands.campaigns().map((id) => `campaign:${id}`),
          ...commands.contractors().map((id) => `contractor:${id}`),
        ]);

  /** Not waited for: clients act while commands run. */
  const underWay: Promise<unknown>[] = [];
  const refusedAsForeign: string[] = [];
  const act = (seat: Seat): void => {
    const { watcher: one } = seat;
    const what = chance.between(0, 10);
    if (what < 3) one.drop();
    else if (what < 7) underWay.push(one.connect());
    else if (what === 7) {
      const scope = scopeFor(seat);
      if (one.wanted.has(scope)) one.forget(scope);
      else {
        one.wanted.add(scope);
        underWay.push(one.retry());
      }
    } else if (what === 8) underWay.push(one.renew());
    else
      underWay.push(
        one.ask(seat.closed()).then((answer) => {
          if (answer !== null) refusedAsForeign.push(answer.ok ? 'ok' : answer.problem.code);
          return answer;
        }),
      );
  };

  const changed = async (of: readonly Person[], sent: Parameters<typeof commands.call>, changes: Partial<Rights>) => {
    const sentAt = performance.now();
    const { position, data } = (await commands.call(...sent)).body;
    for (const { rights } of of) rights.change(position, sentAt, changes);
    return data;
  };
  const comesBack = async (person: Person): Promise<void> => {
    await changed([person], ['PUT', `/users/${person.id}`, { isActive: true }], { isActive: true });
    const { authCode } = (await commands.call('POST', `/users/${person.id}/reissue-code`, {})).body.data;
    const { temporaryPassword } = (await commands.call('POST', `/users/${person.id}/temporary-password`, {})).body.data;
    const once = await api.call('POST', '/auth/employee-login', { authCode, password: temporaryPassword });
    const passwords = { currentPassword: temporaryPassword, newPassword: 'another-password' };
    expect((await api.call('POST', '/auth/password', passwords, { token: once.body.data.token })).status).toBe(200);
    Object.assign(person, { authCode, password: passwords.newPassword });
  };
  const suspend = async (suspended: boolean): Promise<void> => {
    const sentAt = performance.now();
    const path = `/admin/licenses/${team.licence.id}/${suspended ? 'suspend' : 'resume'}`;
    const { status, body } = await api.call('POST', path, suspended ? { reason: 'Долг' } : {}, { token: team.admin });
    expect(status).toBe(200);
    for (const { rights } of people) rights.change(body.position, sentAt, { suspended });
  };
  const moveRights = async (): Promise<void> => {
    const person = movable[chance.between(0, movable.length)] ?? stranger;
    const now = person.rights.now();
    const path = `/users/${person.id}`;
    if (!now.isActive) return comesBack(person);
    const what = chance.between(0, 8);
    if (what < 2) {
      const role = chance.oneOf(['CBDO', 'TEAM_LEAD', 'MEDIA_BUYER', 'ANALYTIC']);
      await changed([person], ['PUT', path, { role }], { role });
    } else if (what < 4) {
      const permissions = chance.oneOf([
        null,
        { dashboard: false, settings: true, reports: false },
        { dashboard: true, settings: false, reports: false },
        { dashboard: true, settings: false, reports: true },
      ]);
      await changed([person], ['PUT', path, { permissions }], { permissions });
    } else if (what === 4) await changed([person], ['DELETE', path], { isActive: false });
    else if (what === 5) await commands.call('DELETE', '/auth/sessions').then(() => undefined);
    else {
      const earningsVisible = !now.earningsVisible;
      await changed(people, ['PUT', '/license/settings', { earningsVisible }], { earningsVisible });
    }
  };
  const readNotifications = async ({ watcher: one }: Seat): Promise<void> => {
    const [token, upTo] = [one.token(), await api.eventStore.head()];
    if (token !== null) await api.call('POST', '/notifications/read', { upTo: chance.between(1, upTo) }, { token });
  };

  /** `told`: what a fresh client was told of the scope. */
  const holds = async (seat: Seat, scope: string, told: string, due: () => string): Promise<void> => {
    const { watcher: one } = seat;
    const client = one.client();
    if (client === null) return;
    // A busy machine may need longer than one patience.
    for (let attempt = 1; ; attempt += 1) {
      const came = await client
        .until(() => contentOf(client, scope) === due())
        .then(
          () => true,
          () => false,
        );
      if (came || one.client() !== client) return;
      if (attempt === 3) {
        const [has, shall] = [contentOf(client, scope).split('\n'), due().split('\n')];
        const [surplus, missing] = [
          has.filter((line) => !shall.includes(line)),
          shall.filter((line) => !has.includes(line)),
        ];
        throw new Error(
          `${seat.person.id} ${scope}, ${told}: ${JSON.stringify({ rights: seat.person.rights.now(), counts: one.counts, surplus, missing }, null, 1)}`,
        );
      }
    }
  };
  let compared = 0;
  const compare = async (seat: Seat): Promise<void> => {
    const { watcher: one } = seat;
    await one.connect();
    await one.retry();
    const token = one.token();
    const own = one.client();
    if (own === null || token === null) return;
    const fresh = await live.connect(token).catch(() => null);
    if (fresh === null) return own.until(() => !own.socket.connected);
    fresh.socket.on('reset', ({ scope }) => void fresh.subscribe(scope));
    for (const scope of one.wanted) {
      const answer = await fresh.subscribe(scope);
      if (!answer.ok) await holds(seat, scope, answer.problem.code, () => '');
      else {
        await fresh.until(() => fresh.replica(scope).position !== null);
        await holds(seat, scope, 'ok', () => contentOf(fresh, scope));
        compared += 1;
      }
    }
    fresh.close();
  };
  const looked = { messages: 0, documents: 0 };
  const look = ({ watcher: one, person, foreign }: Seat): void => {
    const texts = foreign();
    for (const each of one.heard.splice(0)) {
      looked.messages += 1;
      looked.documents += each.message.docs.length;
      expect(person.rights.fault(each)).toBeNull();
      const text = JSON.stringify(each.message);
      expect(texts.filter((mark) => text.includes(mark))).toEqual([]);
    }
    expect(one.faults).toEqual([]);
  };

  for (const seat of seats) {
    for (const scope of ['workspace', 'me', scopeFor(seat), scopeFor(seat), scopeFor(seat)])
      seat.watcher.wanted.add(scope);
    await seat.watcher.connect();
  }
  let round = 0;
  for (; round < rounds && (round < 2 || spent() < enough); round += 1) {
    const deck = chance.shuffled<() => Promise<void> | void>([
      ...commands.names.flatMap((name) => [() => commands.one(name), () => commands.one(name)]),
      ...Array.from({ length: clientActions }, () => () => act(seats[chance.between(0, seats.length)] as Seat)),
      ...Array.from({ length: rightsActions }, () => moveRights),
      () => readNotifications(seats[chance.between(0, seats.length)] as Seat),
      () => readNotifications(seats[chance.between(0, seats.length)] as Seat),
      async () => {
        await api.call('PUT', `/campaigns/${theirCampaign}`, { name: `Чужая ${round}` }, { token: other.owner });
      },
      async () => {
        await suspend(true);
        for (const seat of seats) act(seat);
        await suspend(false);
      },
    ]);
    for (const step of deck) await step();
    const suspended = round % 2 === 1;
    if (suspended) await suspend(true);
    await api.followed();
    await Promise.all(underWay.splice(0));
    for (const seat of seats) await compare(seat);
    for (const seat of seats) look(seat);
    if (suspended) await suspend(false);
  }
  const counts = seats.map(({ watcher: one }) => one.counts);
  const sum = (of: keyof (typeof counts)[number]): number => counts.reduce((total, one) => total + one[of], 0);
  const told = {
    rounds: round,
    ...looked,
    compared,
    connected: sum('connected'),
    resets: sum('resets'),
    catchUps: sum('catchUps'),
    renewed: sum('renewed'),
    refused: sum('refused'),
    patched: sum('patched'),
  };
  console.log(`live-everybody: ${JSON.stringify(told)}, ${spent().toFixed(0)} s of processor time`);
  expect(refusedAsForeign.filter((answer) => answer !== 'NOT_FOUND' && answer !== 'ACCESS_DENIED')).toEqual([]);
  expect(Math.min(...Object.values(told))).toBeGreaterThan(0);
  expect(Object.keys(commands.done).toSorted()).toEqual(commands.names.toSorted());
});
