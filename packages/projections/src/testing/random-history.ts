import type { CampaignRow, EarningsRow, EmployeeRow, PlacementRow } from '@zakup/contracts/read-models';
import type { Sums } from '@zakup/domain/analytics/sums';
import type { AnyEvent } from '@zakup/domain/catalog';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import type { MergedInto } from '@zakup/domain/contractor/aliases';
import type { DocumentReader } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  earningsByLineOf,
  employeeCreated,
  type Fact,
  licenceId,
  licenceIssued,
  placementAdded,
  present,
  rubles,
} from './given.ts';

/** Random lives of a licence, step by step, and what its rows alone say of every sum. */

export const campaigns = ['k0', 'k1', 'k2'];
export const contractors = ['c0', 'c1', 'c2'];
export const buyers = ['b0', 'b1', 'b2'];
/** Those of them who were made. */
const employed = ['b0', 'b1'];
const creatives = ['NO_CREATIVE', 'r0', 'r1'];
const placements = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];
const days = ['2025-03-01', '2025-03-02', '2025-03-03'];
const schemes = [null, 'budget', 'performance', 'percentage'] as const;

const switches = ['countZeroLeads', 'countZeroLeads', 'buyersEditAll', 'earningsVisible'] as const;

const among = <Item>(items: readonly Item[], n: number): Item => items[n % items.length] as Item;

const participantOf = (n: number) => ({
  userId: among(buyers, n),
  budget: rubles(n * 10),
  salaryType: among(schemes, n >> 2),
  salaryRate: n % 5 === 0 ? null : n / 2,
  cplThreshold: n % 3 === 0 ? null : rubles(n),
});

/** What there is, so that only events that can follow are made. */
export interface World {
  readonly placed: Map<string, boolean>;
  readonly deleted: Set<string>;
  readonly inactive: Set<string>;
  /** Into whom each merged contractor was merged. */
  readonly mergedInto: Map<string, string>;
  /** Ids of the notes in each contractor's stream. */
  readonly notes: Map<string, readonly string[]>;
  /** The licence's switches that were set, by name. */
  readonly settings: Map<string, boolean>;
}

export const newWorld = (): World => ({
  placed: new Map(),
  deleted: new Set(),
  inactive: new Set(),
  mergedInto: new Map(),
  notes: new Map(),
  settings: new Map(),
});

/** Who the contractor is a part of now. */
const receiver = (world: World, id: string): string => {
  const next = world.mergedInto.get(id);
  return next === undefined ? id : receiver(world, next);
};

export interface Step {
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
  { type: 'PlacementCommentChanged', data: { comment: n % 3 === 0 ? '' : `Строка ${n}\n${m}` } },
  { type: 'PlacementPostUrlChanged', data: { postUrl: n % 3 === 0 ? null : `https://t.me/some/${n}` } },
];

