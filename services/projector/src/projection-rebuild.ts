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

/** Whether another content is to be built. */
class RebuildWish {
  #isWanted = false;
  #wake = (): void => undefined;

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Without waking whoever waits for it: nobody does yet. */
  wantToo(isWanted: boolean): void {
    this.#isWanted = isWanted || this.#isWanted;
  }

  ask(): void {
    this.#isWanted = true;
    this.#wake();
  }

  fulfil(): void {
    this.#isWanted = false;
  }

  /** Resolves when a content is to be built, or never will be. */
  asked(until: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#isWanted || until.aborted) resolve();
      until.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

/** From the start of a projector of what readers see until it is stopped. */
interface Round {
  readonly live: Projector;
  /** The live projector has ended by itself. */
  readonly over: AbortSignal;
  /** From here on it is stopped so that another content can take the place. */
  switching: boolean;
}

/** Starts to fold into what nobody reads yet. */
const startBuild = async (
  options: FollowingOptions,
  version: string,
  next: NextGeneration,
  until: AbortSignal,
): Promise<{ readonly built: Projector; readonly progress: () => BuildProgress }> => {
  const { eventStore, readStore, partition, now, onBuild } = options;
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
  return { built, progress: () => progress };
};

/** Whether it is what readers see now. The answer to a success may be lost, and nothing is to be built again for that. */
const takenPlace = async (
  { readStore, fence }: Pick<FollowingOptions, 'readStore' | 'fence'>,
  next: NextGeneration,
): Promise<boolean> => {
  try {
    return (await next.promote(fence)).kind === 'committed';
  } catch (error) {
    const { active } = await readStore.generations();
    if (active.number !== next.generation.number) throw error;
    return true;
  }
};

/** A projection at work: a projector for what readers see, and beside it what is built and what is removed. */
class RebuildingProjection {
  readonly wish = new RebuildWish();
  readonly #options: FollowingOptions;
  readonly #version: string;
  readonly #onCaughtUp: () => void;
  #tidying: Promise<void> | null = null;

  constructor(options: FollowingOptions, onCaughtUp: () => void) {
    this.#options = options;
    this.#version = options.version ?? projectionVersion;
    this.#onCaughtUp = onCaughtUp;
  }

  async run(): Promise<ProjectorEnd> {
    const { readStore, partition, log, signal } = this.#options;
    while (!signal.aborted) {
      try {
        this.wish.wantToo(await due(readStore, partition, this.#version));
      } catch (error) {
        log?.warn({ err: error }, 'The read store does not tell what it holds');
        await this.#pause(retry);
        continue;
      }
      this.#tidying ??= this.#tidy().finally(() => {
        this.#tidying = null;
      });
      const end = await this.#round();
      if (end !== null) return end;
    }
    return 'stopped';
  }

  /** Resolves when nothing is being removed. */
  async tidied(): Promise<void> {
    await this.#tidying;
  }

  /** Resolves once the live projector has ended; null = another content may have taken its place, and another round begins. */
  async #round(): Promise<ProjectorEnd | null> {
    const { signal, onProjector } = this.#options;
    const live = runProjector({ ...this.#options, signal });
    onProjector?.(live);
    live.caughtUp.then(this.#onCaughtUp, () => undefined);
    const over = new AbortController();
    const round: Round = { live, over: AbortSignal.any([signal, over.signal]), switching: false };
    const builds = this.#buildWhenAsked(round);
    const end = await live.ended;
    if (!round.switching) over.abort();
    await builds;
    return round.switching && !signal.aborted ? null : end;
  }

  /** Builds when it is wanted. Resolves once the live projector is stopped: what is read may be another content then. */
  async #buildWhenAsked(round: Round): Promise<void> {
    while (!round.over.aborted && !round.switching) {
      await this.wish.asked(round.over);
      if (round.over.aborted) return;
      try {
        await this.#build(round);
      } catch (error) {
        if (round.over.aborted) return;
        this.#options.log?.warn({ err: error }, 'Building read models anew will be gone on with');
        await this.#pause(retry);
      }
    }
  }

  async #build(round: Round): Promise<void> {
    const { eventStore, readStore, partition, fence, now, log, onBuild } = this.#options;
    const version = this.#version;
    const next = await resumeRebuild({ eventStore, readStore, fence }, version, partition);
    log?.info({ version, number: next.generation.number }, 'Read models are built anew beside those that are read');
    const { built, progress } = await startBuild(this.#options, version, next, round.over);
    try {
      await built.caughtUp;
      await approached(built, round.live);
      round.switching = true;
      await round.live.stop();
      await built.waitFor(round.live.position());
      await built.stop();
      await noteLog({ eventStore, readStore: next }, fence);
      if (!(await takenPlace({ readStore, fence }, next))) return;
      this.wish.fulfil();
      onBuild?.({ ...progress(), position: built.position(), finishedAt: now() });
      log?.info({ version, events: progress().events }, 'Read models were replaced by those built beside them');
    } finally {
      await built.stop();
    }
  }

  async #tidy(): Promise<void> {
    const { readStore, log, signal } = this.#options;
    for (;;) {
      if (signal.aborted) return;
      const done = await readStore.purge().catch((error: unknown) => {
        log?.warn({ err: error }, 'What is read no more could not be removed');
        return null;
      });
      if (done === true) return;
      await this.#pause(done === null ? retry : tidyEvery);
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return delay(milliseconds, undefined, { signal: this.#options.signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Follows the log for what readers see. When that was folded by another version, or when it is asked for, another content is built beside
 * it from the beginning of the log, and takes its place once it has caught up: between the last commit to the one and the first to the
 * other nothing is folded, and everything can be read.
 */
export const projectionRebuild = (options: FollowingOptions): Following => {
  let settle: (() => void) | undefined;
  const caughtUp = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const projection = new RebuildingProjection(options, () => settle?.());
  const ended = projection.run().then(async (end) => {
    await projection.tidied();
    return end;
  });
  return { caughtUp, ended, rebuild: () => projection.wish.ask() };
};
