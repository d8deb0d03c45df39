import { Aggregator } from 'mingo';
import { BSON } from 'bson';
import { type Doc, isPlain } from './documents.ts';
import { matcher, type Predicate } from './matcher.ts';
import { orderKey } from './order-key.ts';
import { ServerError } from './server-error.ts';
import type { HistoryEntry, Store } from './store.ts';
import { updateDescription } from './update-operators.ts';

const { Timestamp } = BSON;

export interface Stream {
  /** What has happened since the last call and passes the pipeline. */
  read(most: number): readonly Doc[];
  /** Where a stream would go on that has seen everything read so far. */
  token(): Doc;
  /** Nothing will follow: what it watches is gone. */
  isOver(): boolean;
}

interface Point {
  readonly at: number;
  readonly place: number;
}

const lastPlace = 0xffffffff;
const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');

const lost = (reason: string): ServerError =>
  new ServerError('ChangeStreamHistoryLost', `Resume of change stream was not possible, as ${reason}`, {
    labels: ['NonResumableChangeStreamError'],
  });

const tokenOf = (store: Store, { at, place }: Point): Doc => ({
  _data: `82${hex(store.timestampOf(at).t)}${hex(at)}${hex(place)}`,
});

const pointOf = (store: Store, token: unknown): Point => {
  const data = isPlain(token) ? token['_data'] : undefined;
  const parts = typeof data === 'string' ? /^82([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(data) : null;
  if (parts === null) throw lost('the resume token is not known');
  const [t = 0, i = 0, place = 0] = parts.slice(1).map((part) => Number.parseInt(part, 16));
  const at = store.commitAt(new Timestamp({ t, i }));
  if (at > store.now()) throw lost('the resume token was not found');
  if (at <= store.forgotten()) throw lost('the resume point may no longer be in the oplog.');
  return { at, place };
};

/** What happens to a collection or a database, and to none of its documents. */
const ofSchema: ReadonlySet<HistoryEntry['kind']> = new Set(['drop', 'rename', 'dropDatabase']);
const costly = ['fullDocument', 'updateDescription'];

/** Follows the history behind `$changeStream`; the rest of the pipeline is carried out on each event. */
export const changeStream = (
  store: Store,
  watched: { readonly db: string; readonly collection: string | null },
  options: Doc,
  rest: readonly Doc[],
): Stream => {
  const from = options['resumeAfter'] ?? options['startAfter'];
  let seen: Point = { at: store.now(), place: lastPlace };
  if (from !== undefined && from !== null) {
    seen = pointOf(store, from);
  } else if (options['startAtOperationTime'] instanceof Timestamp) {
    const at = store.commitAt(options['startAtOperationTime']);
    if (at <= store.forgotten() && store.forgotten() > 0) throw lost('the start may no longer be in the oplog.');
    seen = { at: at - 1, place: lastPlace };
  }
  const looksUp = options['fullDocument'] === 'updateLookup';
  let isOver = false;

  const stages = [...rest];
  /** Conditions that can be seen before the costly members of an event are made. */
  const early: Predicate[] = [];
  for (let stage = stages[0]; stage !== undefined && isPlain(stage['$match']); stage = stages[0]) {
    const text = JSON.stringify(stage);
    if (costly.some((part) => text.includes(part))) break;
    early.push(matcher(stage['$match']));
    stages.shift();
  }
  const aggregator = stages.length === 0 ? null : new Aggregator(stages, {});

  const isWatched = (entry: HistoryEntry): boolean =>
    entry.db === watched.db && (watched.collection === null || entry.collection === watched.collection);

  const eventOf = (entry: HistoryEntry): Doc | null => {
    const light: Doc = {
      _id: tokenOf(store, entry),
      operationType: entry.kind,
      clusterTime: store.timestampOf(entry.at),
      wallTime: entry.wallTime,
      ns: entry.kind === 'dropDatabase' ? { db: entry.db } : { db: entry.db, coll: entry.collection },
    };
    if (!ofSchema.has(entry.kind)) light['documentKey'] = { _id: entry.id };
    if (entry.to !== undefined) light['to'] = { db: entry.db, coll: entry.to };
    if (entry.transaction !== null) {
      light['lsid'] = entry.transaction.lsid;
      light['txnNumber'] = BSON.Long.fromNumber(entry.transaction.txnNumber);
    }
    if (!early.every((test) => test(light))) return null;
    if (entry.kind === 'insert' || entry.kind === 'replace') light['fullDocument'] = entry.after;
    if (entry.kind === 'update') {
      light['updateDescription'] = updateDescription(entry.before ?? {}, entry.after ?? {});
      if (looksUp) {
        light['fullDocument'] =
          store.collection(entry.db, entry.collection)?.stored.get(orderKey(entry.id))?.head?.doc ?? null;
      }
    }
    if (aggregator === null) return light;
    const [event] = aggregator.run<Doc>([light]);
    return event ?? null;
  };

  const firstAfter = (history: readonly HistoryEntry[]): number => {
    let [low, high] = [0, history.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = history[middle];
      const isSeen = entry !== undefined && (entry.at < seen.at || (entry.at === seen.at && entry.place <= seen.place));
      if (isSeen) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    read: (most) => {
      if (isOver) return [];
      if (seen.at < store.forgotten()) throw lost('the resume point may no longer be in the oplog.');
      const history = store.history();
      const events: Doc[] = [];
      for (let next = firstAfter(history); next < history.length; next += 1) {
        const entry = history[next];
        if (entry === undefined || events.length >= most) return events;
        seen = entry;
        if (!isWatched(entry)) continue;
        const event = eventOf(entry);
        if (event !== null) events.push(event);
        const ends = watched.collection === null ? entry.kind === 'dropDatabase' : ofSchema.has(entry.kind);
        if (!ends) continue;
        isOver = true;
        const invalidate = {
          _id: tokenOf(store, { at: entry.at, place: lastPlace }),
          operationType: 'invalidate',
          clusterTime: store.timestampOf(entry.at),
          wallTime: entry.wallTime,
        };
        return early.every((test) => test(invalidate)) ? [...events, invalidate] : events;
      }
      if (seen.at < store.now()) seen = { at: store.now(), place: lastPlace };
      return events;
    },
    token: () => tokenOf(store, seen),
    isOver: () => isOver,
  };
};
