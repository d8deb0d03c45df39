import { BSON } from 'bson';
import { changeStream } from './change-streams.ts';
import { type Call, type Command, docOf, docsOf, textOf, viewOf } from './context.ts';
import { type Cursor, taken } from './cursors.ts';
import { type Doc, isPlain } from './documents.ts';
import { aggregated, projected } from './pipeline.ts';
import { found } from './query.ts';
import type { Reply } from './reply.ts';
import { ServerError } from './server-error.ts';
import type { Collection, View } from './versions.ts';

const firstBatchSize = 101;
/** How long a change stream waits for something to happen unless the client says. */
const awaitTime = 1_000;
const mostEvents = 1_000;

interface ReadView extends View {
  /** For the answer of a snapshot read. */
  readonly atClusterTime: InstanceType<typeof BSON.Timestamp> | null;
}

const readView = (call: Call): ReadView => {
  const { store, body, transaction } = call;
  const concern = docOf(body['readConcern']);
  if (transaction !== null || concern['level'] !== 'snapshot') return { ...viewOf(call), atClusterTime: null };
  const wanted = concern['atClusterTime'];
  const at = wanted instanceof BSON.Timestamp ? store.commitAt(wanted) : store.now();
  if (!store.isKept(at)) {
    throw new ServerError(
      'SnapshotTooOld',
      `Read timestamp ${String(wanted)} is older than the oldest available timestamp.`,
    );
  }
  call.sessions.holdSnapshot(at);
  return { at, transaction: null, atClusterTime: store.timestampOf(at) };
};

const numberOf = (value: unknown): number | null => (value === undefined || value === null ? null : Number(value));

const listReply = (
  call: Call,
  namespace: string,
  docs: readonly Doc[],
  {
    batchSize,
    isSingle,
    view,
  }: { readonly batchSize: number | null; readonly isSingle: boolean; readonly view?: ReadView },
): Reply => {
  const { batch, at } = taken(docs, 0, batchSize ?? firstBatchSize);
  const isDone = at >= docs.length || isSingle;
  const id = isDone ? 0 : call.cursors.nextId();
  if (!isDone) {
    call.cursors.open({
      kind: 'list',
      id,
      namespace,
      session: call.session?.key ?? null,
      batchSize,
      docs,
      at,
      gone: null,
    });
  }
  const atClusterTime = view?.atClusterTime ?? null;
  const more: Doc = atClusterTime === null ? {} : { atClusterTime };
  return { body: { ok: 1 }, batch: { name: 'firstBatch', docs: batch, id, namespace, more } };
};

/** The answer to a listing of collections or indexes. */
export const listing = (call: Call, namespace: string, docs: readonly Doc[]): Reply =>
  listReply(call, namespace, docs, { batchSize: numberOf(docOf(call.body['cursor'])['batchSize']), isSingle: false });

/** A view without a pipeline is another collection's documents under a name of its own. */
const sourceOf = ({ store, db }: Call, name: string): Collection | undefined => {
  const collection = store.collection(db, name);
  const viewOn = collection?.options['viewOn'];
  return typeof viewOn === 'string' ? store.collection(db, viewOn) : collection;
};

const find: Command = (call) => {
  const { body, db } = call;
  const name = textOf(body, 'find');
  const view = readView(call);
  const collection = sourceOf(call, name);
  const limit = Math.abs(numberOf(body['limit']) ?? 0);
  const matches =
    collection === undefined
      ? []
      : found(collection, view, {
          filter: docOf(body['filter']),
          sort: docOf(body['sort']),
          skip: numberOf(body['skip']) ?? 0,
          limit,
          variables: docOf(body['let']),
        });
  const docs = projected(
    matches.map(({ doc }) => doc),
    body['projection'],
  );
  return listReply(call, `${db}.${name}`, docs, {
    batchSize: numberOf(body['batchSize']),
    isSingle: body['singleBatch'] === true,
    view,
  });
};

