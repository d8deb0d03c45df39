import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeStream, Collection } from 'mongodb';
import type { CommitSignal } from '../commit-signals.ts';
import type { StoredCheckpoint } from './stored.ts';

/** Milliseconds between two looks at the checkpoints while they cannot be watched. */
const away = 1_000;
/** Most milliseconds that the server keeps a request for changes that do not come. */
const patience = 1_000;
/** Commits of which it is remembered that they were told: more than can be under way between a commit and its change. */
const remembered = 10_000;

export interface WatchLog {
  readonly warn: (details: object, message: string) => void;
}

export interface CheckpointWatch {
  /** Begins to watch; later calls do nothing. */
  start(): void;
  /** Tells of a commit at once, of which the stream will tell too. */
  committed(checkpoint: Pick<StoredCheckpoint, '_id' | 'position' | 'commit'>): void;
  stop(): Promise<void>;
}

/**
 * Tells of every commit once: of others' through a change stream over the checkpoints. The driver resumes a stream that was cut
 * off from where it was. If that fails, it is opened anew; since only the present checkpoints matter, a look at them each time that a
 * stream begins makes up for whatever was lost before, and a look each second for the stream while there is none.
 */
export const checkpointWatch = ({
  checkpoints,
  send,
  log,
}: {
  readonly checkpoints: Collection<StoredCheckpoint>;
  readonly send: (commitSignal: CommitSignal) => void;
  readonly log?: WatchLog | undefined;
}): CheckpointWatch => {
  const told = new Set<string>();
  const stopped = new AbortController();
  let stream: ChangeStream<StoredCheckpoint> | undefined;
  let running: Promise<void> | undefined;
  /** Once for each absence. */
  let warned = false;

  const tell = ({ _id: partition, position, commit }: Pick<StoredCheckpoint, '_id' | 'position' | 'commit'>): void => {
    if (told.has(commit) || stopped.signal.aborted) return;
    told.add(commit);
    if (told.size > remembered) {
      for (const oldest of told) {
        told.delete(oldest);
        break;
      }
    }
    send({ partition, position });
  };

  const look = async (): Promise<void> => {
    try {
      for (const checkpoint of await checkpoints.find({}).toArray()) tell(checkpoint);
    } catch (error) {
      if (!stopped.signal.aborted && !warned) log?.warn({ err: error }, 'The checkpoints could not be read');
    }
  };

  const follow = async (): Promise<void> => {
    const opened = checkpoints.watch<StoredCheckpoint>([], { maxAwaitTimeMS: patience });
    stream = opened;
    // The server gives the first token with its first answer: from there on nothing can be missed.
    opened.once('resumeTokenChanged', () => {
      warned = false;
      void look();
    });
    try {
      while (!stopped.signal.aborted) {
        const change = await opened.next();
        if ('fullDocument' in change && change.fullDocument !== undefined) tell(change.fullDocument);
      }
    } finally {
      await opened.close().catch(() => undefined);
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (!warned) {
          log?.warn({ err: error }, 'The checkpoints are looked at each second until they can be watched again');
        }
        warned = true;
      }
      await look();
      await delay(away, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };

  return {
    start() {
      running ??= run();
    },
    committed: tell,
    async stop() {
      stopped.abort();
      await stream?.close().catch(() => undefined);
      await running;
    },
  };
};
