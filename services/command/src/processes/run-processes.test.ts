import { testCodes } from '@zakup/credentials/testing/test-codes';
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { nextStep } from '@zakup/domain/licence/licence-term';
import { declaredFields } from '@zakup/contracts/read-models';
import { type EventStore, EventStoreUnavailable, type RecordedEvent } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { inMemoryLeases } from '@zakup/read-store/in-memory-leases';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideOn } from '../pipeline/decide-on.ts';
import { partialWrites } from '../compensation/partial-writes.ts';
import { handleCommand } from '../pipeline/handle-command.ts';
import { type CommandLog, hidingCodes } from '../pipeline/hidden-codes.ts';
import { streamOf } from '../pipeline/ids.ts';
import { streamCache } from '../pipeline/stream-cache.ts';
import { type TestClock, testClock } from '../testing/test-clock.ts';
import type { LicenceCommand } from '@zakup/domain/licence/commands';
import { type Processes, processesLease, type ProcessesOptions, runProcesses } from './run-processes.ts';

const day = 86_400_000;
const begin = '2030-01-01T00:00:00.000Z';
const iso = (days: number): string => new Date(Date.parse(begin) + days * day).toISOString();

/** What a store can be told to do: be away, or count what it is asked. */
const tired = (store: CommandLog) => {
  let away = 0;
  const asked = { after: [] as number[], appends: 0 };
  const orAway = async <T>(act: () => Promise<T>): Promise<T> => {
    if (away === 0) return act();
    away -= 1;
    throw new EventStoreUnavailable('away');
  };
  return {
    asked,
    leave: (times: number): void => {
      away = times;
    },
    left: () => away,
    store: {
      ...store,
      append: (...args: Parameters<EventStore['append']>) => {
        asked.appends += 1;
        return orAway(() => store.append(...args));
      },
      read: (...args: Parameters<EventStore['read']>) => orAway(() => store.read(...args)),
      async *subscribe(options: Parameters<EventStore['subscribe']>[0]) {
        asked.after.push(options.after);
        await orAway(async () => undefined);
        yield* store.subscribe(options);
      },
    } satisfies EventStore,
  };
};

/** Licences in a log in memory, a clock, and copies of the processes that run by both. */
const world = () => {
  const clock: TestClock = testClock(begin);
  const eventStore = hidingCodes(inMemoryEventStore({ clock: clock.now }), testCodes);
  const running: Processes[] = [];
  const warnings: string[] = [];
  const about: object[] = [];
  const licences = new Set<string>();

  const command = async (licenceId: string, wanted: LicenceCommand): Promise<void> => {
    const envelope = {
      licenceId,
      actorId: 'admin',
      commandId: randomUUID(),
      requestHash: () => '',
      source: 'api',
      at: new Date(clock.now()).toISOString(),
    } as const;
    licences.add(licenceId);
    const deps = { eventStore, cache: streamCache(eventStore), partialWrites };
    await handleCommand(deps, envelope, { entity: licenceDecider, id: licenceId }, (session) =>
      decideOn({ session }, licenceDecider, licenceId, wanted, {}),
    );
    // The store tells subscriptions of it in the next turn.
    await turn();
  };

  return {
    clock,
    eventStore,
    warnings,
    about,
    command,
    issue: (licenceId: string, expiresAt: string) =>
      command(licenceId, {
        type: 'IssueLicence',
        licenseKey: 'LICENSE-AB12-CD34-EF56-GH78',
        teamName: 'Команда',
        ownerName: 'Ольга',
        ownerEmail: 'olga@example.org',
        ownerTelegram: '@olga',
        expiresAt,
        features: [],
        maxConcurrentSessions: 10,
      }),
    start(more: Partial<ProcessesOptions> = {}): Processes {
      const processes = runProcesses({
        eventStore,
        partialWrites,
        now: clock.now,
        wait: clock.wait,
        signal: new AbortController().signal,
        log: {
          info: () => undefined,
          warn(details, message) {
            warnings.push(message);
            about.push(details);
          },
        },
        ...more,
      });
      running.push(processes);
      return processes;
    },
    /** What the processes recorded, in log order. */
    async recorded(): Promise<readonly RecordedEvent[]> {
      const streams = await Promise.all([...licences].map((id) => eventStore.readLicence(id)));
      const events = streams.flat().sort((one, other) => one.position - other.position);
      return events.filter(({ metadata }) => metadata.actorId === 'system');
    },
    /** Days go by, and the copies do what is due. */
    async days(count: number, copies = 1): Promise<void> {
      clock.advance(count * day);
      await clock.asleep(copies);
    },
    async stop(): Promise<void> {
      await Promise.all(running.map((processes) => processes.stop()));
      await eventStore.close();
    },
  };
};

