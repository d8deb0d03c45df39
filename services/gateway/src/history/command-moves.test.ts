import { movesData } from '@zakup/contracts/calls/replies';
import { messages } from '@zakup/domain/messages';
import { features } from '@zakup/domain/permissions';
import type { AnyEvent } from '@zakup/domain/catalog';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  type Fact,
  foldAll,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
  uuid,
} from '@zakup/projections/testing/given';
import { afterEach, describe, expect, test } from 'vitest';
import { readGuard } from '../http/limits/read-guard.ts';
import { docOf } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const other = '0b-other';
const inForce: AnyEvent = {
  ...licenceIssued,
  data: { ...licenceIssued.data, expiresAt: '2099-01-01T00:00:00.000Z', features },
} as AnyEvent;
const terms = { salaryType: 'budget', salaryRate: 10 };
const priced = (amount: number): AnyEvent => ({ type: 'PlacementPriceChanged', data: { price: rubles(amount) } });
const counted = (leads: number): AnyEvent => ({ type: 'PlacementLeadsRecorded', data: { leads } });
const rated = (salaryRate: number): AnyEvent => ({ type: 'EmployeeTermsChanged', data: { salaryRate } });
const place = { campaign: 'camp', contractor: 'shop', buyer: 'ilya' };
const participants = [{ userId: 'ilya', budget: rubles(8000), salaryType: null, salaryRate: null, cplThreshold: null }];

