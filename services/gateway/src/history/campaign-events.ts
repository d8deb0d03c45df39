import type { HistoryRow, HistoryView } from '@zakup/contracts/history';
import { isOfCampaign, shownData } from '@zakup/contracts/shown-event';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { ReadDocument, ReadStore } from '@zakup/read-store/read-store';

/** Where events are read from. */
export interface EventSource {
  readonly readStore: Pick<ReadStore, 'scanIndex'>;
  readonly eventStore: Pick<EventStore, 'read' | 'readLicence'>;
}

/** Entries of the history that are followed to their events together. */
const stretch = 500;
const readsAtOnce = 8;
/** Of so many events that lie next to each other at least one must be wanted; else they are fetched from their streams. */
const sparse = 16;

interface Place {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
}

const streamOf = (licenceId: string, entity: string): string => entity.replace(':', `-${licenceId}~`);

const placeOf = (licenceId: string, { data, position }: ReadDocument): Place => {
  const { entity, revision } = data as unknown as HistoryRow;
  return { stream: streamOf(licenceId, entity), revision, position };
};

const byStream = (places: readonly Place[]): ReadonlyMap<string, readonly Place[]> => {
  const streams = new Map<string, Place[]>();
  for (const place of places) {
    const others = streams.get(place.stream);
    if (others === undefined) streams.set(place.stream, [place]);
    else others.push(place);
  }
  return streams;
};

/** What the work gives for each, so many at once. */
const ofEach = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<readonly Result[]>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += readsAtOnce)
    results.push(...(await Promise.all(items.slice(from, from + readsAtOnce).map(work))).flat());
  return results;
};

/**
 * The campaign's own and its placements' events in log order, up to a position. The history says where to look; the events, and that they
 * are of this campaign, are the log's. Where they lie close together the log is read along, as a read for each stream costs far more.
 */
export const campaignEvents = async function* (
  { readStore, eventStore }: EventSource,
  licenceId: string,
  campaignId: string,
  to: Position,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const confirmed = new Map<string, boolean>();

  const fromStreams = (places: readonly Place[]): Promise<readonly RecordedEvent[]> =>
    ofEach([...byStream(places)], async ([stream, some]) => {
      const revisions = some.map(({ revision }) => revision);
      const events = await eventStore.read(stream, { from: Math.min(...revisions), to: Math.max(...revisions) });
      const wanted = new Set(some.map(({ position }) => position));
      return events.filter(({ position }) => wanted.has(position));
    });

  /** `after`: of an event in the log, before all of the places. */
  const alongTheLog = async (places: readonly Place[], after: Position): Promise<readonly RecordedEvent[]> => {
    const wanted = new Map(places.map(({ position, stream }) => [position, stream]));
    const end = places.at(-1)?.position ?? 0;
    const events: RecordedEvent[] = [];
    for (let from = after; from < end; ) {
      const page = await eventStore.readLicence(licenceId, { after: from, to: end, limit: stretch });
      const found = page.filter(({ position, stream }) => wanted.get(position) === stream);
      events.push(...found);
      from = page.at(-1)?.position ?? end;
      if (from < end && found.length * sparse < page.length) {
        const left = places.filter(({ position }) => position > from);
        return [...events, ...(await fromStreams(left))];
      }
    }
    return events;
  };

  const ownOf = async (events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
    const firsts = new Map(events.filter(({ revision }) => revision === 0).map((event) => [event.stream, event]));
    const unknown = [...new Set(events.map(({ stream }) => stream))].filter((stream) => !confirmed.has(stream));
    await ofEach(unknown, async (stream) => {
      const first = firsts.get(stream) ?? (await eventStore.read(stream, { from: 0, to: 0 }))[0];
      confirmed.set(stream, isOfCampaign(campaignId, first));
      return [];
    });
    return events.filter(({ stream }) => confirmed.get(stream));
  };

  for (let after: ReadDocument | undefined; ; ) {
    const docs = await readStore.scanIndex('history', {
      licenceId,
      where: { field: 'campaignId', value: campaignId },
      direction: 'asc',
      ...(after !== undefined && { after: after.id }),
      limit: stretch,
    });
    const places = docs.filter(({ position }) => position <= to).map((doc) => placeOf(licenceId, doc));
    const [first, ...others] = places;
    if (first === undefined) return;
    // A store takes the places of its events only to read on from: the very first one is found by its stream.
    const events =
      after === undefined
        ? [...(await fromStreams([first])), ...(await alongTheLog(others, first.position))]
        : await alongTheLog(places, after.position);
    yield* (await ownOf(events)).toSorted((a, b) => a.position - b.position);
    after = docs.at(-1);
    if (after === undefined || docs.length < stretch || after.position >= to) return;
  }
};

/** One line of NDJSON. */
export const eventLine = (event: RecordedEvent, view: HistoryView): string => {
  const { position, revision, stream, id, type, metadata } = event;
  const { schemaVersion, at, actorId, commandId } = metadata;
  const data = shownData(event, view);
  return `${JSON.stringify({ position, revision, stream, id, type, schemaVersion, at, actorId, commandId, data })}\n`;
};