const openStream = (call: Call, collection: string | null, options: Doc, rest: readonly Doc[]): Reply => {
  const { db, store, body } = call;
  if (call.transaction !== null) {
    throw new ServerError(
      'OperationNotSupportedInTransaction',
      'Stage not supported inside of a multi-document transaction: $changeStream',
    );
  }
  const stream = changeStream(store, { db, collection }, options, rest);
  const batchSize = numberOf(docOf(body['cursor'])['batchSize']);
  const namespace = `${db}.${collection ?? '$cmd.aggregate'}`;
  const id = call.cursors.nextId();
  call.cursors.open({
    kind: 'stream',
    id,
    namespace,
    session: call.session?.key ?? null,
    batchSize,
    stream,
    interrupt: null,
  });
  const { batch } = taken(stream.read(batchSize ?? firstBatchSize), 0, mostEvents);
  return {
    body: { ok: 1 },
    batch: { name: 'firstBatch', docs: batch, id, namespace, more: { postBatchResumeToken: stream.token() } },
  };
};

const aggregate: Command = (call) => {
  const { body, db } = call;
  const name = body['aggregate'] === 1 ? null : textOf(body, 'aggregate');
  const pipeline = docsOf(body, 'pipeline');
  const [first, ...rest] = pipeline;
  if (isPlain(first?.['$changeStream'])) return openStream(call, name, first['$changeStream'], rest);
  const view = readView(call);
  const source = { view, collection: (other: string) => sourceOf(call, other) };
  const docs = aggregated(name, pipeline, source, docOf(body['let']));
  const batchSize = numberOf(docOf(body['cursor'])['batchSize']);
  return listReply(call, `${db}.${name ?? '$cmd.aggregate'}`, docs, { batchSize, isSingle: false, view });
};

/** Waits until something is written, the time is over, the client is gone or the stream is interrupted. */
const somethingNew = (call: Call, cursor: Cursor & { readonly kind: 'stream' }, until: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      stop();
      call.signal.removeEventListener('abort', leave);
      cursor.interrupt = null;
      settle();
    };
    const leave = (): void => {
      end(() => reject(new ServerError('CursorKilled', 'the client is gone')));
      call.cursors.kill(cursor.id);
    };
    const stop = call.store.onCommit(() => end(resolve));
    const timer = setTimeout(() => end(resolve), Math.max(0, until - Date.now()));
    call.signal.addEventListener('abort', leave);
    cursor.interrupt = (error) => end(() => reject(error));
  });

const nextEvents = async (
  call: Call,
  cursor: Cursor & { readonly kind: 'stream' },
  most: number,
): Promise<readonly Doc[]> => {
  const { stream } = cursor;
  const until = Date.now() + (numberOf(call.body['maxTimeMS']) ?? awaitTime);
  for (;;) {
    const events = stream.read(most);
    if (events.length > 0 || stream.isOver() || Date.now() >= until) return events;
    await somethingNew(call, cursor, until);
  }
};

const getMore: Command = async (call) => {
  const id = Number(call.body['getMore']);
  const cursor = call.cursors.get(id);
  const { namespace } = cursor;
  const batchSize = numberOf(call.body['batchSize']) ?? cursor.batchSize;
  if (cursor.kind === 'list') {
    if (cursor.gone !== null) {
      call.cursors.kill(id);
      throw cursor.gone;
    }
    const { batch, at } = taken(cursor.docs, cursor.at, batchSize ?? Number.POSITIVE_INFINITY);
    cursor.at = at;
    const isDone = at >= cursor.docs.length;
    if (isDone) call.cursors.kill(id);
    return { body: { ok: 1 }, batch: { name: 'nextBatch', docs: batch, id: isDone ? 0 : id, namespace, more: {} } };
  }
  const events = await nextEvents(call, cursor, Math.min(batchSize ?? mostEvents, mostEvents));
  const isOver = cursor.stream.isOver();
  if (isOver) call.cursors.kill(id);
  const { batch } = taken(events, 0, events.length);
  const more = { postBatchResumeToken: cursor.stream.token() };
  return { body: { ok: 1 }, batch: { name: 'nextBatch', docs: batch, id: isOver ? 0 : id, namespace, more } };
};

const killCursors: Command = ({ body, cursors }) => {
  const ids = docsOf(body, 'cursors').map(Number);
  const isKilled = new Map(ids.map((id) => [id, cursors.kill(id)]));
  const long = (id: number): InstanceType<typeof BSON.Long> => BSON.Long.fromNumber(id);
  return {
    body: {
      cursorsKilled: ids.filter((id) => isKilled.get(id) === true).map(long),
      cursorsNotFound: ids.filter((id) => isKilled.get(id) !== true).map(long),
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    },
  };
};

export const readCommands = { find, aggregate, getMore, killCursors } as const;
