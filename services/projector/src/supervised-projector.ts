import { setTimeout as delay } from 'node:timers/promises';
import {
  type ComparedNotice,
  type LagNotice,
  noticeNames,
  type RebuildNotice,
  type RebuildRequest,
  type SelfCheckNotice,
} from '@zakup/contracts/notices';
import type { Position } from '@zakup/event-store/event-store';
import type { JsonObject, ReadStore } from '@zakup/read-store/read-store';
import { type BuildProgress, type Following, type FollowingOptions, projectionRebuild } from './projection-rebuild.ts';
import { watchDamage } from './damage-watch.ts';
import { LagHistory } from './lag-history.ts';
import type { BatchFigures, Projector } from './run-projector.ts';
import { type SelfCheck, type SelfCheckOptions, selfCheck } from './self-check.ts';

export interface SupervisedProjectorOptions extends Omit<FollowingOptions, 'onDamaged' | 'onProjector' | 'onBuild'> {
  /** Milliseconds from a change of a licence until it is compared with its events; default 20,000. */
  readonly checkAfter?: number;
  /** As `SelfCheckOptions.notAsSealed`. */
  readonly notAsSealed?: ((licenceId: string) => Promise<string | null>) | undefined;
  /** Called after each comparison. */
  readonly onChecked?: (checked: { readonly differences: number; readonly healed: number }) => void;
}

/** Milliseconds between two notes of a progress, and between two looks for a request. */
const noteEvery = 1_000;

type Log = SupervisedProjectorOptions['log'];

/** Notes what is done, in its order, one note at a time; one that fails is made up for by the next. */
class Notebook {
  readonly #readStore: Pick<ReadStore, 'note'>;
  readonly #log: Log;
  readonly #onChecked: SupervisedProjectorOptions['onChecked'];
  #notes: Promise<unknown> = Promise.resolve();
  /** The rebuild that was asked for. */
  #request: string | null = null;
  /** When a build was last noted. */
  #noted = Number.NEGATIVE_INFINITY;

  constructor({ readStore, log, onChecked }: Pick<SupervisedProjectorOptions, 'readStore' | 'log' | 'onChecked'>) {
    this.#readStore = readStore;
    this.#log = log;
    this.#onChecked = onChecked;
  }

  buildAsked(request: string): void {
    this.#request = request;
  }

  build(progress: BuildProgress): void {
    const at = performance.now();
    const isStep = progress.finishedAt === null && progress.events > 0;
    if (isStep && at - this.#noted < noteEvery) return;
    this.#noted = at;
    this.#note(noticeNames.rebuild, { ...progress, request: this.#request } satisfies RebuildNotice);
  }

  check(state: SelfCheckNotice, before: SelfCheckNotice | null): void {
    this.#note(noticeNames.selfCheck, state);
    this.#onChecked?.({
      differences: state.differences - (before?.differences ?? 0),
      healed: state.healed - (before?.healed ?? 0),
    });
  }

  compared(position: Position): void {
    this.#note(noticeNames.compared, { position } satisfies ComparedNotice);
  }

  /** Resolves when what was to be noted so far is. */
  async written(): Promise<void> {
    await this.#notes;
  }

  #note(name: string, data: object): void {
    this.#notes = this.#notes.then(() =>
      this.#readStore.note(name, data as JsonObject).catch((error: unknown) => {
        this.#log?.warn({ err: error, name }, 'What was done could not be noted');
      }),
    );
  }
}

/** What earlier checks came to. */
interface EarlierChecks {
  readonly before: SelfCheckNotice | null;
  /** Up to here was compared. */
  readonly comparedTo: Position;
  /** Up to here was folded then. */
  readonly folded: Position;
}

const nothingKnown: EarlierChecks = { before: null, comparedTo: 0, folded: 0 };

