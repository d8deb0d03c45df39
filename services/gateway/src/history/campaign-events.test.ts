import { Readable } from 'node:stream';
import { type HistoryRow, historyId, presentHistory } from '@zakup/contracts/history';
import { declaredFields } from '@zakup/contracts/read-models';
import { kopecks } from '@zakup/domain/money';
import type { EventToAppend, RecordedEvent, StreamWrite } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { JsonObject, ReadDocument } from '@zakup/read-store/read-store';
import { describe, expect, it } from 'vitest';
import { campaignEvents, eventLine } from './campaign-events.ts';

const licenceId = '0a-licence';
const terms = { salaryType: 'budget', salaryRate: 10, cplThreshold: kopecks(5_000) };
const hiddenTerms = { salaryType: null, salaryRate: null, cplThreshold: null };
const participant = (userId: string) => ({ userId, budget: kopecks(100), ...terms });

const event = (number: number, type: string, data: JsonObject): EventToAppend => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  type,
  data,
  metadata: {
    licenceId,
    actorId: 'owner',
    source: 'screen',
    commandId: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
    requestHash: '00',
    at: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  },
});

const created = (name: string, participants: readonly JsonObject[] = []): JsonObject => ({
  name,
  channelId: 'channel',
  totalBudget: 0,
  status: 'ACTIVE',
  startDate: null,
  endDate: null,
  participants,
});
const added = (campaignId: string): JsonObject => ({
  campaignId,
  buyerId: 'buyer',
  contractorId: 'seller',
  creativeId: 'NO_CREATIVE',
  category: 'Мемы',
  format: '1/24',
  price: 100,
  date: '2026-01-01',
  paymentStatus: 'unpaid',
});

/** A log, and a history of it as `entries` tell: entity, revision, position and campaign of each. */
const given = async (writes: readonly (readonly [entity: string, type: string, data: JsonObject])[]) => {
  const eventStore = inMemoryEventStore({ clock: () => 0 });
  const log: RecordedEvent[] = [];
  for (const [index, [entity, type, data]] of writes.entries()) {
    const stream = entity.replace(':', `-${licenceId}~`);
    const write: StreamWrite = { stream, expectedRevision: 'any', events: [event(index + 1, type, data)] };
    await eventStore.append([write]);
  }
  log.push(...(await eventStore.readLicence(licenceId)));
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const entry = ({ stream, revision, position }: RecordedEvent, campaignId: string): ReadDocument => ({
    kind: 'history',
    id: historyId(position),
    licenceId,
    scopes: [],
    left: [],
    position,
    deleted: false,
    data: { entity: stream.replace(`-${licenceId}~`, ':'), revision, campaignId },
  });
  const tell = async (docs: readonly ReadDocument[]): Promise<void> => {
    await readStore.commit({ docs, checkpoint: { partition: 'all', position: log.length, fence: 1 } });
  };
  return { eventStore, readStore, log, entry, tell };
};

const positionsOf = async (events: AsyncIterable<RecordedEvent>): Promise<readonly number[]> => {
  const positions: number[] = [];
  for await (const { position } of events) positions.push(position);
  return positions;
};