const nameOf = ({ type, data }: RecordedEvent): string =>
  type === 'LicenceExpiryNoticed' ? `${JSON.stringify(data['daysBefore'])} days` : type.replace('Licence', '');
const wholeTerm = ['30 days', '7 days', '1 days', 'GraceStarted', 'Expired'];

describe('processes', () => {
  let here: ReturnType<typeof world>;
  beforeEach(() => {
    here = world();
  });
  afterEach(() => here.stop());

  const names = async (): Promise<readonly string[]> => (await here.recorded()).map(nameOf);
  const namesOf = async (licenceId: string): Promise<readonly string[]> =>
    (await here.recorded()).filter(({ metadata }) => metadata.licenceId === licenceId).map(nameOf);

  it('PRC-1 a term is told of, goes over into its grace period and ends, each at its instant, by nobody', async () => {
    await here.issue('a1', iso(40));
    await here.start().caughtUp;
    const steps = [10, 33, 39, 40, 47];
    for (const [index, at] of steps.entries()) {
      here.clock.advance((at - (steps[index - 1] ?? 0)) * day - 1);
      await here.clock.asleep();
      expect(await names()).toEqual(wholeTerm.slice(0, index));
      here.clock.advance(1);
      await here.clock.asleep();
      expect(await names()).toEqual(wholeTerm.slice(0, index + 1));
    }
    await here.days(400);
    const events = await here.recorded();
    expect(events.map(nameOf)).toEqual(wholeTerm);
    expect(events.map(({ metadata: { at } }) => at)).toEqual(steps.map(iso));
    expect(events[0]?.data).toEqual({ daysBefore: 30, expiresAt: iso(40) });
    expect(events[3]?.data).toEqual({ until: iso(47) });
    for (const { metadata, stream } of events) {
      expect([metadata.source, metadata.licenceId, stream]).toEqual(['system', 'a1', 'licence-a1~a1']);
      expect(metadata.commandId).toMatch(/^[0-9a-f]{8}-/u);
    }
  });

  it('PRC-2 what was overdue during a pause is done once, in order, however often it is begun anew', async () => {
    await here.issue('a1', iso(40));
    await here.issue('b2', iso(45));
    here.clock.advance(100 * day);
    await here.start().caughtUp;
    const done = await here.recorded();
    expect(done.map(nameOf).length).toBe(10);
    expect(await namesOf('a1')).toEqual(wholeTerm);
    expect(await namesOf('b2')).toEqual(wholeTerm);
    await here.start().caughtUp;
    await here.start().caughtUp;
    expect(await here.recorded()).toEqual(done);
  });

  it('PRC-3 overdue steps of several licences come in the order of their dates', async () => {
    await here.issue('a1', iso(42));
    await here.issue('b2', iso(41));
    here.clock.advance(12.5 * day);
    await here.start().caughtUp;
    expect((await here.recorded()).map(({ metadata }) => metadata.licenceId)).toEqual(['b2', 'a1']);
  });

  it('PRC-4 copies that run at once without a lease do nothing twice', async () => {
    for (const id of ['a1', 'b2', 'c3']) await here.issue(id, iso(40));
    const copies = [here.start(), here.start(), here.start()];
    await Promise.all(copies.map(({ caughtUp }) => caughtUp));
    await here.clock.asleep(3);
    await here.days(200, 3);
    for (const id of ['a1', 'b2', 'c3']) expect(await namesOf(id)).toEqual(wholeTerm);
  });

  it('PRC-5 with leases one works at a time, and the next goes on where it left off', async () => {
    const leases = inMemoryLeases();
    await here.issue('a1', iso(40));
    const first = here.start({ leases });
    await first.caughtUp;
    const second = here.start({ leases });
    await here.days(35);
    expect(await names()).toEqual(['30 days', '7 days']);
    await first.stop();
    await second.caughtUp;
    await here.clock.asleep();
    await here.days(5.5);
    expect(await names()).toEqual(wholeTerm.slice(0, 4));
    leases.expire(processesLease);
    await here.clock.asleep();
    await here.days(100);
    expect(await names()).toEqual(wholeTerm);
  });

  it('PRC-6 a clock set back does nothing twice, and one that jumps ahead is noticed within a minute', async () => {
    await here.issue('a1', iso(40));
    await here.start().caughtUp;
    await here.days(41);
    expect(await names()).toEqual(wholeTerm.slice(0, 4));
    here.clock.set(Date.parse(begin));
    await here.days(1);
    expect(await names()).toEqual(wholeTerm.slice(0, 4));
    here.clock.set(Date.parse(iso(60)));
    here.clock.advance(60_000);
    await here.clock.asleep();
    expect(await names()).toEqual(wholeTerm);
  });

  it('PRC-7 a renewal puts an end to the dates of the term before, and its own term has everything anew', async () => {
    await here.issue('a1', iso(40));
    await here.start().caughtUp;
    await here.days(34);
    await here.command('a1', { type: 'RenewLicence', expiresAt: iso(134) });
    await here.days(69);
    expect(await names()).toEqual(['30 days', '7 days']);
    await here.days(100);
    expect(await names()).toEqual(['30 days', '7 days', ...wholeTerm]);
    await here.command('a1', { type: 'RenewLicence', expiresAt: iso(240) });
    await here.command('a1', { type: 'RenewLicence', expiresAt: iso(134) });
    await here.start().caughtUp;
    expect(await names()).toEqual(['30 days', '7 days', ...wholeTerm, 'GraceStarted', 'Expired']);
  });

  it('PRC-8 a suspension does not stop the term', async () => {
    await here.issue('a1', iso(40));
    await here.start().caughtUp;
    await here.command('a1', { type: 'SuspendLicence', reason: 'долг' });
    await here.days(60);
    expect(await names()).toEqual(wholeTerm);
  });

  it('PRC-9 a store that is away is asked again: nothing is lost, nothing is done twice', async () => {
    await here.issue('a1', iso(40));
    const { store, leave, left } = tired(here.eventStore);
    leave(3);
    const processes = here.start({ eventStore: store });
    for (let retry = 0; retry < 3; retry += 1) {
      await here.clock.asleep();
      here.clock.advance(5_000);
    }
    await processes.caughtUp;
    await here.clock.asleep();
    leave(4);
    here.clock.advance(100 * day);
    while (left() > 0) {
      await here.clock.asleep();
      here.clock.advance(5_000);
    }
    await here.clock.asleep();
    here.clock.advance(5_000);
    await here.clock.asleep();
    expect(await names()).toEqual(wholeTerm);
    expect(here.warnings.length).toBeGreaterThanOrEqual(7);
  });

  it('PRC-10 a stream that cannot be folded holds up no other', async () => {
    const foreign = {
      id: randomUUID(),
      type: 'LicencePainted',
      data: {},
      metadata: {
        licenceId: 'a0',
        actorId: 'admin',
        source: 'api',
        commandId: randomUUID(),
        requestHash: '',
        at: begin,
        schemaVersion: 1,
      },
    } as const;
    await here.eventStore.append([
      { stream: streamOf('licence', 'a0', 'a0'), expectedRevision: 'no_stream', events: [foreign] },
    ]);
    await here.issue('b2', iso(40));
    here.start();
    await here.clock.asleep();
    for (let retry = 0; retry < 4; retry += 1) await here.days(30);
    expect(await namesOf('b2')).toEqual(wholeTerm);
    expect(here.warnings).toContain('A process will try again');
    expect(here.about).toContainEqual(expect.objectContaining({ subject: 'a0', correlationId: 'a0' }));
  });

  it('PRC-11 the read models say where to look, and the streams what is true', async () => {
    await here.issue('a1', iso(40));
    await here.issue('b2', iso(40));
    const position = await here.eventStore.head();
    const readStore = inMemoryReadStore({ declared: declaredFields });
    const row = (id: string) => ({
      kind: 'license',
      id,
      licenceId: id,
      scopes: ['workspace'],
      left: [],
      position,
      deleted: false,
      data: { id, createdAt: begin, expiresAt: iso(5) },
    });
    await readStore.commit({ docs: [row('a1'), row('b2')], checkpoint: { partition: 'all', position, fence: 1 } });
    await here.command('b2', { type: 'RenewLicence', expiresAt: iso(400) });
    await here.issue('c3', iso(40));
    const { store, asked } = tired(here.eventStore);
    await here.start({ eventStore: store, readStore }).caughtUp;
    expect(asked.after).toEqual([position]);
    await here.days(41);
    expect(await namesOf('a1')).toEqual(wholeTerm.slice(0, 4));
    expect(await namesOf('b2')).toEqual([]);
    expect(await namesOf('c3')).toEqual(wholeTerm.slice(0, 4));
    const { store: again, asked: askedAgain } = tired(here.eventStore);
    await readStore.clear();
    await here.start({ eventStore: again, readStore }).caughtUp;
    expect(askedAgain.after).toEqual([0]);
    await readStore.close();
  });

  it('PRC-12 nothing is written while nothing may be', async () => {
    let full: string | null = 'no room';
    await here.issue('a1', iso(40));
    here.start({ readOnly: () => full });
    await here.clock.asleep();
    await here.days(100);
    expect(await names()).toEqual([]);
    full = null;
    here.clock.advance(60_000);
    await here.clock.asleep();
    expect(await names()).toEqual(wholeTerm);
  });

  it('PRC-13 a stop ends them at once, also while they wait for a lease', async () => {
    const leases = inMemoryLeases();
    const first = here.start({ leases });
    await first.caughtUp;
    const byHand = here.start({ leases });
    await byHand.stop();
    await expect(byHand.caughtUp).rejects.toThrow('The processes ended');
    const stopping = new AbortController();
    const bySignal = here.start({ signal: stopping.signal });
    await bySignal.caughtUp;
    stopping.abort();
    await bySignal.stop();
    await here.issue('a1', iso(40));
    await first.stop();
    here.clock.advance(100 * day);
    expect(await names()).toEqual([]);
  });

  it('PRC-14 any story of renewals, suspensions, pauses, copies and clocks ends as one that was followed all the time', async () => {
    const move = fc.oneof(
      {
        arbitrary: fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 45 }) }),
        weight: 4,
      },
      {
        arbitrary: fc.record({ kind: fc.constant('back' as const), days: fc.integer({ min: 1, max: 20 }) }),
        weight: 1,
      },
      {
        arbitrary: fc.record({ kind: fc.constant('renew' as const), days: fc.integer({ min: 1, max: 60 }) }),
        weight: 1,
      },
      { arbitrary: fc.record({ kind: fc.constantFrom('suspend' as const, 'resume' as const) }), weight: 1 },
      { arbitrary: fc.record({ kind: fc.constantFrom('copy' as const, 'stop' as const) }), weight: 2 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), async (story) => {
        const there = world();
        await there.issue('a1', iso(40));
        let copies: Processes[] = [];
        for (const one of story) {
          if (one.kind === 'days') await there.days(one.days, copies.length);
          else if (one.kind === 'back') there.clock.set(there.clock.now() - one.days * day);
          else if (one.kind === 'renew')
            await there.command('a1', {
              type: 'RenewLicence',
              expiresAt: new Date(there.clock.now() + one.days * day).toISOString(),
            });
          else if (one.kind === 'suspend') await there.command('a1', { type: 'SuspendLicence', reason: 'долг' });
          else if (one.kind === 'resume') await there.command('a1', { type: 'ResumeLicence' });
          else if (one.kind === 'copy' && copies.length < 3) {
            const copy = there.start();
            await copy.caughtUp;
            copies.push(copy);
          } else if (one.kind === 'stop') {
            await Promise.all(copies.map((copy) => copy.stop()));
            copies = [];
          }
        }
        await Promise.all(copies.map((copy) => copy.stop()));
        await there.start().caughtUp;
        const events = await there.eventStore.read(streamOf('licence', 'a1', 'a1'));
        let term: string[] = [];
        for (const event of events) {
          if (event.type === 'LicenceIssued' || event.type === 'LicenceRenewed') term = [];
          if (event.metadata.actorId === 'system') term.push(nameOf(event));
          expect(term).toEqual(wholeTerm.filter((name) => term.includes(name)));
        }
        const { state } = await streamCache(there.eventStore).load(
          licenceDecider,
          streamOf('licence', 'a1', 'a1'),
          true,
        );
        const next = state === null ? null : nextStep(state);
        expect(next === null || Date.parse(next.at) > there.clock.now()).toBe(true);
        await there.stop();
      }),
      { numRuns: 60 },
    );
  });
});