const earlierChecks = async (
  { readStore, partition }: SupervisedProjectorOptions,
  notebook: Notebook,
): Promise<EarlierChecks> => {
  const [before, compared, checkpoint] = await Promise.all([
    readStore.notice(noticeNames.selfCheck) as Promise<SelfCheckNotice | null>,
    readStore.notice(noticeNames.compared) as Promise<ComparedNotice | null>,
    readStore.checkpoint(partition),
  ]);
  const folded = checkpoint?.position ?? 0;
  if (compared === null) notebook.compared(folded);
  // A checkpoint that was put back: what was compared beyond it says nothing.
  return { before, comparedTo: Math.min(compared?.position ?? folded, folded), folded };
};

/** Whose events are after a position, up to another one. */
const changedBetween = async (
  { eventStore, partitions }: SupervisedProjectorOptions,
  signal: AbortSignal,
  after: Position,
  to: Position,
): Promise<ReadonlySet<string>> => {
  const licences = new Set<string>();
  if (after >= to) return licences;
  const range = { after, signal, ...(partitions === undefined ? {} : { partitions }) };
  for await (const message of eventStore.subscribe(range)) {
    if (message.kind === 'caught_up') break;
    for (const { metadata } of message.events) licences.add(metadata.licenceId);
    if ((message.events.at(-1)?.position ?? to) >= to) break;
  }
  return licences;
};

type Retrying = <Result>(work: () => Promise<Result>) => Promise<Result | null>;

/** Does the work again until it succeeds; null = the signal aborted before. */
const untilItSucceeds =
  (signal: AbortSignal, pause: () => Promise<void>, log: Log): Retrying =>
  async (work) => {
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        log?.warn({ err: error }, 'What is left to compare could not be read yet');
        await pause();
      }
    }
    return null;
  };

/** Compares what changes from now on, and notes what comes of it. */
const notedCheck = (
  options: SupervisedProjectorOptions,
  { before, comparedTo }: EarlierChecks,
  { notebook, signal, models }: { readonly notebook: Notebook } & Pick<SelfCheckOptions, 'signal' | 'models'>,
): SelfCheck => {
  const { eventStore, readStore, partition, now, log, notAsSealed, checkAfter, version } = options;
  let last = before;
  return selfCheck({
    eventStore,
    readStore,
    partition,
    signal,
    now,
    before,
    comparedTo,
    log,
    notAsSealed,
    models,
    onState(state) {
      notebook.check(state, last);
      last = state;
    },
    onCompared: (position) => notebook.compared(position),
    ...(checkAfter === undefined ? {} : { after: checkAfter }),
    ...(version === undefined ? {} : { version }),
  });
};

/** Tells the check of what changed, from when readers' models have caught up: comparing before would hold up those who wait for them. */
class ChangesToCheck {
  readonly #begun: Promise<{ readonly check: SelfCheck } & EarlierChecks>;
  /** Changed before what readers see had caught up; null = it has. */
  #early: { readonly licences: Set<string>; upTo: Position } | null = { licences: new Set(), upTo: 0 };

  constructor(begun: Promise<{ readonly check: SelfCheck } & EarlierChecks>) {
    this.#begun = begun;
  }