describe('what a command moved', () => {
  let world: World | undefined;
  afterEach(async () => {
    await world?.stop();
    world = undefined;
  });

  const begun = async () => {
    const log = testLog({ licence: licenceId });
    const employee = (id: string, more: object): Fact => ['employee', id, employeeCreated(id, more)];
    await log.append(
      ['licence', licenceId, inForce],
      employee('owner', { role: 'CEO', isOwner: true }),
      employee('ilya', terms),
      employee('anna', terms),
      employee('reader', { role: 'ANALYTIC', permissions: { reports: true, dashboard: false } }),
    );
    await log.append(['contractor', 'shop', contractorCreated('shop')]);
    await log.append(['campaign', 'camp', campaignCreated('Весна', participants)]);
    await log.append(['campaign', 'autumn', campaignCreated('Осень')]);
    return log;
  };

  const opened = async (
    { eventStore }: ReturnType<typeof testLog>,
    more: Partial<World['deps']> = {},
  ): Promise<World> => {
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore });
    world = await startWorld({ deps: { eventStore, readStore, ...more } });
    return world;
  };

  const ask = async (log: ReturnType<typeof testLog>, position: number | string, userId = 'owner') => {
    const on = world ?? (await opened(log));
    return on.get(`/audit/${position}/moves`, (await on.signIn(userId)).token);
  };
  const movesOf = async (...asked: Parameters<typeof ask>) => {
    const { status, body } = await ask(...asked);
    expect([status, body.error]).toEqual([200, null]);
    return movesData.strict().parse(body.data);
  };
  /** `[figure, from, to]` of the campaigns that moved, and `[person, figure, from, to]`. */
  const told = ({ campaigns }: Awaited<ReturnType<typeof movesOf>>) =>
    campaigns.map(({ id, figures, people }) => [
      id,
      ...figures.map(({ figure, from, to }) => [figure, from, to]),
      ...people.map(({ name, figure, from, to }) => [name, figure, from, to]),
    ]);

  test('AUD-1220 each figure that moved, from before the command to after it, to the kopeck, and none that did not', async () => {
    const log = await begun();
    const added = await log.append(['placement', 'p1', placementAdded(place, { price: rubles(5100) })]);
    await log.append(['placement', 'p1', counted(64)]);
    const changed = await log.append(['placement', 'p1', priced(5200.5)]);
    const dated = await log.append(['placement', 'p1', { type: 'PlacementDateChanged', data: { date: '2025-03-11' } }]);
    // What came later is in none of it.
    await log.append(['placement', 'p1', priced(1), counted(1)]);
    expect(told(await movesOf(log, added))).toEqual([
      [
        'camp',
        ['spent', 0, 5100],
        ['remaining', 10_000, 4900],
        ['budgetUse', 0, 51],
        ['placements', 0, 1],
        ['ilya', 'remaining', 8000, 2900],
        ['ilya', 'earnings', 0, 510],
      ],
    ]);
    const moves = await movesOf(log, changed);
    expect(told(moves)).toEqual([
      [
        'camp',
        ['spent', 5100, 5200.5],
        ['remaining', 4900, 4799.5],
        ['budgetUse', 51, 52.01],
        ['cpl', 79.69, 81.26],
        ['ilya', 'remaining', 2900, 2799.5],
        ['ilya', 'earnings', 510, 520.05],
      ],
    ]);
    expect(moves.campaigns[0]).toMatchObject({ name: 'Весна' });
    expect(moves.campaigns[0]?.figures.at(-1)).toMatchObject({ classes: { from: 'good', to: 'good' } });
    expect(moves).toMatchObject({ outcome: 'told', campaignsLeftOut: 0, othersBetween: false, licenceWide: false });
    expect(await movesOf(log, dated)).toMatchObject({ outcome: 'told', campaigns: [], licenceWide: false });
  });

  test('AUD-1221 a command of several streams is told whole from any of its entries, each of its campaigns apart', async () => {
    const log = await begun();
    const last = await log.append(
      ['placement', 'p1', placementAdded(place, { price: rubles(100) }), counted(4)],
      ['placement', 'p2', placementAdded({ ...place, campaign: 'autumn' }, { price: rubles(30) })],
      ['placement', 'p3', placementAdded(place, { price: rubles(200) })],
    );
    const whole = [
      [
        'camp',
        ['spent', 0, 300],
        ['remaining', 10_000, 9700],
        ['budgetUse', 0, 3],
        ['placements', 0, 2],
        ['leads', 0, 4],
        ['cpl', null, 75],
        ['ilya', 'remaining', 8000, 7700],
        ['ilya', 'earnings', 0, 30],
      ],
      [
        'autumn',
        ['spent', 0, 30],
        ['remaining', 10_000, 9970],
        ['budgetUse', 0, 0.3],
        ['placements', 0, 1],
        ['ilya', 'earnings', 0, 3],
      ],
    ];
    for (const position of [last, last - 1, last - 3]) expect(told(await movesOf(log, position))).toEqual(whole);
  });

  test('AUD-1222 a campaign that begins or goes counts as nothing before or after', async () => {
    const log = await begun();
    const created = await log.append(['campaign', 'new', campaignCreated('Новая')]);
    await log.append(['placement', 'p1', placementAdded(place, { price: rubles(100) })]);
    const removed = await log.append(['campaign', 'camp', { type: 'CampaignDeleted', data: {} }]);
    expect(told(await movesOf(log, created))).toEqual([
      ['new', ['budget', 0, 10_000], ['remaining', 0, 10_000], ['budgetUse', null, 0]],
    ]);
    expect(told(await movesOf(log, removed))).toEqual([
      [
        'camp',
        ['budget', 10_000, 0],
        ['spent', 100, 0],
        ['remaining', 9900, 0],
        ['budgetUse', 1, null],
        ['placements', 1, 0],
        ['ilya', 'remaining', 7900, 0],
        ['ilya', 'earnings', 10, 0],
      ],
    ]);
  });

  test('AUD-1223 what a colleague moves in the same campaign between two of its events is not counted as its own, and that is said', async () => {
    const log = await begun();
    await log.append(['placement', 'p1', placementAdded(place, { price: rubles(100) }), counted(1)]);
    await log.append(['placement', 'p2', placementAdded({ ...place, buyer: 'anna' }, { price: rubles(50) })]);
    const slow = { actorId: 'owner', commandId: uuid('slow') };
    const first = await log.appendBy(slow, ['placement', 'p1', priced(300)]);
    const between = await log.appendBy({ actorId: 'anna' }, ['placement', 'p2', priced(1050), counted(9)]);
    const last = await log.appendBy(slow, ['placement', 'p1', counted(2)]);
    const expected = [
      [
        'camp',
        ['spent', 150, 350],
        ['remaining', 9850, 9650],
        ['budgetUse', 1.5, 3.5],
        ['leads', 1, 2],
        ['cpl', 150, 175],
        ['ilya', 'remaining', 7900, 7700],
        ['ilya', 'earnings', 10, 30],
      ],
    ];
    for (const position of [first, last]) {
      const moves = await movesOf(log, position);
      expect(told(moves)).toEqual(expected);
      expect(moves.othersBetween).toBe(true);
    }
    const hers = await movesOf(log, between);
    expect(told(hers)[0]).toContainEqual(['spent', 350, 1350]);
    expect(hers.othersBetween).toBe(false);
  });

  test('AUD-1224 what others do elsewhere meanwhile parts nothing; a rate that changes meanwhile does', async () => {
    const log = await begun();
    await log.append(['placement', 'p1', placementAdded(place, { price: rubles(100) })]);
    const slow = { actorId: 'owner', commandId: uuid('slow') };
    await log.appendBy(slow, ['placement', 'p1', priced(200)]);
    await log.append(['placement', 'p9', placementAdded({ ...place, campaign: 'autumn' })]);
    await log.append(['employee', 'anna', { type: 'EmployeeRenamed', data: { name: 'Анна' } }]);
    const undisturbed = await log.appendBy(slow, ['placement', 'p1', counted(1)]);
    const slower = { actorId: 'owner', commandId: uuid('slower') };
    await log.appendBy(slower, ['placement', 'p1', priced(300)]);
    await log.append(['employee', 'ilya', rated(50)]);
    const disturbed = await log.appendBy(slower, ['placement', 'p1', priced(400)]);
    expect((await movesOf(log, undisturbed)).othersBetween).toBe(false);
    const moves = await movesOf(log, disturbed);
    expect(moves.othersBetween).toBe(true);
    // 10 of 100 roubles more at 10 %, 50 of 100 more at 50 %; what the rate itself moved is not of this command.
    expect(told(moves)[0]).toContainEqual(['ilya', 'earnings', 20, 80]);
  });

  test('AUD-1225 a command that others cut in too many pieces is not told, and a change for the whole team says that it is one', async () => {
    const log = await begun();
    await log.append(['placement', 'p1', placementAdded(place)]);
    await log.append(['placement', 'p2', placementAdded(place)]);
    let last = 0;
    for (let price = 1; price <= 9; price += 1) {
      last = await log.appendBy({ commandId: uuid('torn') }, ['placement', 'p1', priced(price)]);
      await log.append(['placement', 'p2', priced(price)]);
    }
    const wide = await log.append(['employee', 'ilya', rated(20)]);
    const hired = await log.append(['employee', 'new', employeeCreated('new', terms)]);
    expect(await movesOf(log, last)).toMatchObject({ outcome: 'scattered', campaigns: [], campaignsLeftOut: 1 });
    expect(await movesOf(log, wide)).toMatchObject({ outcome: 'told', campaigns: [], licenceWide: true });
    expect(await movesOf(log, hired)).toMatchObject({ outcome: 'told', campaigns: [], licenceWide: false });
  });

  test('AUD-1226 earnings are told to whom they may be, the journal’s right is needed, and it is asked of no past', async () => {
    const log = await begun();
    const added = await log.append(['placement', 'p1', placementAdded(place, { price: rubles(100) })]);
    expect(told(await movesOf(log, added))[0]).toContainEqual(['ilya', 'earnings', 0, 10]);
    const seen = await movesOf(log, added, 'reader');
    expect(told(seen)[0]).toContainEqual(['ilya', 'remaining', 8000, 7900]);
    expect(seen.campaigns[0]?.people.map(({ figure }) => figure)).toEqual(['remaining']);
    const refused = await ask(log, added, 'ilya');
    expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
    const past = await world?.get(`/audit/${added}/moves?at=1`, (await world.signIn('owner')).token);
    expect([past?.status, past?.body.errors]).toEqual([422, [{ pointer: '/at', detail: messages.unknownParameter }]]);
  });

  test('AUD-1227 a position of another licence, of nothing, or that is none is not found', async () => {
    const log = await begun();
    const foreign = await log.appendAs(
      other,
      1,
      ['licence', other, inForce],
      ['campaign', 'theirs', campaignCreated('Чужая')],
    );
    const own = await log.append(['placement', 'p1', placementAdded(place)]);
    for (const position of [foreign, foreign - 1, own + 1, 0, 'x', '1.5', '-1', '9'.repeat(20)]) {
      const { status, body } = await ask(log, position);
      expect([position, status, body.error]).toEqual([position, 404, messages.entryNotFound]);
    }
    expect((await ask(log, own)).status).toBe(200);
  });

  test('AUD-1228 a log that this version cannot read up to there says so, and nothing is made up', async () => {
    const log = await begun();
    const before = await log.append(['placement', 'p1', placementAdded(place)]);
    await log.append(['placement', 'p2', { type: 'PlacementTeleported', data: {} } as unknown as AnyEvent]);
    const after = await log.append(['placement', 'p1', priced(5)]);
    expect((await movesOf(log, before)).outcome).toBe('told');
    // Another version of the projections, which knows the event, has gone on.
    const entry = { entity: 'placement:p1', campaignId: 'camp', campaignName: 'Весна' };
    const teleported = { ...entry, entity: 'placement:p2', revision: 0, event: 'PlacementTeleported' };
    const { history } = docOf(licenceId);
    const written = await (world as World).deps.readStore.commit({
      docs: [history(teleported)(after - 1), history(entry)(after)],
      checkpoint: { partition: 'all', position: after, fence: 1 },
      repair: true,
    });
    expect(written.kind).toBe('committed');
    expect(await movesOf(log, after)).toMatchObject({ outcome: 'unreadable', campaigns: [], campaignsLeftOut: 1 });
  });

  test('AUD-1229 the same whenever it is asked, whatever came since', async () => {
    const log = await begun();
    const added = await log.append(['placement', 'p1', placementAdded(place, { price: rubles(5) })]);
    const { deps } = await opened(log);
    const first = (await ask(log, added)).body.data;
    for (const facts of [
      ['placement', 'p1', priced(77)],
      ['placement', 'p2', placementAdded(place)],
      ['employee', 'ilya', rated(50)],
      ['placement', 'p1', { type: 'PlacementRemoved', data: {} }],
      ['campaign', 'camp', { type: 'CampaignDeleted', data: {} }],
    ] satisfies readonly Fact[]) {
      await log.append(facts);
      await foldAll({ eventStore: log.eventStore, readStore: deps.readStore });
      expect((await ask(log, added)).body.data).toEqual(first);
    }
  });

  test('AUD-1230 it takes one of the two turns of its licence: what is read at once is bounded, and the same question is asked once', async () => {
    const log = await begun();
    const positions: number[] = [];
    for (const id of ['p1', 'p2', 'p3']) positions.push(await log.append(['placement', id, placementAdded(place)]));
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked: string[] = [];
    const eventStore: World['deps']['eventStore'] = {
      ...log.eventStore,
      read: async (stream, options) => {
        if (stream.startsWith('campaign-')) asked.push(stream);
        await gate;
        return log.eventStore.read(stream, options);
      },
    };
    const waiting: unknown[] = [];
    const onWaiting = (of: unknown): number => waiting.push(of);
    const timers = { setTimeout: onWaiting, clearTimeout: () => undefined };
    const on = await opened(log, { eventStore, guard: readGuard({ timers }) });
    const { token } = await on.signIn('owner');
    const [first, second, third] = positions;
    const all = [first, first, second, third].map((position) => on.get(`/audit/${position}/moves`, token));
    // The third question waits with a timer of its patience.
    while (asked.length + waiting.length < 3) await new Promise(setImmediate);
    expect(asked).toHaveLength(2);
    letGo();
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Each of three commands: twice the same question made it no more.
    expect(asked).toHaveLength(3);
  });
});
