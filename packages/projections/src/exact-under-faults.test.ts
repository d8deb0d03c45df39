import { readdir, readFile } from 'node:fs/promises';
import { activationDecider } from '@zakup/domain/activation/activation.decider';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { campaignUndo } from '@zakup/domain/campaign/campaign.undo';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { channelUndo } from '@zakup/domain/channel/channel.undo';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { contractorUndo } from '@zakup/domain/contractor/contractor.undo';
import type { Contractor } from '@zakup/domain/contractor/state';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import { creativeUndo } from '@zakup/domain/creative/creative.undo';
import type { Decider, DomainEvent } from '@zakup/domain/decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { placementUndo } from '@zakup/domain/placement/placement.undo';
import { preferencesDecider } from '@zakup/domain/preferences/preferences.decider';
import { reservationDecider } from '@zakup/domain/reservation/reservation.decider';
import { attempts } from '@zakup/domain/testing/arbitraries';
import { decideUndo, type PastEvent, type Undoable } from '@zakup/domain/undo';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import type { Commit, Query, ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { licenceChecks } from './licence-check.ts';
import { projection } from './projection.ts';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  type Fact,
  foldAll,
  instant,
  licenceId,
  licenceIssued,
  placementAdded,
  testLog,
  testReadStore,
} from './testing/given.ts';
import { storedOf } from './testing/stored.ts';

type AnyDecider = Decider<unknown, unknown, DomainEvent, unknown>;
type AnyUndoable = Undoable<unknown, DomainEvent, unknown>;

const deciders = {
  placement: placementDecider,
  contractor: contractorDecider,
  campaign: campaignDecider,
  channel: channelDecider,
  creative: creativeDecider,
  employee: employeeDecider,
  licence: licenceDecider,
  activation: activationDecider,
  preferences: preferencesDecider,
  nick: reservationDecider('nick'),
} as const;
type Category = keyof typeof deciders;

const made: Readonly<Record<Category, fc.Arbitrary<readonly [{ readonly type: string }, object]>>> = {
  ...attempts,
  nick: attempts.reservation,
};

const ways: Readonly<Record<string, unknown>> = {
  placement: placementUndo,
  campaign: campaignUndo,
  channel: channelUndo,
  contractor: contractorUndo,
  creative: creativeUndo,
};

const ids = ['a', 'b', 'c'];

/** Everything that commands may name is there. */
const everything: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ...ids.map((id): Fact => ['channel', id, { type: 'ChannelCreated', data: { name: id, avatar: null } }]),
  ...ids.map((id): Fact => ['employee', id, employeeCreated(id, { salaryType: 'percentage', salaryRate: 10 })]),
  ...ids.map((id): Fact => ['contractor', id, contractorCreated(id)]),
  ...ids.map((id): Fact => ['campaign', id, campaignCreated(id)]),
  ...ids.map((id): Fact => ['placement', id, placementAdded({ campaign: id, contractor: 'a', buyer: 'b' })]),
];

/** One command on one stream. */
interface Single {
  readonly kind: 'single';
  readonly category: Category;
  readonly id: string;
  readonly made: readonly [{ readonly type: string }, object];
}
/** One contractor becomes a part of another, or is taken out again: one command on both. */
interface Merge {
  readonly kind: 'merge' | 'separate';
  readonly id: string;
  readonly intoId: string;
}
/** What an earlier command did goes back on all its streams. */
interface Undo {
  readonly kind: 'undo';
  /** Which, counted from the last back. */
  readonly back: number;
}
type Attempt = Single | Merge | Undo;

const bothSides = /^(?:Merge|Separate|Receive|Return)/u;

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  ...(Object.keys(deciders) as Category[]).map((category) =>
    fc.record({
      kind: fc.constant('single' as const),
      category: fc.constant(category),
      id: category === 'licence' || category === 'activation' ? fc.constant(licenceId) : fc.constantFrom(...ids, 'd'),
      made: made[category].filter(([{ type }]) => !bothSides.test(type)),
    }),
  ),
  {
    arbitrary: fc.record({
      kind: fc.constantFrom('merge' as const, 'separate' as const),
      id: fc.constantFrom(...ids),
      intoId: fc.constantFrom(...ids),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ kind: fc.constant('undo' as const), back: fc.nat(6) }), weight: 3 },
);

