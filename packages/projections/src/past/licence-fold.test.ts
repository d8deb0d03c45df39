import { serialQueue } from '@zakup/async/serial-queue';
import { declaredFields, type RowKind } from '@zakup/contracts/read-models';
import type { AnyEvent } from '@zakup/domain/catalog';
import type { EventStore } from '@zakup/event-store/event-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  firstInstant,
  foldAll,
  instant,
  licenceId,
  licenceIssued,
  placementAdded,
  present,
  rubles,
  testLog,
  testReadStore,
} from '../testing/given.ts';
import { beginning, checkTotals, factsOf, newWorld, step } from '../testing/random-history.ts';
import { LicenceFold, type LicenceFoldOptions, type MomentAsked, type Past } from './licence-fold.ts';

const kinds: readonly RowKind[] = [
  'license',
  'user',
  'channel',
  'campaign',
  'creative',
  'contractor',
  'note',
  'placement',
  'analytics',
  'earnings',
];
const never = new AbortController().signal;
const position = (at: number): MomentAsked => ({ by: 'position', position: at });
const time = (at: number): MomentAsked => ({ by: 'time', time: at });

const foldOf = (
  eventStore: Pick<EventStore, 'readLicence'>,
  of: Partial<Omit<LicenceFoldOptions, 'eventStore'>> = {},
) => new LicenceFold({ eventStore, licenceId, declared: declaredFields, queue: serialQueue(), ...of });

const found = (past: Past): Extract<Past, { kind: 'found' }> => {
  if (past.kind !== 'found') throw new Error(past.kind);
  return past;
};

/** The log, and the ranges in which a licence was read from it. */
const watched = (eventStore: EventStore) => {
  const reads: (number | undefined)[] = [];
  const readLicence: EventStore['readLicence'] = (licence, range = {}) => {
    reads.push(range.after);
    return eventStore.readLicence(licence, range);
  };
  return { reads, readLicence };
};

const price = (amount: number): AnyEvent => ({ type: 'PlacementPriceChanged', data: { price: rubles(amount) } });
const priceAt = async (past: Past): Promise<unknown> =>
  (await found(past).documents.get('placement', 'p'))?.data?.['price'];

/** Position 5: a placement at 1 ruble; then one change of price with each command, to as many rubles as its place from there on. */
const pricesLog = async (changes: number) => {
  const log = testLog();
  await log.append(['licence', licenceId, licenceIssued]);
  await log.append(['campaign', 'k', campaignCreated('k')]);
  await log.append(['contractor', 'c', contractorCreated('c')]);
  await log.appendAs('a1other', 1, ['licence', 'a1other', licenceIssued]);
  const place = placementAdded({ campaign: 'k', contractor: 'c', buyer: 'b' }, { price: rubles(1) });
  await log.append(['placement', 'p', place]);
  for (let amount = 2; amount <= changes + 1; amount += 1) await log.append(['placement', 'p', price(amount)]);
  return log;
};

