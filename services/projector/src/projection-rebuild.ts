import { setTimeout as delay } from 'node:timers/promises';
import type { RebuildNotice } from '@zakup/contracts/notices';
import { projectionVersion } from '@zakup/projections/version';
import type { NextGeneration, ReadStore } from '@zakup/read-store/read-store';
import { ensureSameLog, ForeignLog, noteLog } from '@zakup/service-kit/stores/log-identity';
import { type Projector, type ProjectorEnd, type ProjectorOptions, runProjector } from './run-projector.ts';

/** How far a content that is built beside has come. */
export type BuildProgress = Omit<RebuildNotice, 'request'>;

export interface FollowingOptions extends ProjectorOptions {
  /** Of the projections that are run; default theirs. A content of another one is replaced by one that is built beside it. */
  readonly version?: string;
  readonly log?: ProjectorOptions['log'] & { readonly info: (details: object, message: string) => void };
  /** Called with each step of a content that is built. */
  readonly onBuild?: (progress: BuildProgress) => void;
  /** The projector of what readers see, each time that another one begins. */
  readonly onProjector?: (projector: Projector) => void;
}

export interface Following {
  /** As a projector's: what readers see has caught up for the first time. */
  readonly caughtUp: Promise<void>;
  readonly ended: Promise<ProjectorEnd>;
  /** Builds the read models anew beside those that are read; one that is under way goes on. */
  rebuild(): void;
}

/** Milliseconds until a failure of a store is tried again, and between two looks for contents that can be removed. */
const retry = 1_000;
const tidyEvery = 30_000;

/** Others of the process need the thread too. */
const beside = { maxBatch: 500, maxDocs: 300, spacing: 0 } as const;

/**
 * Goes on with what was begun under this version, unless it was begun from another log; notes the log in it. Throws what the stores throw.
 */
export const resumeRebuild = async (
  { eventStore, readStore, fence }: Pick<ProjectorOptions, 'eventStore' | 'readStore' | 'fence'>,
  version: string,
  partition: string,
  how: { readonly indexesLater?: boolean } = {},
): Promise<NextGeneration> => {
  const next = await readStore.beginNext(version, how);
  try {
    const position = (await next.checkpoint(partition))?.position ?? 0;
    if (position <= (await eventStore.head())) {
      await ensureSameLog({ eventStore, readStore: next });
      await noteLog({ eventStore, readStore: next }, fence);
      return next;
    }
  } catch (error) {
    if (!(error instanceof ForeignLog)) throw error;
  }
  await readStore.discard();
  const anew = await readStore.beginNext(version, how);
  await noteLog({ eventStore, readStore: anew }, fence);
  return anew;
};

/** Resolves when the one has come as near to the other as it can: what it lacks is no longer halved on the way to where that one was. */
const approached = async (one: Projector, other: Projector): Promise<void> => {
  for (let lack = other.position() - one.position(); lack > 0; ) {
    await one.waitFor(other.position());
    const next = other.position() - one.position();
    if (next > lack / 2) return;
    lack = next;
  }
};

/** What is due before anything is folded: `note` = an empty store takes this version. */
const due = async (readStore: ReadStore, partition: string, version: string): Promise<boolean> => {
  const [{ active, next }, checkpoint] = await Promise.all([readStore.generations(), readStore.checkpoint(partition)]);
  if (active.version === null && (checkpoint?.position ?? 0) === 0) {
    await readStore.noteVersion(version);
    return false;
  }
  if (active.version !== version) return true;
  if (next !== null && next.version !== version) await readStore.discard();
  return next?.version === version;
};

/**
 * Follows the log for what readers see. When that was folded by another version, or when it is asked for, another content is built beside
 * it from the beginning of the log, and takes its place once it has caught up: between the last commit to the one and the first to the
 * other nothing is folded, and everything can be read.
 */
