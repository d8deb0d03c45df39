import type { CampaignRow, EarningsRow, EmployeeRow, Operands, PlacementRow } from '@zakup/contracts/read-models';
import type { AnyEvent } from '@zakup/domain/catalog';
import type { Changes, ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  type Fact,
  foldAll,
  licenceId,
  licenceIssued,
  placementAdded,
  present,
  rubles,
  testLog,
  testReadStore,
} from './testing/given.ts';

const campaigns = ['k0', 'k1', 'k2'];
const contractors = ['c0', 'c1', 'c2'];
const buyers = ['b0', 'b1', 'b2'];
const creatives = ['NO_CREATIVE', 'r0', 'r1'];
const placements = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];
const days = ['2025-03-01', '2025-03-02', '2025-03-03'];
const schemes = [null, 'budget', 'performance', 'percentage'] as const;

const among = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] as Item;

const participantOf = (n: number) => ({
  userId: among(buyers, n),
  budget: rubles(n * 10),
  salaryType: among(schemes, n >> 2),
  salaryRate: n % 5 === 0 ? null : n / 2,
  cplThreshold: n % 3 === 0 ? null : rubles(n),
});

/** What there is, so that only events that can follow are made. */
interface World {
  readonly placed: Map<string, boolean>;
  readonly deleted: Set<string>;
}

interface Step {
  readonly what: number;
  readonly which: number;
  readonly n: number;
  readonly m: number;
}

const placementEvents = ({ n, m }: Step): readonly AnyEvent[] => [
  { type: 'PlacementPriceChanged', data: { price: rubles(n * 7.35) } },
  { type: 'PlacementLeadsRecorded', data: { leads: m % 4 === 0 ? 0 : m } },
  { type: 'PlacementContractorChanged', data: { contractorId: among(contractors, n) } },
  { type: 'PlacementBuyerChanged', data: { buyerId: among(buyers, n) } },
  { type: 'PlacementDateChanged', data: { date: among(days, n) } },
  { type: 'PlacementCreativeChanged', data: { creativeId: among(creatives, n) } },
  { type: 'PlacementMarkedPaid', data: {} },
  { type: 'PlacementMarkedUnpaid', data: {} },
  { type: 'PlacementStatusChanged', data: { status: 'CANCELLED' } },
  { type: 'PlacementFormatChanged', data: { format: `1/${n}` } },
];

const placementFact = (world: World, step: Step): Fact => {
  const { which, n, m } = step;
  const id = among(placements, which);
  const removed = world.placed.get(id);
  if (removed === undefined) {
    world.placed.set(id, false);
    const place = { campaign: among(campaigns, n), contractor: among(contractors, m), buyer: among(buyers, n + m) };
    const more = { price: rubles(m * 3.21), date: among(days, m), creativeId: among(creatives, n) };
    return ['placement', id, placementAdded(place, more)];
  }
  if (removed || n % 7 === 0) {
    world.placed.set(id, !removed);
    return ['placement', id, { type: removed ? 'PlacementRestored' : 'PlacementRemoved', data: {} }];
  }
  return ['placement', id, among(placementEvents(step), m), among(placementEvents({ ...step, n: m, m: n }), n)];
};

const campaignFact = (world: World, { which, n, m }: Step): Fact => {
  const id = among(campaigns, which);
  if (n % 3 === 0) {
    const deleted = world.deleted.delete(id);
    if (!deleted) world.deleted.add(id);
    return ['campaign', id, { type: deleted ? 'CampaignRestored' : 'CampaignDeleted', data: {} }];
  }
  if (m % 3 === 0) return ['campaign', id, { type: 'CampaignBudgetChanged', data: { totalBudget: rubles(n * 100) } }];
  if (m % 3 === 1) return ['campaign', id, { type: 'CampaignParticipantSet', data: { participant: participantOf(n) } }];
  return ['campaign', id, { type: 'CampaignParticipantRemoved', data: { userId: among(buyers, n) } }];
};

