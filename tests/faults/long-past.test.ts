import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EarningsByLine, RowByKind, RowKind } from '@zakup/contracts/read-models';
import type { AnyEvent } from '@zakup/domain/catalog';
import type { EventStore, EventToAppend, StreamWrite } from '@zakup/event-store/event-store';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { earningsByLine } from '@zakup/gateway/reports/earnings-by-line';
import { snapshotCache } from '@zakup/gateway/time-travel/snapshot-cache';
import { plainLines } from '@zakup/projections/earnings-lines';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  licenceIssued,
  placementAdded,
  rubles,
  uuid,
} from '@zakup/projections/testing/given';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Chance, printedChance } from '../support/seeded.ts';
import { type PlainLicence, plainLicence } from './plain-licence.ts';

const licenceId = '0along';
const shortLicence = '1bshort';
const events = inject('isDeep') ? 100_000 : 12_000;
const asked = inject('isDeep') ? 200 : 20;
const never = new AbortController().signal;

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(4, '0')}`);
const campaigns = names('k', 6);
const contractors = names('c', 25);
const buyers = names('b', 5);
const placements = names('p', 1_000);
const days = Array.from({ length: 28 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`);

type Fact = readonly [category: string, id: string, event: AnyEvent];

const beginning: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ...contractors.map((id): Fact => ['contractor', id, contractorCreated(id)]),
  ...buyers.map(
    (id, n): Fact => ['employee', id, employeeCreated(id, { salaryType: 'performance', salaryRate: n * 5 })],
  ),
  ...campaigns.map((id): Fact => ['campaign', id, campaignCreated(id)]),
];

/** Life of the licence, an event at a time; `removed`: which placements there are, and whether they are removed now. */
const nextFact = (chance: Chance, removed: Map<string, boolean>, deleted: Set<string>): Fact => {
  const among = <Item>(items: readonly Item[]): Item => items[chance.between(0, items.length)] as Item;
  const rare = chance.between(0, 1_000);
  if (rare < 2) {
    const id = among(campaigns);
    const back = deleted.delete(id);
    if (!back) deleted.add(id);
    return ['campaign', id, { type: back ? 'CampaignRestored' : 'CampaignDeleted', data: {} }];
  }
  if (rare < 5) {
    const participant = {
      userId: among(buyers),
      budget: rubles(chance.between(0, 1_000)),
      salaryType: among([null, 'budget', 'performance'] as const),
      salaryRate: chance.between(0, 40) / 2,
      cplThreshold: rubles(chance.between(0, 400)),
    };
    return ['campaign', among(campaigns), { type: 'CampaignParticipantSet', data: { participant } }];
  }
  if (rare < 6) {
    const data = {
      salaryType: among([null, 'budget', 'performance'] as const),
      salaryRate: chance.between(0, 40),
      performanceThreshold: rubles(chance.between(0, 500)),
    };
    return ['employee', among(buyers), { type: 'EmployeeTermsChanged', data }];
  }
  if (rare < 7)
    return [
      'licence',
      licenceId,
      { type: 'LicenceSettingsChanged', data: { countZeroLeads: chance.between(0, 2) === 0 } },
    ];
  const id = among(placements);
  const isRemoved = removed.get(id);
  if (isRemoved === undefined) {
    removed.set(id, false);
    const place = { campaign: among(campaigns), contractor: among(contractors), buyer: among(buyers) };
    return [
      'placement',
      id,
      placementAdded(place, { price: rubles(chance.between(0, 100_000) / 100), date: among(days) }),
    ];
  }
  if (isRemoved || rare < 20) {
    removed.set(id, !isRemoved);
    return ['placement', id, { type: isRemoved ? 'PlacementRestored' : 'PlacementRemoved', data: {} }];
  }
  const kinds: readonly AnyEvent[] = [
    { type: 'PlacementPriceChanged', data: { price: rubles(chance.between(0, 100_000) / 100) } },
    { type: 'PlacementLeadsRecorded', data: { leads: chance.between(0, 30) } },
    { type: 'PlacementContractorChanged', data: { contractorId: among(contractors) } },
    { type: 'PlacementBuyerChanged', data: { buyerId: among(buyers) } },
    { type: 'PlacementDateChanged', data: { date: among(days) } },
    { type: chance.between(0, 2) === 0 ? 'PlacementMarkedPaid' : 'PlacementMarkedUnpaid', data: {} },
  ];
  return ['placement', id, among(kinds)];
};

const toAppend = (event: AnyEvent, of: string, number: number): EventToAppend => ({
  id: uuid(`${of} ${number}`),
  type: event.type,
  data: event.data,
  metadata: {
    licenceId: of,
    actorId: 'person',
    source: 'screen',
    commandId: uuid(`${of} command ${number}`),
    requestHash: '00',
    at: '2026-03-01T09:00:00.000Z',
    schemaVersion: 1,
  },
});

/** In appends of many streams, as an import makes them. */
const appendAll = async (eventStore: EventStore, of: string, facts: readonly Fact[]): Promise<void> => {
  let waiting = new Map<string, EventToAppend[]>();
  const flush = async (): Promise<void> => {
    const writes = [...waiting].map(([stream, list]) => ({ stream, expectedRevision: 'any', events: list }));
    waiting = new Map();
    await eventStore.append(writes as unknown as [StreamWrite, ...StreamWrite[]]);
  };
  for (const [number, [category, id, event]] of facts.entries()) {
    const stream = `${category}-${of}~${id}`;
    waiting.set(stream, [...(waiting.get(stream) ?? []), toAppend(event, of, number)]);
    if (number % 400 === 399) await flush();
  }
  if (waiting.size > 0) await flush();
};

