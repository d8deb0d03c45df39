import { setTimeout } from 'node:timers/promises';
import type { ChangeStream, ChangeStreamDocument, Collection } from 'mongodb';
import type { SessionRow, SessionWatch, SessionWatcher } from '../tables.ts';
import { rowKeyOf, type StoredRow } from './collections.ts';

/** Milliseconds that the server keeps a question for news; how long silence still means that there was nothing; between new attempts. */
const askFor = 250;
const silenceOf = 1_000;
const pauses = { first: 50, longest: 1_000 };

export interface SessionStreamOptions {
  readonly collection: Collection<StoredRow>;
  readonly rowOf: (stored: StoredRow) => SessionRow;
  readonly watcher: SessionWatcher;
  /** Told once for each break, and once when what was missed has been read. */
  readonly onBreak: (error: unknown) => void;
  readonly onMended: () => void;
}

export interface SessionStream extends SessionWatch {
  /** When it follows for the first time; rejects with the driver's error when that failed, and it goes on trying. */
  readonly following: Promise<void>;
}

/**
 * Follows the changes of sessions. The driver takes a broken stream up again where it was; where that fails a new one is begun and all
 * rows are read behind its beginning, so that no end is missed either way.
 */
export const sessionStream = (options: SessionStreamOptions): SessionStream => {
  const { collection, rowOf, watcher } = options;
  const stop = new AbortController();
  let stream: ChangeStream<StoredRow> | null = null;
  /** When the newest question was asked to which the server has answered. */
  let heardAt = Number.NEGATIVE_INFINITY;
  let isBroken = false;

  let followed = (): void => undefined;
  let failed: (error: unknown) => void = () => undefined;
  const following = new Promise<void>((resolve, reject) => {
    followed = resolve;
    failed = reject;
  });
  following.catch(() => undefined);

  const tell = (change: ChangeStreamDocument<StoredRow>): void => {
    if (change.operationType === 'insert' || change.operationType === 'replace')
      watcher.put(rowOf(change.fullDocument));
    else if (change.operationType === 'delete') watcher.removed(rowKeyOf(change.documentKey));
    else throw new Error(`the sessions were changed from outside (${change.operationType})`);
  };

  const ask = async (from: ChangeStream<StoredRow>): Promise<number> => {
    const asked = performance.now();
    const change = await from.tryNext();
    if (change !== null) tell(change);
    return asked;
  };

  const followOnce = async (): Promise<void> => {
    const opened = collection.watch<StoredRow, ChangeStreamDocument<StoredRow>>([], { maxAwaitTimeMS: askFor });
    stream = opened;
    try {
      const asked = await ask(opened);
      const take = watcher.reading();
      take((await collection.find().toArray()).map(rowOf));
      heardAt = asked;
      followed();
      if (isBroken) options.onMended();
      isBroken = false;
      while (!stop.signal.aborted) heardAt = await ask(opened);
    } finally {
      // Not waited for: a server that is away takes its time over that.
      void opened.close().catch(() => undefined);
    }
  };

  const follow = async (): Promise<void> => {
    let pause = pauses.first;
    while (!stop.signal.aborted) {
      try {
        await followOnce();
      } catch (error) {
        if (stop.signal.aborted) return;
        if (heardAt > Number.NEGATIVE_INFINITY) pause = pauses.first;
        heardAt = Number.NEGATIVE_INFINITY;
        failed(error);
        if (!isBroken) options.onBreak(error);
        isBroken = true;
        await setTimeout(pause, undefined, { signal: stop.signal }).catch(() => undefined);
        pause = Math.min(pauses.longest, 2 * pause);
      }
    }
  };
  void follow();

  return {
    following,
    isExact: () => performance.now() - heardAt < silenceOf,
    stop: () => {
      stop.abort();
      void stream?.close().catch(() => undefined);
    },
  };
};