/** The commands that an attempt gives, beside those that undoing makes. */
const typesOf = (one: Attempt): readonly string[] => {
  switch (one.kind) {
    case 'single':
      return [one.made[0].type];
    case 'merge':
      return ['MergeContractor', 'ReceiveContractor'];
    case 'separate':
      return ['SeparateContractor', 'ReturnContractor'];
    case 'undo':
      return [];
  }
};

interface Kept extends PastEvent<DomainEvent> {
  readonly before: unknown;
  readonly after: unknown;
}
type Change = readonly [
  category: Category,
  id: string,
  ...events: { readonly event: DomainEvent; readonly undoes?: string }[],
];

/** What commands decide on the streams that they and those before them have made. */
const streams = () => {
  const kept = new Map<string, Kept[]>();
  /** The streams of each command. */
  const commands: (readonly (readonly [Category, string])[])[] = [];
  const historyOf = (category: string, id: string): readonly Kept[] => kept.get(`${category} ${id}`) ?? [];
  const stateOf = (category: Category, id: string): unknown => historyOf(category, id).at(-1)?.after ?? null;

  const keep = (changes: readonly Change[]): void => {
    const command = String(commands.length);
    commands.push(changes.map(([category, id]) => [category, id]));
    for (const [category, id, ...events] of changes) {
      const history = [...historyOf(category, id)];
      for (const { event, undoes } of events) {
        const before = history.at(-1)?.after ?? null;
        const recorded = { at: instant(0), actorId: 'person', revision: history.length };
        const after = (deciders[category] as unknown as AnyDecider).evolve(before, event, recorded);
        const eventId = `${category} ${id} ${history.length}`;
        history.push({ event, id: eventId, command, undoes, actorId: 'person', at: instant(0), before, after });
      }
      kept.set(`${category} ${id}`, history);
    }
  };

  const decided = (category: Category, id: string, command: object, facts: object): Change | null => {
    const decision = (deciders[category] as unknown as AnyDecider).decide(command, stateOf(category, id), facts);
    if (decision.kind !== 'accepted' || decision.events.length === 0) return null;
    return [category, id, ...decision.events.map((event) => ({ event }))];
  };

  const contractorOf = (id: string) => stateOf('contractor', id) as Contractor;

  const mergeOf = ({ kind, id: asked, intoId: chosen }: Merge): readonly (Change | null)[] => {
    const merged = ids.find((one) => contractorOf(one).mergedInto !== undefined);
    const id = kind === 'merge' ? asked : (merged ?? asked);
    const from = contractorOf(id);
    const intoId = kind === 'merge' ? chosen : (from.mergedInto ?? chosen);
    const into = contractorOf(intoId);
    const { notes } = from;
    const actor = { id: 'person', role: 'CEO' };
    const merge = { type: 'MergeContractor', contractorId: id, intoId };
    const receive = { type: 'ReceiveContractor', contractorId: id, nicks: [from.nick], notes };
    const back = { type: 'ReturnContractor', contractorId: id, noteIds: notes.map((note) => note.id) };
    return kind === 'merge'
      ? [decided('contractor', id, merge, { actor, into }), decided('contractor', intoId, receive, { actor })]
      : [
          decided('contractor', id, { type: 'SeparateContractor' }, { actor }),
          decided('contractor', intoId, back, { actor }),
        ];
  };

  const undoOn = (command: string, category: Category, id: string): Change | null => {
    const history = historyOf(category, id);
    const first = history.findIndex((one) => one.command === command);
    const last = history.findLastIndex((one) => one.command === command);
    const events = history.slice(first, last + 1);
    const [before, after, current] = [events[0]?.before ?? null, events.at(-1)?.after, history.at(-1)?.after];
    const { campaignId = '', channelId = '' } = current as {
      readonly campaignId?: string;
      readonly channelId?: string;
    };
    const { mergedInto = '' } = (before ?? {}) as { readonly mergedInto?: string };
    const facts = {
      campaign: stateOf('campaign', campaignId),
      channel: stateOf('channel', channelId),
      campaignNames: [],
      actor: { id: 'person', role: 'CEO' },
      into: stateOf('contractor', mergedInto),
    };
    const past = { before, after, current, events, since: history.slice(last + 1) };
    const undone = decideUndo(ways[category] as AnyUndoable, past, facts);
    return undone.kind === 'undone' && undone.events.length > 0 ? [category, id, ...undone.events] : null;
  };

  const undoOf = ({ back }: Undo): readonly (Change | null)[] => {
    const number = commands.length - 1 - back;
    return (commands[number] ?? []).map(([category, id]) =>
      ways[category] === undefined ? null : undoOn(String(number), category, id),
    );
  };

  const changesOf = (one: Attempt): readonly (Change | null)[] =>
    one.kind === 'single'
      ? [decided(one.category, one.id, ...one.made)]
      : one.kind === 'undo'
        ? undoOf(one)
        : mergeOf(one);

  return {
    begin: ([category, id, ...events]: Fact): void =>
      keep([[category as Category, id, ...events.map((event) => ({ event }))]]),

    /** What the attempt adds to its streams, all of them or none; null = it is refused. */
    take(one: Attempt): readonly [Fact, ...Fact[]] | null {
      const changes = changesOf(one);
      if (changes.length === 0 || changes.some((change) => change === null)) return null;
      keep(changes as readonly Change[]);
      return (changes as readonly Change[]).map(([category, id, ...events]) => [
        category,
        id,
        ...events.map(({ event }) => event),
      ]) as unknown as readonly [Fact, ...Fact[]];
    },
  };
};