const placementFact = (world: World, step: Step): Fact => {
  const { which, n, m } = step;
  const id = among(placements, which);
  const removed = world.placed.get(id);
  if (removed === undefined) {
    world.placed.set(id, false);
    const place = { campaign: among(campaigns, n), contractor: among(contractors, m), buyer: among(buyers, n + m) };
    const said = m % 2 === 0 ? {} : { comment: `Строка ${m}`, postUrl: `https://t.me/some/${m}` };
    const more = { price: rubles(m * 3.21), date: among(days, m), creativeId: among(creatives, n), ...said };
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

const noteAdded = (noteId: string, more: object = {}): AnyEvent => ({
  type: 'ContractorNoteAdded',
  data: { noteId, note: 'текст', authorName: 'Боб', ...more },
});

/** What one command makes of a merge, or of its undoing, on both sides; the sides in either order. */
const mergeFacts = (world: World, { which, n, m }: Step): Facts => {
  const id = among(contractors, which);
  const inOrder = (one: Fact, other: Fact): Facts => (m % 2 === 0 ? [one, other] : [other, one]);
  const into = world.mergedInto.get(id);
  const notes = world.notes.get(id) ?? [];
  if (into === undefined) {
    const target = receiver(world, among(contractors, which + 1 + (n % 2)));
    if (target === id) return [noteFact(world, { what: 0, which, n, m })];
    world.mergedInto.set(id, target);
    world.notes.set(target, [...(world.notes.get(target) ?? []), ...notes]);
    const came = notes.map((noteId) => noteAdded(noteId, { authorId: 'b0', createdAt: '2025-01-01T00:00:00.000Z' }));
    const received: AnyEvent = { type: 'ContractorReceived', data: { contractorId: id, nicks: [id] } };
    return inOrder(
      ['contractor', id, { type: 'ContractorMerged', data: { intoId: target } }],
      ['contractor', target, received, ...came],
    );
  }
  if (world.mergedInto.has(into)) return [noteFact(world, { what: 0, which, n, m })];
  world.mergedInto.delete(id);
  world.notes.set(
    into,
    (world.notes.get(into) ?? []).filter((noteId) => !notes.includes(noteId)),
  );
  const left = notes.map((noteId): AnyEvent => ({ type: 'ContractorNoteRemoved', data: { noteId } }));
  return inOrder(
    ['contractor', id, { type: 'ContractorSeparated', data: { fromId: into } }],
    ['contractor', into, { type: 'ContractorReturned', data: { contractorId: id } }, ...left],
  );
};

const noteFact = (world: World, { which, n, m }: Step): Fact => {
  const id = receiver(world, among(contractors, which));
  const known = world.notes.get(id) ?? [];
  const noteId = `note ${which} ${n} ${m}`;
  if (known.includes(noteId))
    return ['contractor', id, { type: 'ContractorCategoryChanged', data: { category: noteId } }];
  world.notes.set(id, [...known, noteId]);
  return ['contractor', id, noteAdded(noteId)];
};

const contractorFact = (world: World, step: Step): Fact => {
  const { which, n, m } = step;
  const id = receiver(world, among(contractors, which));
  if (m % 3 === 0) return noteFact(world, step);
  if (m % 3 === 1) {
    const nick = `nick ${n}`;
    return ['contractor', id, { type: 'ContractorRenamed', data: { nick, adminUsername: `@${nick}` } }];
  }
  const back = world.inactive.delete(id);
  if (!back) world.inactive.add(id);
  return ['contractor', id, { type: back ? 'ContractorReactivated' : 'ContractorDeactivated', data: {} }];
};

export type Facts = readonly [Fact, ...Fact[]];

export const factsOf = (world: World, step: Step): Facts => {
  const { what, which, n, m } = step;
  if (what < 14) return [placementFact(world, step)];
  if (what < 17) return [campaignFact(world, step)];
  if (what === 17) {
    const data = { salaryType: among(schemes, n), salaryRate: m / 4, performanceThreshold: n % 2 ? null : rubles(m) };
    return [['employee', among(employed, which), { type: 'EmployeeTermsChanged', data }]];
  }
  if (what === 18) {
    const name = among(switches, m);
    world.settings.set(name, n % 2 === 0);
    return [['licence', licenceId, { type: 'LicenceSettingsChanged', data: { [name]: n % 2 === 0 } }]];
  }
  return what < 21 ? [contractorFact(world, step)] : mergeFacts(world, step);
};

export const beginning: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ...contractors.map((id): Fact => ['contractor', id, contractorCreated(id)]),
  ['employee', 'b0', employeeCreated('b0', { salaryType: 'performance', salaryRate: 12.5 })],
  ['employee', 'b1', employeeCreated('b1', { salaryType: 'budget', salaryRate: 3.3 })],
  ...campaigns.map((id, n): Fact => ['campaign', id, campaignCreated(id, n === 0 ? [] : [participantOf(n)])]),
];

/** The plain sums, from rows alone. */
export const sums = (rows: readonly PlacementRow[]): Sums => ({
  spent: rows.reduce((total, { price }) => total + price, 0) as Sums['spent'],
  leads: rows.reduce((total, { leads }) => total + leads, 0),
  placements: rows.length,
});

export const grouped = (rows: readonly PlacementRow[], key: (row: PlacementRow) => string): Record<string, Sums> => {
  const groups = new Map<string, PlacementRow[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return Object.fromEntries([...groups].map(([name, members]) => [name, sums(members)]));
};

export const counts = (rows: readonly PlacementRow[], key: (row: PlacementRow) => string): Record<string, number> =>
  Object.fromEntries(Object.entries(grouped(rows, key)).map(([name, { placements: count }]) => [name, count]));

/** Half up, of exact hundredths of a percent: rates here have at most two decimals. */
const share = (amount: number, rate: number): number => Math.floor((amount * Math.round(rate * 100) + 5_000) / 10_000);

/** What a person earns in a campaign by these of their placements. */
export const naiveEarnings = (
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

export const checkTotals = async (readStore: DocumentReader, world: World): Promise<void> => {
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

  expect((await readStore.query('parked', {})).docs).toEqual([]);
  const shownContractors = await present(readStore, 'contractor');
  expect(Object.keys(shownContractors).sort()).toEqual(contractors.filter((id) => !world.mergedInto.has(id)));
  expect(await mergedIntoIn(readStore)).toEqual(Object.fromEntries(world.mergedInto));
  const notes = Object.values(await present(readStore, 'note')).map(({ id, contractorId }) => `${contractorId}: ${id}`);
  const written = Object.keys(shownContractors).flatMap((id) =>
    (world.notes.get(id) ?? []).map((note) => `${id}: ${note}`),
  );
  expect(notes.sort()).toEqual(written.sort());
  for (const { id, totals, isActive } of Object.values(shownContractors)) {
    expect(isActive).toBe(!world.inactive.has(id));
    const own = live.filter(({ contractorId }) => receiver(world, contractorId) === id);
    expect(totals).toEqual({
      ...sums(own),
      days: counts(own, ({ date }) => date),
      campaigns: counts(own, ({ campaignId }) => campaignId),
    });
  }

  const settings = { ...defaultLicenceSettings, ...Object.fromEntries(world.settings) };
  expect(Object.values(licences)).toMatchObject([{ ...licenceIssued.data, id: licenceId, settings }]);
  const zeroLeads = settings.countZeroLeads;
  const expected = Object.values(campaignRows).flatMap((campaign) =>
    buyers.flatMap((userId) => {
      const own = of(campaign.id).filter(({ buyerId }) => buyerId === userId);
      if (own.length === 0 && !campaign.participants.some((one) => one.userId === userId)) return [];
      return [[`${campaign.id}:${userId}`, naiveEarnings(campaign, people[userId], own, userId, zeroLeads)]];
    }),
  );
  const kept = Object.entries(await present(readStore, 'earnings'));
  const earnings = await Promise.all(
    kept.map(async ([id, row]) => {
      const byLine = await earningsByLineOf(readStore, row);
      const { budget, spent, earnings: earned, zeroLeads: zero, counted, leftOut } = byLine;
      // What is kept is what the lines add up to.
      expect(row).toMatchObject({ spent, earnings: earned, zeroLeads: zero, countedTotal: byLine.countedTotal });
      return [id, { budget, spent, earnings: earned, zeroLeads: zero, lines: counted.length + leftOut.length }];
    }),
  );
  expect(Object.fromEntries(earnings)).toEqual(Object.fromEntries(expected));
};

export const mergedIntoIn = async (readStore: DocumentReader): Promise<MergedInto> =>
  ((await readStore.get('aliases', licenceId))?.data?.['mergedInto'] ?? {}) as MergedInto;

export const step = fc.record({ what: fc.nat(24), which: fc.nat(5), n: fc.nat(40), m: fc.nat(40) });