describe('a licence folded to a moment', () => {
  it('TT-1 sums at every moment are what the rows of that moment give, and every document is what a projector had then', async () => {
    const seldom = { maxLength: 25, minLength: 1 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, seldom),
        fc.array(fc.nat(1_000), seldom),
        fc.integer({ min: 1, max: 9 }),
        async (steps, asked, interval) => {
          const { eventStore, append } = testLog();
          const readStore = testReadStore();
          const world = newWorld();
          for (const fact of beginning) await append(fact);
          const then: { world: typeof world; at: number; documents: unknown }[] = [];
          const documentsIn = async (documents: Pick<typeof readStore, 'query'>) =>
            Promise.all(kinds.map(async (kind) => (await documents.query(kind, { licenceId })).docs));
          for (const one of steps) {
            const at = await append(...factsOf(world, one));
            await foldAll({ eventStore, readStore });
            const documents = JSON.parse(JSON.stringify(await documentsIn(readStore))) as unknown;
            then.push({ world: structuredClone(world), at, documents });
          }
          const fold = foldOf(eventStore, { interval });
          for (const [count, n] of asked.entries()) {
            const moment = then[n % then.length];
            if (moment === undefined) continue;
            if (count % 10 === 9) await fold.thin();
            const past = found(await fold.at(position(moment.at), never));
            expect(past.moment.position).toBe(moment.at);
            expect(JSON.parse(JSON.stringify(await documentsIn(past.documents)))).toEqual(moment.documents);
            await checkTotals(past.documents, moment.world);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('TT-2 a position between two events is the last of the licence before it, a time the last one recorded by then', async () => {
    const { eventStore } = await pricesLog(6);
    const fold = foldOf(eventStore, { interval: 3 });
    const moment = async (asked: MomentAsked) => found(await fold.at(asked, never)).moment;
    expect(await moment(position(4))).toEqual({ position: 3, time: instant(3) });
    expect(await moment(position(3))).toEqual({ position: 3, time: instant(3) });
    expect(await moment(time(firstInstant + 6_000))).toEqual({ position: 6, time: instant(6) });
    expect(await moment(time(firstInstant + 6_999))).toEqual({ position: 6, time: instant(6) });
    expect(await moment(time(firstInstant + 999_000))).toEqual({ position: 11, time: instant(11) });
    expect(await moment(position(11))).toEqual({ position: 11, time: instant(11) });
  });

  it('TT-3 of events recorded at the same time the last one counts', async () => {
    const { eventStore, append, next } = await pricesLog(1);
    await append(
      ['placement', 'p', price(30), price(40)],
      ['contractor', 'c', { type: 'ContractorDeactivated', data: {} }],
    );
    await append(['placement', 'p', price(50)]);
    for (const interval of [1, 2, 3, 100]) {
      const fold = foldOf(eventStore, { interval });
      const past = found(await fold.at(time(firstInstant + (next() - 1) * 1000), never));
      expect(past.moment.position).toBe(9);
      expect(await priceAt(past)).toBe(rubles(40));
      expect(await priceAt(await fold.at(position(7), never))).toBe(rubles(30));
    }
  });

  it('TT-4 before its first event there is no licence', async () => {
    const log = testLog();
    await log.appendAs('a1other', 1, ['licence', 'a1other', licenceIssued]);
    await log.append(['licence', licenceId, licenceIssued]);
    const fold = foldOf(log.eventStore);
    expect(await fold.at(position(1), never)).toEqual({ kind: 'before_beginning' });
    expect(await fold.at(time(firstInstant), never)).toEqual({ kind: 'before_beginning' });
    expect(found(await fold.at(position(2), never)).moment.position).toBe(2);
    expect(await foldOf(log.eventStore, { licenceId: '00none' }).at(position(2), never)).toEqual({
      kind: 'before_beginning',
    });
  });

  it.each([1, 2, 4, 100])(
    'TT-5 an event that cannot be folded parks what comes after it (interval %i)',
    async (interval) => {
      const { eventStore, append, next } = await pricesLog(3);
      await append(['placement', 'p', price(100), { type: 'PlacementTeleported', data: {} } as unknown as AnyEvent]);
      const failing = firstInstant + next() * 1000;
      await append(['placement', 'p', price(200)]);
      const fold = foldOf(eventStore, { interval });
      const refused = { kind: 'unfoldable', failedAt: 10, reason: 'Unknown event type PlacementTeleported' };
      expect(await fold.at(position(11), never)).toEqual(refused);
      expect(await fold.at(position(10), never)).toEqual(refused);
      expect(await fold.at(time(failing), never)).toEqual(refused);
      expect(await priceAt(await fold.at(position(9), never))).toBe(rubles(100));
      expect(await priceAt(await fold.at(position(8), never))).toBe(rubles(4));
      expect(await priceAt(await fold.at(time(failing - 1), never))).toBe(rubles(4));
      expect(await foldOf(eventStore, { interval }).at(position(11), never)).toEqual(refused);
    },
  );

  it('TT-6 many who ask at once share one fold', async () => {
    const { eventStore } = await pricesLog(60);
    const alone = watched(eventStore);
    await foldOf(alone, { interval: 10 }).at(position(62), never);
    const together = watched(eventStore);
    const fold = foldOf(together, { interval: 10 });
    const pasts = await Promise.all(
      Array.from({ length: 20 }, () => fold.at(position(62), new AbortController().signal)),
    );
    expect(together.reads).toEqual(alone.reads);
    for (const past of pasts) expect(await priceAt(past)).toBe(rubles(58));
  });

  it('TT-7 what was written since others began to read is in the answer all the same', async () => {
    const { eventStore, append } = await pricesLog(4);
    let hold: Promise<unknown> = Promise.resolve();
    const slow: Pick<EventStore, 'readLicence'> = {
      readLicence: async (licence, range) => {
        const events = await eventStore.readLicence(licence, range);
        await hold;
        return events;
      },
    };
    const fold = foldOf(slow);
    let go = (): void => undefined;
    hold = new Promise<void>((resolve) => {
      go = resolve;
    });
    const before = fold.at(position(9), never);
    const at = await append(['placement', 'p', price(77)]);
    const after = fold.at(position(at), never);
    go();
    expect(await priceAt(await before)).toBe(rubles(5));
    expect(await priceAt(await after)).toBe(rubles(77));
  });

  it('TT-8 one who does not wait any more stops it, and the next one goes on from there', async () => {
    const { eventStore } = await pricesLog(200);
    const log = watched(eventStore);
    const fold = foldOf(log, { interval: 10 });
    const waiting = new AbortController();
    const answer = fold.at(position(200), waiting.signal);
    waiting.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await expect(fold.at(position(200), waiting.signal)).rejects.toThrow('gone');
    expect(log.reads.length).toBeLessThan(3);
    expect(await priceAt(await fold.at(position(200), never))).toBe(rubles(196));
    expect(log.reads.filter((after) => after === 0)).toHaveLength(1);
  });

  it('TT-9 a moment costs at most the events between two snapshots, and nothing when it is asked again', async () => {
    const { eventStore } = await pricesLog(200);
    const log = watched(eventStore);
    const fold = foldOf(log, { interval: 10 });
    await fold.at(position(205), never);
    log.reads.length = 0;
    await fold.at(position(107), never);
    expect(log.reads).toEqual([101]);
    await fold.at(position(107), never);
    expect(log.reads).toHaveLength(1);
  });

  it('TT-10 thinned, it holds less and answers the same', async () => {
    const { eventStore } = await pricesLog(300);
    const fold = foldOf(eventStore, { interval: 5 });
    const asked = [305, 6, 77, 150, 299, 11];
    const answers = async () => Promise.all(asked.map(async (at) => priceAt(await fold.at(position(at), never))));
    const [first, weight] = [await answers(), fold.weight()];
    const open = found(await fold.at(position(77), never)).documents;
    let thinned = weight;
    while (await fold.thin()) {
      thinned = fold.weight();
      expect(await answers()).toEqual(first);
    }
    expect(thinned).toBeLessThan(weight / 4);
    expect((await open.get('placement', 'p'))?.data?.['price']).toBe(rubles(73));
    expect(await present(open, 'campaign')).toHaveProperty('k');
  });

  it('TT-11 what the log cannot answer now is asked again the next time', async () => {
    const { eventStore } = await pricesLog(20);
    let away = true;
    const fold = foldOf(
      {
        readLicence: async (licence, range) => {
          if (away) throw new Error('away');
          return eventStore.readLicence(licence, range);
        },
      },
      { interval: 10 },
    );
    await expect(fold.at(position(20), never)).rejects.toThrow('away');
    away = false;
    expect(await priceAt(await fold.at(position(20), never))).toBe(rubles(16));
    away = true;
    await expect(fold.at(position(19), never)).rejects.toThrow('away');
    away = false;
    expect(await priceAt(await fold.at(position(19), never))).toBe(rubles(15));
  });
});