/** Byte for byte, but for scopes that were left in between, which depend on where commits ended. */
const content = async (readStore: ReadStore): Promise<readonly ReadDocument[]> =>
  (await storedOf(readStore, licenceId)).map((doc) => ({ ...doc, left: [] }));

/** The store of a process that is killed at its n-th call, before it is carried out or before it is answered. */
const mortal = (readStore: ReadStore, at: number, after: boolean) => {
  let calls = 0;
  const died = (): never => {
    throw new Error('The process is gone');
  };
  const killing =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      calls += 1;
      if (calls > at || (calls === at && !after)) died();
      const result = await call(...args);
      return calls === at ? died() : result;
    };
  const store: ReadStore = {
    ...readStore,
    get: killing((kind: string, id: string) => readStore.get(kind, id)),
    getMany: killing((kind: string, wanted: readonly string[]) => readStore.getMany(kind, wanted)),
    query: killing((kind: string, query: Query) => readStore.query(kind, query)),
    commit: killing((commit: Commit) => readStore.commit(commit)),
    checkpoint: killing((partition: string) => readStore.checkpoint(partition)),
  };
  return { store, calls: () => calls };
};

/** Batches as a broken transport might bring them: each up to three times, from earlier on than it should. */
const delivered = (
  events: readonly RecordedEvent[],
  after: number,
  size: number,
): readonly (readonly RecordedEvent[])[] => {
  const batches: (readonly RecordedEvent[])[] = [];
  const from = Math.max(
    0,
    events.findIndex(({ position }) => position > after),
  );
  for (let start = Math.max(0, from - size); start < events.length; start += size) {
    const batch = events.slice(start, start + size);
    for (let time = 0; time <= start % 3; time += 1) batches.push(batch);
    if (start % 2 === 0) batches.push(events.slice(Math.max(0, start - size), start + size));
  }
  return batches;
};

const process = async (readStore: ReadStore, events: readonly RecordedEvent[], size: number, maxDocs: number) => {
  const models = projection({
    eventStore: { readLicence: async () => [] },
    readStore,
    partition: 'all',
    fence: 1,
    maxDocs,
    onParked: () => undefined,
  });
  const after = await models.open();
  for (const batch of delivered(events, after, size)) await models.fold(batch);
};