describe('the events of a campaign', () => {
  it('AUD-10 the history only says where to look: what is not the campaign’s on the log is not told', async () => {
    const { log, entry, tell, ...stores } = await given([
      ['campaign:k', 'CampaignCreated', created('Весна')],
      ['campaign:other', 'CampaignCreated', created('Лето')],
      ['placement:p', 'PlacementAdded', added('k')],
      ['placement:q', 'PlacementAdded', added('other')],
      ['placement:p', 'PlacementRemoved', {}],
      ['placement:q', 'PlacementRemoved', {}],
    ]);
    await tell(log.map((one) => entry(one, 'k')));
    expect(await positionsOf(campaignEvents(stores, licenceId, 'k', 6))).toEqual([1, 3, 5]);
    expect(await positionsOf(campaignEvents(stores, licenceId, 'k', 4))).toEqual([1, 3]);
    expect(await positionsOf(campaignEvents(stores, licenceId, 'none', 6))).toEqual([]);
  });

  it('AUD-11 no more is read than is taken, and nothing after nobody takes it', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => [`placement:p${n}`, 'PlacementAdded', added('k')] as const);
    const { log, entry, tell, readStore, eventStore } = await given([
      ['campaign:k', 'CampaignCreated', created('Весна')],
      ...rows,
    ]);
    await tell(log.map((one) => entry(one, 'k')));
    let told = 0;
    const tolling = async (reading: Promise<readonly RecordedEvent[]>): Promise<readonly RecordedEvent[]> => {
      told += (await reading).length;
      return reading;
    };
    const counted = {
      read: (...request: Parameters<typeof eventStore.read>) => tolling(eventStore.read(...request)),
      readLicence: (...request: Parameters<typeof eventStore.readLicence>) =>
        tolling(eventStore.readLicence(...request)),
    };
    const view = { people: true, termsOf: null };
    const lines = async function* () {
      for await (const one of campaignEvents({ readStore, eventStore: counted }, licenceId, 'k', 3_000))
        yield eventLine(one, view);
    };
    const content = Readable.from(lines());
    const taken: string[] = [];
    for await (const line of content) {
      taken.push(line as string);
      if (taken.length === 10) break;
    }
    expect(content.destroyed).toBe(true);
    expect(told).toBeLessThanOrEqual(600);
    expect(await positionsOf(campaignEvents({ readStore, eventStore }, licenceId, 'k', 3_000))).toHaveLength(2_001);
  });

  it('RSL-20 events that lie close together are read along the log, a few pages for all of them', async () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, n) =>
        [`placement:p${n % 700}`, n < 700 ? 'PlacementAdded' : 'PlacementRemoved', n < 700 ? added('k') : {}] as const,
    );
    const { log, entry, tell, readStore, eventStore } = await given([
      ['campaign:k', 'CampaignCreated', created('Весна')],
      ...rows,
    ]);
    await tell(log.map((one) => entry(one, 'k')));
    const reads: string[] = [];
    const counted = {
      read: (...request: Parameters<typeof eventStore.read>) => {
        reads.push('stream');
        return eventStore.read(...request);
      },
      readLicence: (...request: Parameters<typeof eventStore.readLicence>) => {
        reads.push('licence');
        return eventStore.readLicence(...request);
      },
    };
    const told = await positionsOf(campaignEvents({ readStore, eventStore: counted }, licenceId, 'k', 9_000));
    expect(told).toEqual(log.map(({ position }) => position));
    expect(reads.filter((one) => one === 'stream')).toHaveLength(1);
    expect(reads.length).toBeLessThanOrEqual(9);
  });

  it('RSL-21 where others fill the log between them they are fetched from their streams, and nothing is missed', async () => {
    const among = Array.from({ length: 2_400 }, (_, n) =>
      n % 80 === 0
        ? ([
            `placement:p${(n / 80) % 7}`,
            n < 560 ? 'PlacementAdded' : 'PlacementRemoved',
            n < 560 ? added('k') : {},
          ] as const)
        : ([`placement:q${n}`, 'PlacementAdded', added('other')] as const),
    );
    const { log, entry, tell, readStore, eventStore } = await given([
      ['campaign:k', 'CampaignCreated', created('Весна')],
      ...among,
    ]);
    const own = log.filter(({ stream }) => !stream.includes('~q'));
    await tell(own.map((one) => entry(one, 'k')));
    let pages = 0;
    const counted = {
      read: eventStore.read.bind(eventStore),
      readLicence: (...request: Parameters<typeof eventStore.readLicence>) => {
        pages += 1;
        return eventStore.readLicence(...request);
      },
    };
    const told = await positionsOf(campaignEvents({ readStore, eventStore: counted }, licenceId, 'k', 9_000));
    expect(told).toEqual(own.map(({ position }) => position));
    expect(pages).toBe(1);
  });

  it('AUD-12 others’ terms are not in it, nor personal members, where the viewer may not see them', () => {
    const recorded = (type: string, data: JsonObject): RecordedEvent => ({
      ...event(1, type, data),
      stream: `campaign-${licenceId}~k`,
      revision: 0,
      position: 1,
      recordedAt: '2026-01-01T00:00:00.000Z',
    });
    const shown = (type: string, data: JsonObject): JsonObject =>
      (JSON.parse(eventLine(recorded(type, data), { people: false, termsOf: 'b' })) as { data: JsonObject }).data;
    expect(shown('CampaignCreated', created('Весна', [participant('a'), participant('b')]))['participants']).toEqual([
      { ...participant('a'), ...hiddenTerms },
      participant('b'),
    ]);
    expect(shown('CampaignParticipantSet', { participant: participant('a') })).toEqual({
      participant: { ...participant('a'), ...hiddenTerms },
    });
    expect(shown('EmployeeRenamed', { name: 'Боб' })).toEqual({ name: null });
  });

  it('AUD-13 nor in the audit', () => {
    const row: HistoryRow = {
      revision: 1,
      at: '2026-01-01T00:00:00.000Z',
      actorId: 'system',
      commandId: 'c',
      source: 'system',
      event: 'CampaignParticipantSet',
      entity: 'campaign:k',
      changes: [{ field: 'participants/a', from: null, to: participant('a'), name: 'Анна' }],
    };
    const told = (termsOf: string | null) => presentHistory(1, row, { people: true, termsOf }).changes;
    const open = { userId: 'a', budget: 1, ...terms, cplThreshold: 50 };
    const change = { field: 'participants/a', from: null, to: open, name: 'Анна' };
    expect(told(null)).toEqual([change]);
    expect(told('a')).toEqual([change]);
    expect(told('b')).toEqual([{ ...change, to: { ...open, ...hiddenTerms }, hidden: true }]);
    expect(presentHistory(1, row, { people: true, termsOf: null }).actor).toEqual({ userId: 'system', name: '' });
  });
});
