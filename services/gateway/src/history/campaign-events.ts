import type { HistoryRow, HistoryView } from '@zakup/contracts/history';
import type { Participant } from '@zakup/domain/campaign/events';
import { catalogEntry, decodeEvent } from '@zakup/domain/catalog';
import type { EventStore, JsonObject, Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';

/** Where events are read from. */
export interface EventSource {
  readonly readStore: Pick<ReadStore, 'walk'>;
  readonly eventStore: Pick<EventStore, 'read'>;
}

/** Entries of the history that are followed to their events together. */
const stretch = 200;
const readsAtOnce = 8;

interface Place {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

const streamOf = (licenceId: string, entity: string): string => entity.replace(':', `-${licenceId}~`);

const isOf = (campaignId: string, first: RecordedEvent | undefined): boolean => {
  if (first === undefined) return false;
  const { type, data, metadata } = first;
  const decoded = decodeEvent({ type, data, schemaVersion: metadata.schemaVersion });
  if (decoded.kind !== 'event') return false;
  const { event } = decoded;
  if (event.type === 'PlacementAdded') return event.data.campaignId === campaignId;
  return event.type === 'CampaignCreated' && first.stream.endsWith(`~${campaignId}`);
};

/**
 * The campaign's own and its placements' events in log order, up to a position. The history says which streams to look into; the events,
 * and that they are of this campaign, are the log's.
 */
export const campaignEvents = async function* (
  { readStore, eventStore }: EventSource,
  licenceId: string,
  campaignId: string,
  to: Position,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const confirmed = new Map<string, boolean>();

  const eventsOf = async (stream: string, places: readonly Place[]): Promise<readonly RecordedEvent[]> => {
    const revisions = places.map(({ revision }) => revision);
    const range = { from: Math.min(...revisions), to: Math.max(...revisions) };
    const events = await eventStore.read(stream, range);
    let isOwn = confirmed.get(stream);
    if (isOwn === undefined) {
      const [first] = range.from === 0 ? events : await eventStore.read(stream, { from: 0, to: 0 });
      isOwn = isOf(campaignId, first);
      confirmed.set(stream, isOwn);
    }
    const wanted = new Set(places.map(({ position }) => position));
    return isOwn ? events.filter(({ position }) => wanted.has(position)) : [];
  };

  for (let after: string | undefined; ; ) {
    const docs = await readStore.walk('history', {
      licenceId,
      where: { field: 'campaignId', value: campaignId },
      direction: 'asc',
      ...(after !== undefined && { after }),
      limit: stretch,
    });
    const streams = new Map<string, Place[]>();
    for (const { data, position } of docs.filter((doc) => doc.position <= to)) {
      const { entity, revision } = data as unknown as HistoryRow;
      const stream = streamOf(licenceId, entity);
      const places = streams.get(stream) ?? [];
      places.push({ stream, revision, position });
      streams.set(stream, places);
    }
    const all = [...streams];
    const events: RecordedEvent[] = [];
    for (let from = 0; from < all.length; from += readsAtOnce) {
      const some = all.slice(from, from + readsAtOnce);
      events.push(...(await Promise.all(some.map(([stream, places]) => eventsOf(stream, places)))).flat());
    }
    yield* events.sort((a, b) => a.position - b.position);
    const last = docs.at(-1);
    if (last === undefined || docs.length < stretch || last.position >= to) return;
    after = last.id;
  }
};

const withoutTerms = (participant: Participant, view: HistoryView): JsonObject =>
  view.termsOf === null || view.termsOf === participant.userId
    ? participant
    : { ...participant, salaryType: null, salaryRate: null, cplThreshold: null };

/** The data as this viewer may see it: what they may not is null. */
const shownData = ({ type, data }: RecordedEvent, view: HistoryView): JsonObject => {
  const personal = view.people ? [] : (catalogEntry(type)?.personal ?? []);
  const shown: JsonObject = {
    ...data,
    ...Object.fromEntries(personal.flatMap((name) => (Object.hasOwn(data, name) ? [[name, null]] : []))),
  };
  const { participant, participants } = shown as { participant?: Participant; participants?: readonly Participant[] };
  return {
    ...shown,
    ...(participant !== undefined && { participant: withoutTerms(participant, view) }),
    ...(participants !== undefined && { participants: participants.map((one) => withoutTerms(one, view)) }),
  };
};

/** One line of NDJSON. */
export const eventLine = (event: RecordedEvent, view: HistoryView): string => {
  const { position, revision, stream, id, type, metadata } = event;
  const { schemaVersion, at, actorId, commandId } = metadata;
  const data = shownData(event, view);
  return `${JSON.stringify({ position, revision, stream, id, type, schemaVersion, at, actorId, commandId, data })}\n`;
};
