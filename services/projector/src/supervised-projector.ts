import { setTimeout as delay } from 'node:timers/promises';
import {
  type ComparedNotice,
  noticeNames,
  type RebuildNotice,
  type RebuildRequest,
  type SelfCheckNotice,
} from '@zakup/contracts/notices';
import type { Position } from '@zakup/event-store/event-store';
import type { JsonObject } from '@zakup/read-store/read-store';
import { type BuildProgress, type Following, type FollowingOptions, projectionRebuild } from './projection-rebuild.ts';
import { watchDamage } from './damage-watch.ts';
import type { Projector } from './run-projector.ts';
import { selfCheck } from './self-check.ts';

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

/**
 * Follows the log as `projectionRebuild`, and looks after what it writes: compares each licence that changed with its events, puts right what
 * differs, builds everything anew when a notice asks for it, and notes what it does.
 */
export const supervisedProjector = ({
  checkAfter,
  onChecked,
  notAsSealed,
  ...options
}: SupervisedProjectorOptions): Following => {
  const { eventStore, readStore, partition, now, log } = options;
  const leaving = new AbortController();
  const signal = AbortSignal.any([options.signal, leaving.signal]);
  let live: Projector | null = null;
  let request: string | null = null;
  let noted = Number.NEGATIVE_INFINITY;
  let notes: Promise<unknown> = Promise.resolve();

  const pause = (): Promise<void> => delay(noteEvery, undefined, { signal, ref: false }).catch(() => undefined);

  /** In their order, one at a time; one that fails is made up for by the next. */
  const note = (name: string, data: object): void => {
    notes = notes.then(() =>
      readStore.note(name, data as JsonObject).catch((error: unknown) => {
        log?.warn({ err: error, name }, 'What was done could not be noted');
      }),
    );
  };

  const noteBuild = (progress: BuildProgress): void => {
    const at = performance.now();
    const isStep = progress.finishedAt === null && progress.events > 0;
    if (isStep && at - noted < noteEvery) return;
    noted = at;
    note(noticeNames.rebuild, { ...progress, request } satisfies RebuildNotice);
  };

  const noteCheck = (state: SelfCheckNotice, before: SelfCheckNotice | null): void => {
    note(noticeNames.selfCheck, state);
    onChecked?.({
      differences: state.differences - (before?.differences ?? 0),
      healed: state.healed - (before?.healed ?? 0),
    });
  };

  /** What earlier checks came to; up to where they compared, and up to where was folded then. */
  const remembered = async () => {
    const [before, compared, checkpoint] = await Promise.all([
      readStore.notice(noticeNames.selfCheck) as Promise<SelfCheckNotice | null>,
      readStore.notice(noticeNames.compared) as Promise<ComparedNotice | null>,
      readStore.checkpoint(partition),
    ]);
    const folded = checkpoint?.position ?? 0;
    if (compared === null) note(noticeNames.compared, { position: folded } satisfies ComparedNotice);
    // A checkpoint that was put back: what was compared beyond it says nothing.
    return { before, comparedTo: Math.min(compared?.position ?? folded, folded), folded };
  };

  const untilItSucceeds = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
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

  const begun = untilItSucceeds(remembered).then((known) => {
    const { before, comparedTo, folded } = known ?? { before: null, comparedTo: 0, folded: 0 };
    let last = before;
    const check = selfCheck({
      eventStore,
      readStore,
      partition,
      signal,
      now,
      before,
      comparedTo,
      log,
      notAsSealed,
      models: () => live,
      onState(state) {
        noteCheck(state, last);
        last = state;
      },
      onCompared: (position) => note(noticeNames.compared, { position } satisfies ComparedNotice),
      ...(checkAfter === undefined ? {} : { after: checkAfter }),
      ...(options.version === undefined ? {} : { version: options.version }),
    });
    return { check, comparedTo, folded };
  });

  /** Whose events are after a position, up to another one. */
  const changedBetween = async (after: Position, to: Position): Promise<ReadonlySet<string>> => {
    const licences = new Set<string>();
    if (after >= to) return licences;
    const { partitions } = options;
    const range = { after, signal, ...(partitions === undefined ? {} : { partitions }) };
    for await (const message of eventStore.subscribe(range)) {
      if (message.kind === 'caught_up') break;
      for (const { metadata } of message.events) licences.add(metadata.licenceId);
      if ((message.events.at(-1)?.position ?? to) >= to) break;
    }
    return licences;
  };

  /** Changed before what readers see had caught up; null = it has. Comparing them then would hold up those who wait for it. */
  let early: { readonly licences: Set<string>; upTo: Position } | null = { licences: new Set(), upTo: 0 };
  const changed = (licences: ReadonlySet<string>, upTo: Position): void =>
    void begun.then(({ check }) => check.changed(licences, upTo));

  const following = projectionRebuild({
    ...options,
    staysHalted: notAsSealed,
    onBatch(figures) {
      options.onBatch?.(figures);
      if (early === null) changed(figures.licences, figures.position);
      else {
        for (const licenceId of figures.licences) early.licences.add(licenceId);
        early.upTo = figures.position;
      }
    },
    onDamaged: async (licenceId) => (await begun).check.lookAt(licenceId),
    onProjector(projector) {
      live = projector;
    },
    onBuild: noteBuild,
  });

  const lookFromNowOn = async (): Promise<void> => {
    await following.caughtUp;
    const { comparedTo, folded } = await begun;
    // Of those before, whoever folded it ended too early to compare it.
    const missed = await untilItSucceeds(() => changedBetween(comparedTo, folded));
    if (missed !== null) changed(missed, folded);
    if (early !== null) changed(early.licences, early.upTo);
    early = null;
  };
  void lookFromNowOn();

  const requests = async (): Promise<void> => {
    let handled: string | null | undefined;
    while (!signal.aborted) {
      try {
        handled ??= ((await readStore.notice(noticeNames.rebuild)) as RebuildNotice | null)?.request ?? null;
        const asked = (await readStore.notice(noticeNames.rebuildRequest)) as RebuildRequest | null;
        if (asked !== null && asked.id !== handled) {
          [handled, request] = [asked.id, asked.id];
          following.rebuild();
        }
      } catch (error) {
        log?.warn({ err: error }, 'Whether a rebuild is asked for could not be seen');
      }
      await pause();
    }
  };
  const damages = async (): Promise<void> => {
    const { check } = await begun;
    await watchDamage({ eventStore, readStore, lookAt: (licenceId) => check.lookAt(licenceId), signal, pause, log });
  };
  const watching = Promise.all([requests(), damages()]);

  return {
    ...following,
    ended: following.ended.then(async (end) => {
      leaving.abort();
      await Promise.all([watching, begun.then(({ check }) => check.ended)]);
      await notes;
      return end;
    }),
  };
};
