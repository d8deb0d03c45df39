import { createHash } from 'node:crypto';
import {
  declaredFields,
  type EarningsByLine,
  type EarningsRow,
  type PlacementRow,
  type RowByKind,
  type RowKind,
} from '@zakup/contracts/read-models';
import type { AnyEvent } from '@zakup/domain/catalog';
import { kopecks } from '@zakup/domain/money';
import type { EventMetadata, EventStore, EventToAppend, Position, StreamWrite } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { DocumentReader, ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import { EarningsLines, plainLines } from '../earnings-lines.ts';
import { type Folded, type Parked, ProjectionRunner } from '../projection-runner.ts';

/** One licence's life as events, for tests of the projector. */

export const licenceId = '3f00';
export const firstInstant = Date.parse('2025-03-01T09:00:00.000Z');

/** A UUID that says what it is of. */
export const uuid = (of: string): string => {
  const hex = createHash('sha256').update(of).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** `causedBy`: id of the event that it undoes. */
type GivenEvent = AnyEvent & { readonly causedBy?: string };

/** `[category, id, event, …]`: what one command adds to one stream. */
export type Fact = readonly [category: string, id: string, ...events: readonly [GivenEvent, ...GivenEvent[]]];

/** Who gave a command and how, where it says something else than others do. */
export type By = Partial<Pick<EventMetadata, 'actorId' | 'source' | 'reason' | 'at' | 'commandId'>>;

export const rubles = (amount: number) => kopecks(Math.round(amount * 100));

export const contractorCreated = (nick: string): AnyEvent => ({
  type: 'ContractorCreated',
  data: { nick, adminUsername: `@${nick}`, channelName: 'Весна', category: 'Юмор', automatic: true },
});

export const campaignCreated = (name: string, participants: readonly object[] = []): AnyEvent =>
  ({
    type: 'CampaignCreated',
    data: {
      name,
      channelId: 'channel',
      totalBudget: rubles(10_000),
      status: 'ACTIVE',
      startDate: '2025-03-01',
      endDate: null,
      participants,
    },
  }) as AnyEvent;

export const creativeCreated = (name: string): AnyEvent => ({
  type: 'CreativeCreated',
  data: { name, abbreviation: '', type: 'TEXT_ONLY', notes: '' },
});

export const employeeCreated = (name: string, terms: object = {}): AnyEvent => ({
  type: 'EmployeeCreated',
  data: {
    name,
    email: `${name}@example.org`,
    role: 'MEDIA_BUYER',
    authCode: `CODE${name}`,
    permissions: null,
    isOwner: false,
    salaryType: null,
    salaryRate: null,
    performanceThreshold: null,
    ...terms,
  },
});

export const licenceIssued: AnyEvent = {
  type: 'LicenceIssued',
  data: {
    licenseKey: 'LICENSE-AAAA-BBBB-CCCC-DDDD',
    teamName: 'Команда',
    ownerName: 'Ольга',
    ownerEmail: 'olga@example.org',
    ownerTelegram: '@olga',
    expiresAt: '2026-03-01T09:00:00.000Z',
    features: ['campaigns', 'placements', 'reports'],
    maxConcurrentSessions: 10,
  },
};

export const placementAdded = (
  place: { readonly campaign: string; readonly contractor: string; readonly buyer: string },
  more: object = {},
): AnyEvent => ({
  type: 'PlacementAdded',
  data: {
    campaignId: place.campaign,
    contractorId: place.contractor,
    buyerId: place.buyer,
    creativeId: 'NO_CREATIVE',
    category: 'Юмор',
    format: '1/24',
    price: rubles(1000),
    date: '2025-03-10',
    paymentStatus: 'unpaid',
    ...more,
  },
});

/** Instant of the n-th command. */
export const instant = (command: number): string => new Date(firstInstant + command * 1000).toISOString();

/** A log in memory that takes whole commands; each is one append. Without a clock a second passes with each. */
export const testLog = ({
  licence = licenceId,
  clock,
}: {
  readonly licence?: string;
  readonly clock?: () => number;
} = {}) => {
  let commands = 0;
  const eventStore: EventStore = inMemoryEventStore({
    clock: clock ?? (() => firstInstant + commands * 1000),
  });

  const toAppend = (
    { type, data, causedBy }: GivenEvent,
    command: number,
    number: number,
    { of, version, by }: { readonly of: string; readonly version: number; readonly by: By },
  ): EventToAppend => ({
    id: uuid(`${of} ${command} ${number}`),
    type,
    data,
    metadata: {
      licenceId: of,
      actorId: 'person',
      source: 'screen',
      commandId: uuid(`${of} command ${command}`),
      requestHash: '00',
      at: instant(command),
      schemaVersion: version,
      ...(causedBy !== undefined && { causedBy }),
      ...by,
    },
  });

  const appendOf = async (
    how: { readonly of: string; readonly version: number; readonly by: By },
    ...facts: readonly [Fact, ...Fact[]]
  ): Promise<Position> => {
    const { of } = how;
    const command = commands;
    commands += 1;
    let number = 0;
    const writes = facts.map(([category, id, ...events]): StreamWrite => {
      const [first, ...others] = events.map((event) => {
        number += 1;
        return toAppend(event, command, number, how);
      });
      if (first === undefined) throw new Error('A fact needs an event');
      return { stream: `${category}-${of}~${id}`, expectedRevision: 'any', events: [first, ...others] };
    });
    const result = await eventStore.append(writes as [StreamWrite, ...StreamWrite[]]);
    if (result.kind !== 'appended') throw new Error(result.kind);
    return result.position;
  };

  return {
    eventStore,
    /** Number of the next command, for `instant`. */
    next: (): number => commands,
    /** All resolve with the position of the command's last event. */
    appendAs: (of: string, version: number, ...facts: readonly [Fact, ...Fact[]]): Promise<Position> =>
      appendOf({ of, version, by: {} }, ...facts),
    appendBy: (by: By, ...facts: readonly [Fact, ...Fact[]]): Promise<Position> =>
      appendOf({ of: licence, version: 1, by }, ...facts),
    append: (...facts: readonly [Fact, ...Fact[]]): Promise<Position> =>
      appendOf({ of: licence, version: 1, by: {} }, ...facts),
  };
};

export const testReadStore = (): ReadStore => inMemoryReadStore({ declared: declaredFields });

/** Folds everything that is in the log. */
export const foldAll = async ({
  eventStore,
  readStore,
  maxBatch = 250,
  maxDocs = 500,
  onParked = () => undefined,
  onBatch = () => undefined,
}: {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly maxBatch?: number;
  readonly maxDocs?: number;
  readonly onParked?: (parked: Parked) => void;
  readonly onBatch?: (folded: Folded) => void;
}): Promise<void> => {
  const models = new ProjectionRunner({ eventStore, readStore, partition: 'all', fence: 1, maxDocs, onParked });
  const reading = new AbortController();
  const after = await models.open();
  const head = await eventStore.head();
  for await (const message of eventStore.subscribe({ after, signal: reading.signal, maxBatch })) {
    if (message.kind === 'events') onBatch(await models.fold(message.events));
    if ((message.kind === 'events' ? message.events.at(-1)?.position : message.position) === head) break;
  }
  reading.abort();
};

/** Present documents of a kind by id. */
export const present = async <Kind extends RowKind>(
  readStore: DocumentReader,
  kind: Kind,
): Promise<Readonly<Record<string, RowByKind[Kind]>>> => {
  const { docs } = await readStore.query(kind, {});
  return Object.fromEntries(docs.map(({ id, data }) => [id, data as unknown as RowByKind[Kind]]));
};

/** Earnings with the lines that the person's placements are. */
export const earningsByLineOf = async (readStore: DocumentReader, row: EarningsRow): Promise<EarningsByLine> => {
  const { campaignId, userId } = row;
  const lines = new EarningsLines(plainLines);
  const { docs } = await readStore.query('placement', { licenceId, where: { campaignId, buyerId: userId } });
  for (const { data } of docs) lines.set(data as unknown as PlacementRow);
  return lines.told(row);
};

/** Throws when it is not there. */
export const documentOf = async (readStore: ReadStore, kind: string, id: string): Promise<ReadDocument> => {
  const doc = await readStore.get(kind, id);
  if (doc === null) throw new Error(`There is no ${kind}/${id}`);
  return doc;
};
