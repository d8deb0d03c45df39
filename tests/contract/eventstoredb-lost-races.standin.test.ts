import { randomUUID } from 'node:crypto';
import { foldStream } from '@zakup/command/pipeline/stream-cache';
import { commandService } from '@zakup/command/testing/command-service';
import { givenBuying, givenPlacement } from '@zakup/command/testing/given';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { type EventStore, EventStoreUnavailable } from '@zakup/event-store/event-store';
import {
  type Arbitrary,
  assert,
  asyncProperty,
  constantFrom,
  nat,
  record,
  shuffledSubarray,
  subarray,
} from 'fast-check';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { standInWorld } from './eventstoredb-world.ts';

const rowCount = 5;
const each = Array.from({ length: rowCount }, (_, index) => index);

/**
 * A team with five unpaid placements. `afterLooks`: what happens between a look at the partial writes of a command and its decision, one after each;
 * `ended`: whoever is in the middle of a command comes no further, as if their process had ended.
 */
const buying = async () => {
  const { faults, namespace, open } = await standInWorld();
  const between: { readonly afterLooks: (() => Promise<void>)[]; ended: boolean } = { afterLooks: [], ended: false };
  let hasLooked = (): void => undefined;
  const looked = new Promise<void>((resolve) => {
    hasLooked = resolve;
  });
  const store = await open();
  const { unfinished } = store;
  if (unfinished === undefined) throw new Error('This log is atomic across streams');
  const watched: EventStore = {
    ...store,
    unfinished: {
      ...unfinished,
      async findPartial(commandKey) {
        if (between.ended) throw new EventStoreUnavailable('The process has ended');
        const partial = await unfinished.findPartial(commandKey);
        await between.afterLooks.shift()?.();
        hasLooked();
        return partial;
      },
    },
  };
  const service = await commandService(undefined, () => watched);
  onTestFinished(() => service.close());
  const { licence, buyer, body } = await givenBuying(service);
  const ids: string[] = [];
  for (const row of each)
    ids.push((await givenPlacement(service, buyer.token, { ...body, contractor: `nick${row}` })).id);
  const stream = (row: number): string => `placement-${licence.id}~${ids[row]}`;
  const state = async (row: number) => foldStream(placementDecider, await store.read(stream(row))).state;
  return {
    between,
    ids,
    rows: () => Promise.all(each.map(state)),
    /** The next write to the row is slow on its way. */
    holdNext: (row: number) => faults.holdNext(new RegExp(`^${namespace}_${stream(row)}$`)),
    /** Resolves when somebody has looked at the partial writes of the command, and what happens after that has happened. */
    looked: () => looked,
    /** Resolves when something was written to the row after its beginning. */
    written: (row: number) => expect.poll(() => store.revision(stream(row))).toBeGreaterThanOrEqual(1),
    /** Resolves when the row has that many events. */
    grown: (row: number, events: number) => expect.poll(() => store.revision(stream(row))).toBe(events - 1),
    batch: (items: readonly object[], key: string) =>
      service.call('POST', '/placements/batch', { items }, { token: buyer.token, key }),
    price: (row: number, price: number) =>
      service.call('PATCH', `/placements/${ids[row]}`, { price }, { token: buyer.token, key: randomUUID() }),
  };
};