const factOf = (world: World, step: Step): Fact => {
  const { what, which, n, m } = step;
  if (what < 14) return placementFact(world, step);
  if (what < 17) return campaignFact(world, step);
  if (what === 17) {
    const data = { salaryType: among(schemes, n), salaryRate: m / 4, performanceThreshold: n % 2 ? null : rubles(m) };
    return ['employee', among(buyers, which), { type: 'EmployeeTermsChanged', data }];
  }
  if (what === 18)
    return ['licence', licenceId, { type: 'LicenceSettingsChanged', data: { countZeroLeads: n % 2 === 0 } }];
  const note = { noteId: `note ${which} ${n} ${m}`, note: 'текст', authorName: 'Боб' };
  return ['contractor', among(contractors, which), { type: 'ContractorNoteAdded', data: note }];
};

const beginning: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ...contractors.map((id): Fact => ['contractor', id, contractorCreated(id)]),
  ['employee', 'b0', employeeCreated('b0', { salaryType: 'performance', salaryRate: 12.5 })],
  ['employee', 'b1', employeeCreated('b1', { salaryType: 'budget', salaryRate: 3.3 })],
  ...campaigns.map((id, n): Fact => ['campaign', id, campaignCreated(id, n === 0 ? [] : [participantOf(n)])]),
];

/** The plain sums, from rows alone. */
const sums = (rows: readonly PlacementRow[]): Operands => ({
  spent: rows.reduce((total, { price }) => total + price, 0) as Operands['spent'],
  leads: rows.reduce((total, { leads }) => total + leads, 0),
  placements: rows.length,
});

