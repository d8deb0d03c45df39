import { messages } from '@zakup/domain/messages';
import type { AnyEvent } from '@zakup/domain/catalog';
import type { EventStore } from '@zakup/event-store/event-store';
import {
  campaignCreated,
  contractorCreated,
  type Fact,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
} from '@zakup/projections/testing/given';
import { afterEach, describe, expect, test } from 'vitest';
import { startWorld, type World, licenceId as worldsLicence } from '../testing/world.ts';
import { snapshotCache } from './snapshot-cache.ts';

const never = new AbortController().signal;
const placements = 6;

const price = (amount: number): AnyEvent => ({ type: 'PlacementPriceChanged', data: { price: rubles(amount) } });

/** So many changes of prices of a few placements, 50 with a command, each to another price. */
const bought = async (log: ReturnType<typeof testLog>, licence: string, changes: number): Promise<void> => {
  const of = (id: string) => `${licence}${id}`;
  const append = (...facts: readonly [Fact, ...Fact[]]) => log.appendAs(licence, 1, ...facts);
  await append(['licence', licence, licenceIssued]);
  await append(['campaign', of('k'), campaignCreated('k')]);
  await append(['contractor', of('c'), contractorCreated('c')]);
  const place = placementAdded({ campaign: of('k'), contractor: of('c'), buyer: of('b') });
  for (let index = 0; index < placements; index += 1) await append(['placement', of(`p${index}`), place]);
  for (let made = 0; made < changes; made += 50) {
    const prices = Array.from({ length: 50 }, (_, index) => price(made + index + 1));
    await append(['placement', of(`p${(made / 50) % placements}`), ...(prices as [AnyEvent, ...AnyEvent[]])]);
  }
};

const told = async (pasts: ReturnType<typeof snapshotCache>, licence: string, position: number): Promise<string> => {
  const past = await pasts.at(licence, { by: 'position', position }, never);
  if (past.kind !== 'found') throw new Error(past.kind);
  const kinds = ['placement', 'analytics', 'earnings', 'contractor', 'campaign', 'license'];
  const found = await Promise.all(kinds.map((kind) => past.documents.query(kind, { licenceId: licence })));
  return JSON.stringify([past.moment, found]);
};

describe('licences as they were', () => {
  test('TT-40 there is room for so many documents: who was not asked for goes, and comes back the same', async () => {
    const log = testLog();
    const licences = ['0a00', '1b00', '2c00', '3d00'];
    for (const licence of licences) await bought(log, licence, 600);
    const head = await log.eventStore.head();
    const asked = licences.flatMap((licence, index) =>
      [0.3, 0.7, 1].map((part) => [licence, Math.floor(((index + part) * head) / licences.length)] as const),
    );
    const answers = async (pasts: ReturnType<typeof snapshotCache>): Promise<readonly string[]> => {
      const all: string[] = [];
      for (const [licence, position] of asked) all.push(await told(pasts, licence, position));
      return all;
    };
    const roomy = snapshotCache({ eventStore: log.eventStore, interval: 20 });
    const first = await answers(roomy);
    expect(await answers(roomy)).toEqual(first);
    const capacity = roomy.weight() / 3;
    const tight = snapshotCache({ eventStore: log.eventStore, interval: 20, capacity });
    for (let time = 0; time < 2; time += 1) {
      expect(await answers(tight)).toEqual(first);
      expect(tight.weight()).toBeLessThanOrEqual(capacity);
    }
  });

  test('TT-41 one licence that does not fit keeps fewer snapshots', async () => {
    const log = testLog();
    await bought(log, '0a00', 3_000);
    const roomy = snapshotCache({ eventStore: log.eventStore, interval: 20 });
    const positions = [3_009, 40, 1_500, 1_501, 2_222];
    const first: string[] = [];
    for (const position of positions) first.push(await told(roomy, '0a00', position));
    const capacity = roomy.weight() / 5;
    const tight = snapshotCache({ eventStore: log.eventStore, interval: 20, capacity });
    for (const [index, position] of positions.entries()) {
      expect(await told(tight, '0a00', position)).toBe(first[index]);
      expect(tight.weight()).toBeLessThanOrEqual(capacity);
    }
  });
});

describe('a gateway on a long log', () => {
  let world: World;
  afterEach(() => world.stop());

  const onLog = async (eventStore: Pick<EventStore, 'head' | 'readLicence'>): Promise<string> => {
    world = await startWorld({ deps: { eventStore: { ...eventStore, read: async () => [] } } });
    return (await world.signIn('owner')).token;
  };

  test('TT-42 moments before an event that this version does not know are answered, later ones are not', async () => {
    const log = testLog({ licence: worldsLicence });
    await bought(log, worldsLicence, 50);
    const known = await log.eventStore.head();
    const strange = { type: 'PlacementTeleported', data: {} } as unknown as AnyEvent;
    await log.append(['placement', `${worldsLicence}p0`, strange]);
    await log.append(['placement', `${worldsLicence}p0`, price(1)]);
    const token = await onLog(log.eventStore);
    expect((await world.get(`/campaigns?at=${known}`, token)).body).toMatchObject({ at: { position: known } });
    for (const position of [known + 1, known + 2]) {
      const { status, body, headers } = await world.get(`/campaigns?at=${position}`, token);
      expect(status).toBe(503);
      expect(body).toMatchObject({ code: 'UNAVAILABLE', error: messages.atUnfoldable });
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(60);
    }
    expect((await world.get('/campaigns', token)).status).toBe(200);
  });

  test('TT-43 nobody folds on for a request that was given up', async () => {
    const log = testLog({ licence: worldsLicence });
    await bought(log, worldsLicence, 20_000);
    const head = await log.eventStore.head();
    const client = new AbortController();
    let furthest = 0;
    const token = await onLog({
      head: () => log.eventStore.head(),
      async readLicence(licence, range = {}) {
        furthest = Math.max(furthest, range.after ?? 0);
        client.abort();
        // A round trip by another connection: the server has seen by then that the first one is closed.
        await fetch(`${world.address}/api/none`);
        return log.eventStore.readLicence(licence, range);
      },
    });
    const headers = { Authorization: `Bearer ${token}` };
    await expect(fetch(`${world.address}/api/channels?at=${head}`, { headers, signal: client.signal })).rejects.toThrow(
      'aborted',
    );
    expect((await world.get('/channels?at=10', token)).status).toBe(200);
    expect(furthest).toBeLessThan(head / 4);
  });
});