  add({ licences, position }: Pick<BatchFigures, 'licences' | 'position'>): void {
    if (this.#early === null) this.#changed(licences, position);
    else {
      for (const licenceId of licences) this.#early.licences.add(licenceId);
      this.#early.upTo = position;
    }
  }

  /** `between`: whose events are after a position, up to another one; null = nobody will know. */
  async checkFromNowOn(between: (after: Position, to: Position) => Promise<ReadonlySet<string> | null>): Promise<void> {
    const { comparedTo, folded } = await this.#begun;
    // Of those before, whoever folded it ended too early to compare it.
    const missed = await between(comparedTo, folded);
    if (missed !== null) this.#changed(missed, folded);
    if (this.#early !== null) this.#changed(this.#early.licences, this.#early.upTo);
    this.#early = null;
  }

  #changed(licences: ReadonlySet<string>, upTo: Position): void {
    void this.#begun.then(({ check }) => check.changed(licences, upTo));
  }
}

/** Milliseconds between two looks at whether the last hour is to be noted anew. */
const noteLagEvery = 5_000;

/** Notes the last hour of projecting: soon after something was projected, and once a minute in which nothing was. */
const noteLag = async (
  { readStore, log }: SupervisedProjectorOptions,
  history: LagHistory,
  signal: AbortSignal,
): Promise<void> => {
  const note = async (): Promise<void> => {
    const notice = history.toNote();
    if (notice === null) return;
    try {
      await readStore.note(noticeNames.lag, notice as unknown as JsonObject);
    } catch (error) {
      history.notNoted();
      log?.warn({ err: error }, 'The last hour of projecting could not be noted');
    }
  };
  const before = await readStore.notice(noticeNames.lag).catch(() => null);
  history.goOnFrom(before as LagNotice | null);
  while (!signal.aborted) {
    await delay(noteLagEvery, undefined, { signal, ref: false }).catch(() => undefined);
    await note();
  }
};

/** Looks for requests of a rebuild, and asks for each once. */
const watchRequests = async (
  { readStore, log }: SupervisedProjectorOptions,
  signal: AbortSignal,
  pause: () => Promise<void>,
  rebuild: (request: string) => void,
): Promise<void> => {
  let handled: string | null | undefined;
  while (!signal.aborted) {
    try {
      handled ??= ((await readStore.notice(noticeNames.rebuild)) as RebuildNotice | null)?.request ?? null;
      const asked = (await readStore.notice(noticeNames.rebuildRequest)) as RebuildRequest | null;
      if (asked !== null && asked.id !== handled) {
        handled = asked.id;
        rebuild(asked.id);
      }
    } catch (error) {
      log?.warn({ err: error }, 'Whether a rebuild is asked for could not be seen');
    }
    await pause();
  }
};

/**
 * Follows the log as `projectionRebuild`, and looks after what it writes: compares each licence that changed with its events, puts right what
 * differs, builds everything anew when a notice asks for it, and notes what it does.
 */
export const supervisedProjector = (supervised: SupervisedProjectorOptions): Following => {
  const { checkAfter: _after, onChecked: _checked, notAsSealed, ...options } = supervised;
  const { eventStore, readStore, log } = options;
  const leaving = new AbortController();
  const signal = AbortSignal.any([options.signal, leaving.signal]);
  const notebook = new Notebook(supervised);
  let live: Projector | null = null;

  const pause = (): Promise<void> => delay(noteEvery, undefined, { signal, ref: false }).catch(() => undefined);
  const retrying = untilItSucceeds(signal, pause, log);
  const begun = retrying(() => earlierChecks(options, notebook)).then((known) => {
    const earlier = known ?? nothingKnown;
    return { check: notedCheck(supervised, earlier, { notebook, signal, models: () => live }), ...earlier };
  });

  const changes = new ChangesToCheck(begun);
  const history = new LagHistory(options.now);
  const following = projectionRebuild({
    ...options,
    staysHalted: notAsSealed,
    onBatch(figures) {
      options.onBatch?.(figures);
      history.add(figures);
      changes.add(figures);
    },
    onDamaged: async (licenceId) => (await begun).check.lookAt(licenceId),
    onProjector(projector) {
      live = projector;
    },
    onBuild: (progress) => notebook.build(progress),
  });
  void following.caughtUp.then(() =>
    changes.checkFromNowOn((after, to) => retrying(() => changedBetween(options, signal, after, to))),
  );

  const damages = async (): Promise<void> => {
    const { check } = await begun;
    await watchDamage({ eventStore, readStore, lookAt: (licenceId) => check.lookAt(licenceId), signal, pause, log });
  };
  const requests = watchRequests(options, signal, pause, (request) => {
    notebook.buildAsked(request);
    following.rebuild();
  });
  const watching = Promise.all([requests, damages(), noteLag(options, history, signal)]);

  return {
    ...following,
    ended: following.ended.then(async (end) => {
      leaving.abort();
      await Promise.all([watching, begun.then(({ check }) => check.ended)]);
      await notebook.written();
      return end;
    }),
  };
};