describe('read models', () => {
  it('PJ-60 are what a fold from scratch makes, byte for byte, after any commands in any batches', async () => {
    const chunks = fc.array(
      fc.record({ attempts: fc.array(attempt, { maxLength: 12 }), maxBatch: fc.integer({ min: 1, max: 9 }) }),
      { maxLength: 6 },
    );
    const taken = { single: 0, merge: 0, separate: 0, undo: 0 };
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 60 }), async (all, maxDocs) => {
        const { eventStore, append } = testLog();
        const readStore = testReadStore();
        const known = streams();
        for (const fact of everything) {
          known.begin(fact);
          await append(fact);
        }
        const checks = licenceChecks({ eventStore, readStore, partition: 'all' });
        for (const { attempts: tries, maxBatch } of all) {
          for (const one of tries) {
            const facts = known.take(one);
            if (facts === null) continue;
            taken[one.kind] += 1;
            await append(...facts);
          }
          await foldAll({ eventStore, readStore, maxBatch, maxDocs });
          expect((await checks.check(licenceId)).differences).toEqual([]);
        }
        await foldAll({ eventStore, readStore });
        const scratch = testReadStore();
        await foldAll({ eventStore, readStore: scratch, maxBatch: 1 });
        expect(await content(readStore)).toEqual(await content(scratch));
        expect((await readStore.query('parked', {})).docs).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(taken.single).toBeGreaterThan(200);
    for (const kind of ['merge', 'separate', 'undo'] as const) expect([kind, taken[kind] > 0]).toEqual([kind, true]);
  });

  it('PJ-65 what a deleted campaign would pay is by the terms of when it was deleted, wherever batches end', async () => {
    const { eventStore, append } = testLog();
    for (const fact of everything) await append(fact);
    await append(['campaign', 'c', { type: 'CampaignDeleted', data: {} }]);
    await append(['employee', 'b', { type: 'EmployeeTermsChanged', data: { salaryRate: 20 } }]);
    const [one, together] = [testReadStore(), testReadStore()];
    await foldAll({ eventStore, readStore: one, maxBatch: 1 });
    await foldAll({ eventStore, readStore: together });
    expect(await content(together)).toEqual(await content(one));
  });

  it('PJ-64 the random commands are of every type that the domain knows', async () => {
    const folder = new URL('../../../domain/src/', import.meta.url);
    const known = new Set<string>();
    for (const entity of await readdir(folder, { withFileTypes: true })) {
      const file = new URL(`${entity.name}/commands.ts`, folder);
      const text = entity.isDirectory() ? await readFile(file, 'utf8').catch(() => '') : '';
      for (const [, type] of text.matchAll(/readonly type: '(\w+)'/gu)) known.add(type ?? '');
    }
    const given = new Set(fc.sample(attempt, { seed: 1, numRuns: 5_000 }).flatMap(typesOf));
    expect([...given].sort()).toEqual([...known].sort());
  });

  it('PJ-61 are the same when the projector is killed at any call, with events up to three times and from earlier on', async () => {
    const cases = fc.record({
      tries: fc.array(attempt, { minLength: 20, maxLength: 30 }),
      size: fc.integer({ min: 2, max: 9 }),
      maxDocs: fc.integer({ min: 1, max: 40 }),
    });
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ tries, size, maxDocs }) => {
        const { eventStore, append } = testLog();
        const known = streams();
        for (const fact of everything) {
          known.begin(fact);
          await append(fact);
        }
        for (const one of tries) {
          const facts = known.take(one);
          if (facts !== null) await append(...facts);
        }
        const events = await eventStore.readLicence(licenceId);
        const scratch = testReadStore();
        await foldAll({ eventStore, readStore: scratch, maxBatch: 1 });
        const expected = await content(scratch);
        for (const after of [false, true]) {
          for (let at = 1; ; at += 1) {
            const readStore = testReadStore();
            const { store, calls } = mortal(readStore, at, after);
            const killed = await process(store, events, size, maxDocs).then(
              () => false,
              () => true,
            );
            // Another process goes on from what is stored.
            await process(readStore, events, size, maxDocs);
            expect(await content(readStore)).toEqual(expected);
            if (killed) kills += 1;
            if (!killed && calls() < at) break;
          }
        }
      }),
      { numRuns: 3 },
    );
    expect(kills).toBeGreaterThan(100);
  }, 120_000);

  it('PJ-62 put back from an older copy, they are folded on to the same state, and who has read further begins anew', async () => {
    const { eventStore, append } = testLog();
    const [yesterday, today] = [testReadStore(), testReadStore()];
    for (const fact of everything) await append(fact);
    await foldAll({ eventStore, readStore: yesterday });
    await foldAll({ eventStore, readStore: today });
    for (const id of ids) await append(['placement', id, { type: 'PlacementMarkedPaid', data: {} }]);
    await foldAll({ eventStore, readStore: today });
    const { position = 0 } = (await today.checkpoint('all')) ?? {};
    const readOn = () => yesterday.changesSince({ licenceId, scope: 'workspace', since: position, partition: 'all' });
    expect((await readOn()).reset).toBe(true);
    await foldAll({ eventStore, readStore: yesterday });
    expect(await readOn()).toEqual({ docs: [], position, reset: false });
    expect(await content(yesterday)).toEqual(await content(today));
  });
});