const grouped = (rows: readonly PlacementRow[], key: (row: PlacementRow) => string): Record<string, Operands> => {
  const groups = new Map<string, PlacementRow[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return Object.fromEntries([...groups].map(([name, members]) => [name, sums(members)]));
};

const counts = (rows: readonly PlacementRow[], key: (row: PlacementRow) => string): Record<string, number> =>
  Object.fromEntries(Object.entries(grouped(rows, key)).map(([name, { placements: count }]) => [name, count]));

/** Half up, of exact hundredths of a percent: rates here have at most two decimals. */
const share = (amount: number, rate: number): number => Math.floor((amount * Math.round(rate * 100) + 5_000) / 10_000);

const naiveEarnings = (
  campaign: CampaignRow,
  person: EmployeeRow | undefined,
  rows: readonly PlacementRow[],
  userId: string,
  countZeroLeads: boolean,
): Pick<EarningsRow, 'spent' | 'earnings' | 'budget' | 'zeroLeads'> & { readonly lines: number } => {
  const entry = campaign.participants.find((one) => one.userId === userId);
  const type = entry?.salaryType ?? person?.salaryType ?? null;
  const rate = (entry?.salaryType ? entry.salaryRate : person?.salaryRate) ?? 0;
  const threshold = (entry?.salaryType ? entry.cplThreshold : null) ?? person?.performanceThreshold ?? 10_000;
  const isShare = type === 'budget' || type === 'percentage';
  const within = rows.filter(
    ({ price, leads }) => type !== null && (isShare || (leads === 0 ? countZeroLeads : price <= threshold * leads)),
  );
  const zero = type === null || isShare ? [] : within.filter(({ leads }) => leads === 0);
  const { spent } = sums(within);
  return {
    budget: entry?.budget ?? rubles(0),
    spent: sums(rows).spent,
    earnings: rubles((type === null ? 0 : share(spent, rate)) / 100),
    zeroLeads: { count: zero.length, price: sums(zero).spent },
    lines: rows.length,
  };
};

const checkTotals = async (readStore: ReadStore): Promise<void> => {
  const [campaignRows, rows, people, licences] = await Promise.all([
    present(readStore, 'campaign'),
    present(readStore, 'placement'),
    present(readStore, 'user'),
    present(readStore, 'license'),
  ]);
  const live = Object.values(rows).filter(({ campaignId }) => campaignRows[campaignId] !== undefined);
  const of = (campaignId: string) => live.filter((row) => row.campaignId === campaignId);

  const analytics = Object.values(campaignRows).map(({ id, totalBudget }) => [
    id,
    {
      campaignId: id,
      totalBudget,
      paid: sums(of(id).filter(({ paymentStatus }) => paymentStatus === 'paid')).spent,
      total: sums(of(id)),
      byBuyer: grouped(of(id), ({ buyerId }) => buyerId),
      byCreative: grouped(of(id), ({ creativeId }) => creativeId),
      byContractor: grouped(of(id), ({ contractorId }) => contractorId),
      byDay: grouped(of(id), ({ date }) => date),
    },
  ]);
  expect(await present(readStore, 'analytics')).toEqual(Object.fromEntries(analytics));

  for (const { id, totals } of Object.values(await present(readStore, 'contractor'))) {
    const own = live.filter(({ contractorId }) => contractorId === id);
    expect(totals).toEqual({
      ...sums(own),
      days: counts(own, ({ date }) => date),
      campaigns: counts(own, ({ campaignId }) => campaignId),
    });
  }

  const zeroLeads = licences[licenceId]?.settings.countZeroLeads ?? true;
  const expected = Object.values(campaignRows).flatMap((campaign) =>
    buyers.flatMap((userId) => {
      const own = of(campaign.id).filter(({ buyerId }) => buyerId === userId);
      if (own.length === 0 && !campaign.participants.some((one) => one.userId === userId)) return [];
      return [[`${campaign.id}:${userId}`, naiveEarnings(campaign, people[userId], own, userId, zeroLeads)]];
    }),
  );
  const earnings = Object.entries(await present(readStore, 'earnings')).map(([id, row]) => {
    const { budget, spent, earnings: earned, zeroLeads: zero, counted, leftOut } = row;
    return [id, { budget, spent, earnings: earned, zeroLeads: zero, lines: counted.length + leftOut.length }];
  });
  expect(Object.fromEntries(earnings)).toEqual(Object.fromEntries(expected));
};

/** A client's copy of one scope, kept by position as the contract says. */
const replica = (scope: string) => {
  let copy = new Map<string, { readonly position: number; readonly data: object | null }>();
  let since: number | undefined;
  const apply = ({ docs, position, reset }: Changes): void => {
    if (reset) copy = new Map();
    for (const { doc, gone, position: at } of docs) {
      const key = `${doc.kind}/${doc.id}`;
      if ((copy.get(key)?.position ?? -1) <= at) copy.set(key, { position: at, data: gone ? null : doc.data });
    }
    since = position;
  };
  return {
    scope,
    async pull(readStore: ReadStore): Promise<void> {
      const sinceThen = since === undefined ? {} : { since };
      apply(await readStore.changesSince({ licenceId, scope, ...sinceThen, partition: 'all' }));
    },
    present: () => Object.fromEntries([...copy].filter(([, { data }]) => data !== null)),
  };
};

const scopes = [
  'workspace',
  ...campaigns.map((id) => `campaign:${id}`),
  ...contractors.map((id) => `contractor:${id}`),
  ...buyers.map((id) => `person:${id}`),
];

const step = fc.record({ what: fc.nat(19), which: fc.nat(5), n: fc.nat(40), m: fc.nat(40) });
const shown = ['placement', 'contractor', 'campaign', 'analytics', 'earnings', 'note', 'user', 'license'];

describe('any history', () => {
  it('PJ-50 totals equal what the rows alone give, and replicas kept by position equal the scopes', async () => {
    const batches = fc.array(
      fc.record({ steps: fc.array(step, { maxLength: 12 }), maxBatch: fc.integer({ min: 1, max: 9 }) }),
      {
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 60 }), async (chunks, maxDocs) => {
        const { eventStore, append } = testLog();
        const readStore = testReadStore();
        const world: World = { placed: new Map(), deleted: new Set() };
        const replicas = scopes.map(replica);
        for (const fact of beginning) await append(fact);
        for (const { steps, maxBatch } of chunks) {
          for (const one of steps) await append(factOf(world, one));
          await foldAll({ eventStore, readStore, maxBatch, maxDocs });
          await checkTotals(readStore);
          for (const copy of replicas) await copy.pull(readStore);
        }
        await foldAll({ eventStore, readStore });
        for (const copy of replicas) {
          await copy.pull(readStore);
          const fresh = replica(copy.scope);
          await fresh.pull(readStore);
          expect(copy.present()).toEqual(fresh.present());
        }
        const again = testReadStore();
        await foldAll({ eventStore, readStore: again, maxBatch: 1 });
        for (const kind of shown) {
          const [some, one] = await Promise.all([readStore.query(kind, {}), again.query(kind, {})]);
          expect(some.docs).toEqual(one.docs);
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