describe('writes of one command that are still on their way when it has lost a race (stand-in)', () => {
  test('RDC-1020 sent twice at once, each row is toggled once, however late a sibling lands', async () => {
    const w = await buying();
    const toggles = w.ids.map((placementId) => ({ op: 'payment', placementId }));
    const key = randomUUID();
    const [second, third, fourth] = [w.holdNext(1), w.holdNext(2), w.holdNext(3)];
    const first = w.batch(toggles, key);
    await Promise.all([second.reached, third.reached, fourth.reached, w.grown(4, 2)]);
    expect((await w.price(3, 777)).status).toBe(200);
    w.between.afterLooks.push(async () => {
      third.release();
      await w.grown(2, 2);
    });
    const again = w.batch(toggles, key);
    const answered = await Promise.race([again, w.grown(2, 2).then(() => null)]);
    for (const held of [second, third, fourth]) held.release();
    const replies = [await first, answered ?? (await again)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]?.body).toEqual(replies[1]?.body);
    const rows = await w.rows();
    expect(rows.map((row) => row?.paymentStatus)).toEqual(each.map(() => 'paid'));
    expect(rows[3]?.price).toBe(777_00);
  });

  test('RDC-1021 refused, nothing of it is left by a sibling that lands after the refusal', async () => {
    const w = await buying();
    const before = await w.rows();
    const items = w.ids.map((placementId) => ({ op: 'change', placementId, price: 500, baseRevision: 0 }));
    const key = randomUUID();
    const [third, fourth] = [w.holdNext(2), w.holdNext(3)];
    const first = w.batch(items, key);
    await Promise.all([third.reached, fourth.reached, w.grown(1, 2), w.grown(4, 2)]);
    expect((await w.price(3, 777)).status).toBe(200);
    const again = await w.batch(items, key);
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
    w.between.ended = true;
    for (const held of [third, fourth]) held.release();
    expect((await first).status).toBe(503);
    expect((await w.rows()).map((row) => row?.price)).toEqual(
      before.map((row, index) => (index === 3 ? 777_00 : row?.price)),
    );
  });

  test('RDC-1023 whichever writes are slow, whoever else writes, whenever they land and however often it is sent, each row is changed once or not at all', async () => {
    const story = record({
      /** Rows whose writes are slow, in the order in which they come to their end. */
      slow: shuffledSubarray(each.slice(1), { minLength: 2 }),
      /** A colleague is faster at the last of them, and may be at others. */
      others: subarray(each, { maxLength: 1 }),
      /** How many of the rest land between the first look at the partial writes of the command and the decision, and how many at the next one. */
      first: nat(2),
      second: nat(2),
      sends: constantFrom(1, 2),
      kind: constantFrom('toggle', 'seen'),
    });
    type Story = typeof story extends Arbitrary<infer Told> ? Told : never;
    const tell = async ({ slow, others, first, second, sends, kind }: Story): Promise<void> => {
      const w = await buying();
      const key = randomUUID();
      const items = w.ids.map((placementId) =>
        kind === 'toggle' ? { op: 'payment', placementId } : { op: 'change', placementId, price: 500, baseRevision: 0 },
      );
      const held = new Map(slow.map((row) => [row, w.holdNext(row)]));
      const made = w.batch(items, key);
      await Promise.all([...held.values()].map(({ reached }) => reached));
      await Promise.all(each.filter((row) => !held.has(row)).map((row) => w.written(row)));
      const taken = [...new Set([...slow.slice(-1), ...others])];
      const colleagues = await Promise.all(taken.map((row) => w.price(row, 700 + row)));
      expect(colleagues.map(({ status }) => status)).toEqual(taken.map(() => 200));
      const rest = slow.filter((row) => !taken.includes(row));
      for (const rows of [rest.slice(0, first), rest.slice(first, first + second)]) {
        w.between.afterLooks.push(async () => {
          for (const row of rows) held.get(row)?.release();
          await Promise.all(rows.map((row) => w.written(row)));
        });
      }
      const repeats = Array.from({ length: sends }, () => w.batch(items, key));
      // One of them has decided on whatever it saw, or waits for the first one.
      await Promise.race([...repeats, w.looked()]);
      for (const one of held.values()) one.release();
      const replies = await Promise.all([made, ...repeats]);
      const rows = await w.rows();
      const done = replies.some(({ status }) => status === 200);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => (done ? 200 : 409)));
      expect(kind === 'seen' || done).toBe(true);
      expect(rows.map((row) => row?.paymentStatus)).toEqual(each.map(() => (kind === 'toggle' ? 'paid' : 'unpaid')));
      const answers = done ? replies.map(({ body }) => JSON.stringify(body)) : [];
      expect(new Set(answers).size).toBe(done ? 1 : 0);
      const priceOf = (row: number): number =>
        taken.includes(row) ? (700 + row) * 100 : done && kind === 'seen' ? 500_00 : 100_00;
      expect(rows.map((row) => row?.price)).toEqual(each.map(priceOf));
    };
    // Two writes on their way, of which one lands between look and decision; then what chance adds.
    const issued: Story = { slow: [2, 1, 3], others: [], first: 1, second: 0, sends: 1, kind: 'toggle' };
    await assert(asyncProperty(story, tell), {
      numRuns: inject('isDeep') ? 12 : 4,
      examples: [[issued], [{ ...issued, first: 2, sends: 2 }]],
    });
  });
});
