import { randomBytes, randomUUID } from 'node:crypto';
import { streamCache } from '@zakup/command/pipeline/stream-cache';
import { commandService } from '@zakup/command/testing/command-service';
import { givenBuying, givenPlacement } from '@zakup/command/testing/given';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { afterAll, expect, inject, test } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';

const server = await eventStoreDbServer();
afterAll(() => server.stop());

const rowCount = 40;
const rounds = inject('isDeep') ? 4 : 2;
/** Of one editor in one round, whom the limit of changes a minute lets through. */
const mostEdits = 20;

test(`RDC-20 batches of ${rowCount} toggles against five editors and another batch are there whole or not at all (${server.kind})`, async () => {
  const namespace = `t${randomBytes(6).toString('hex')}`;
  const open = () => eventStoreDbEventStore({ url: server.url, namespace });
  const service = await commandService(undefined, open);
  const { licence, buyer, body } = await givenBuying(service);
  const ids: string[] = [];
  for (let row = 0; row < rowCount; row += 1)
    ids.push((await givenPlacement(service, buyer.token, { ...body, contractor: `nick${row % 5}` })).id);
  const edited = ids.slice(-5);
  const send = (method: string, path: string, given: unknown, key: string) =>
    service.call(method, path, given, { token: buyer.token, key });

  const rows = async () => {
    const cache = streamCache(service.commandLog);
    const states = await Promise.all(
      ids.map((id) => cache.load(placementDecider, `placement-${licence.id}~${id}`, true)),
    );
    return states.map(({ state }) => state);
  };
  const toggles = { items: ids.map((placementId) => ({ op: 'payment', placementId })) };
  /** Conflicts with an editor of its last rows nearly always. */
  const seen = async (wanted: number) => {
    const items = await Promise.all(
      ids.map(async (placementId) => {
        const revision = await service.eventStore.revision(`placement-${licence.id}~${placementId}`);
        return { op: 'change', placementId, price: wanted, baseRevision: revision === 'no_stream' ? 0 : revision };
      }),
    );
    return { items };
  };

  let paid = false;
  let price = 1000;
  for (let round = 0; round < rounds; round += 1) {
    const answered = new AbortController();
    const editing = edited.map(async (id) => {
      for (let edits = 0; edits < mostEdits && !answered.signal.aborted; edits += 1) {
        price += 1;
        const reply = await send('PATCH', `/placements/${id}`, { price }, randomUUID());
        expect(reply.status).toBe(200);
      }
    });
    const key = randomUUID();
    const conflicting = await seen(900_000 + round);
    const other = send('POST', '/placements/batch', conflicting, randomUUID());
    const [first, second, conflicted] = await Promise.all([
      send('POST', '/placements/batch', toggles, key),
      send('POST', '/placements/batch', toggles, key),
      other,
    ]);
    answered.abort();
    service.advance(60_000);
    await Promise.all(editing);
    expect([200, 409]).toContain(conflicted.status);
    expect([first.status, second.status]).toEqual([200, 200]);
    paid = !paid;
    const states = await rows();
    expect(states.map((row) => row?.paymentStatus)).toEqual(ids.map(() => (paid ? 'paid' : 'unpaid')));
    const visible = states.filter((row) => row?.price === (900_000 + round) * 100).length;
    expect(conflicted.status === 200 || visible === 0).toBe(true);
  }
  await service.close();
}, 240_000);