/** What the fold says, in the words of the plain one. */
const toldBy = async (documents: DocumentReader): Promise<PlainLicence> => {
  const rows = async <Kind extends RowKind>(kind: Kind): Promise<readonly RowByKind[Kind][]> => {
    const { docs } = await documents.query(kind, { licenceId });
    return docs.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ data }) => data as unknown as RowByKind[Kind]);
  };
  const [placed, analytics, contractorRows, kept] = [
    await rows('placement'),
    await rows('analytics'),
    await rows('contractor'),
    await rows('earnings'),
  ];
  const earned: EarningsByLine[] = [];
  for (const row of kept) {
    const [told] = await earningsByLine(
      documents,
      { licenceId, campaignId: row.campaignId, userId: row.userId },
      plainLines,
    );
    // Kept sums are those of the lines.
    expect(told).toMatchObject({ spent: row.spent, earnings: row.earnings, countedTotal: row.countedTotal });
    if (told !== undefined) earned.push(told);
  }
  return {
    placements: [...placed],
    campaigns: analytics.map(({ campaignId: id, totalBudget, paid, total, byBuyer, byContractor, byDay }) => ({
      id,
      totalBudget,
      paid,
      total,
      byBuyer,
      byContractor,
      byDay,
    })),
    contractors: contractorRows.map(({ id, totals }) => ({ id, ...totals })),
    earnings: earned.map(({ campaignId, userId, budget, spent, earnings, zeroLeads, counted, leftOut }) => ({
      id: `${campaignId}:${userId}`,
      budget,
      spent,
      earnings,
      zeroLeads,
      lines: counted.length + leftOut.length,
    })),
  };
};

/** With members in the order of their names, and without what only one of the two tells. */
const digestOf = ({ placements: rows, ...sums }: PlainLicence): string => {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, member]) => [name, plain(member as unknown)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  const digest = createHash('sha256').update(JSON.stringify(plain(sums)));
  for (const row of rows)
    digest.update(
      [row.id, row.revision, row.campaignId, row.contractorId, row.buyerId, row.creativeId, row.category, row.format]
        .concat([row.price, row.leads, row.date, row.paymentStatus, row.status].map(String))
        .join(),
    );
  return digest.digest('hex');
};

describe(`a licence of ${events} events`, () => {
  let folder: string;
  let eventStore: Awaited<ReturnType<typeof sqliteEventStore>>;
  const chance = printedChance('the long past');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zakup-past-'));
    eventStore = await sqliteEventStore({ file: join(folder, 'events.db') });
    const [removed, deleted] = [new Map<string, boolean>(), new Set<string>()];
    const facts = [...beginning];
    while (facts.length < events) facts.push(nextFact(chance, removed, deleted));
    await appendAll(eventStore, shortLicence, [['licence', shortLicence, licenceIssued]]);
    await appendAll(eventStore, licenceId, facts);
  }, 600_000);

  afterAll(async () => {
    await eventStore.close();
    await rm(folder, { recursive: true, force: true });
  });

  test(`TT-51 at ${asked} random positions it is what a plain recomputation says, again, and with few snapshots in another cache`, async () => {
    const first = 1;
    const positions = Array.from({ length: asked }, () => 2 + chance.between(0, events));
    const pasts = snapshotCache({ eventStore });
    const digests = new Map<number, string>();
    const digestAt = async (of: typeof pasts, position: number): Promise<string> => {
      const past = await of.at(licenceId, { by: 'position', position }, never);
      if (past.kind !== 'found') throw new Error(past.kind);
      expect(past.moment.position).toBe(position);
      return digestOf(await toldBy(past.documents));
    };
    for (const position of positions) digests.set(position, await digestAt(pasts, position));

    const plain = plainLicence();
    let done = first;
    for (const position of [...digests.keys()].sort((a, b) => a - b)) {
      for (const event of await eventStore.readLicence(licenceId, { after: done, to: position })) plain.apply(event);
      done = position;
      expect({ position, digest: digestOf(plain.told()) }).toEqual({ position, digest: digests.get(position) });
    }

    const some = positions.slice(0, 4);
    const tight = snapshotCache({ eventStore, capacity: 100_000 });
    for (const position of some) {
      expect(await digestAt(pasts, position)).toBe(digests.get(position));
      expect(await digestAt(tight, position)).toBe(digests.get(position));
    }
  }, 600_000);

  test('TT-52 while it is folded for the first time, others are answered and the loop turns', async () => {
    const pasts = snapshotCache({ eventStore });
    const work = { done: false };
    const folded = pasts.at(licenceId, { by: 'position', position: events }, never).finally(() => {
      work.done = true;
    });
    let answered = 0;
    const stretches: number[] = [];
    let before = process.cpuUsage();
    const turning = async (): Promise<void> => {
      while (!work.done) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        const { user, system } = process.cpuUsage(before);
        stretches.push((user + system) / 1_000);
        await pasts.at(shortLicence, { by: 'position', position: 1 }, never);
        answered += 1;
        before = process.cpuUsage();
      }
    };
    await Promise.all([folded, turning()]);
    const long = stretches.filter((milliseconds) => milliseconds > 50);
    console.log(`${stretches.length} turns, ${answered} answers, stretches of ${long.map(Math.round).join(', ')} ms`);
    expect(answered).toBeGreaterThan(100);
    expect(long.length).toBeLessThanOrEqual(stretches.length / 100);
  }, 600_000);
});