export const projectionRebuild = (options: FollowingOptions): Following => {
  const {
    eventStore,
    readStore,
    partition,
    fence,
    now,
    log,
    version = projectionVersion,
    onBuild,
    onProjector,
  } = options;
  const { signal } = options;
  let wanted = false;
  let wake = (): void => undefined;
  let settle: (() => void) | undefined;
  const caughtUp = new Promise<void>((resolve) => {
    settle = resolve;
  });

  const pause = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);

  /** Resolves when a content is to be built, or never will be. */
  const asked = (until: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      if (wanted || until.aborted) resolve();
      until.addEventListener('abort', () => resolve(), { once: true });
    });

  const builder = async (next: NextGeneration, until: AbortSignal) => {
    const from = (await next.checkpoint(partition))?.position ?? 0;
    const head = await eventStore.head();
    let progress: BuildProgress = {
      version,
      startedAt: now(),
      finishedAt: null,
      events: 0,
      from,
      position: from,
      head,
    };
    onBuild?.(progress);
    const { onParked: _, ...rest } = options;
    const built = runProjector({
      ...rest,
      ...beside,
      readStore: next,
      signal: until,
      // Nobody reads it yet: it is begun anew.
      onDamaged: () => readStore.discard(),
      onBatch: ({ events, position }) => {
        progress = {
          ...progress,
          events: progress.events + events,
          position,
          head: Math.max(progress.head, position),
        };
        onBuild?.(progress);
      },
    });
    return { built, told: () => progress };
  };

  interface Round {
    readonly live: Projector;
    /** The live projector has ended by itself. */
    readonly over: AbortSignal;
    /** From here on it is stopped so that another content can take the place. */
    switching: boolean;
  }

  /** Whether it is what readers see now. The answer to a success may be lost, and nothing is to be built again for that. */
  const takenPlace = async (next: NextGeneration): Promise<boolean> => {
    try {
      return (await next.promote(fence)).kind === 'committed';
    } catch (error) {
      const { active } = await readStore.generations();
      if (active.number !== next.generation.number) throw error;
      return true;
    }
  };

  const build = async (round: Round): Promise<void> => {
    const next = await resumeRebuild({ eventStore, readStore, fence }, version, partition);
    log?.info({ version, number: next.generation.number }, 'Read models are built anew beside those that are read');
    const { built, told } = await builder(next, round.over);
    try {
      await built.caughtUp;
      await approached(built, round.live);
      round.switching = true;
      await round.live.stop();
      await built.waitFor(round.live.position());
      await built.stop();
      await noteLog({ eventStore, readStore: next }, fence);
      if (!(await takenPlace(next))) return;
      wanted = false;
      onBuild?.({ ...told(), position: built.position(), finishedAt: now() });
      log?.info({ version, events: told().events }, 'Read models were replaced by those built beside them');
    } finally {
      await built.stop();
    }
  };

  /** Builds when it is wanted. Resolves once the live projector is stopped: what is read may be another content then. */
  const building = async (round: Round): Promise<void> => {
    while (!round.over.aborted && !round.switching) {
      await asked(round.over);
      if (round.over.aborted) return;
      try {
        await build(round);
      } catch (error) {
        if (round.over.aborted) return;
        log?.warn({ err: error }, 'Building read models anew will be gone on with');
        await pause(retry);
      }
    }
  };

  const tidy = async (): Promise<void> => {
    for (;;) {
      if (signal.aborted) return;
      const done = await readStore.purge().catch((error: unknown) => {
        log?.warn({ err: error }, 'What is read no more could not be removed');
        return null;
      });
      if (done === true) return;
      await pause(done === null ? retry : tidyEvery);
    }
  };
  let tidying: Promise<void> | null = null;

  const run = async (): Promise<ProjectorEnd> => {
    while (!signal.aborted) {
      try {
        wanted = (await due(readStore, partition, version)) || wanted;
      } catch (error) {
        log?.warn({ err: error }, 'The read store does not tell what it holds');
        await pause(retry);
        continue;
      }
      tidying ??= tidy().finally(() => {
        tidying = null;
      });
      const live = runProjector({ ...options, signal });
      onProjector?.(live);
      live.caughtUp.then(
        () => settle?.(),
        () => undefined,
      );
      const over = new AbortController();
      const round: Round = { live, over: AbortSignal.any([signal, over.signal]), switching: false };
      const builds = building(round);
      const end = await live.ended;
      if (!round.switching) over.abort();
      await builds;
      if (!round.switching || signal.aborted) return end;
    }
    return 'stopped';
  };

  const ended = run().then(async (end) => {
    await tidying;
    return end;
  });
  return {
    caughtUp,
    ended,
    rebuild() {
      wanted = true;
      wake();
    },
  };
};
