import { setTimeout as delay } from 'node:timers/promises';
import { noticeNames, type RebuildNotice, type RebuildRequest, type SelfCheckNotice } from '@zakup/contracts/notices';
import type { JsonObject } from '@zakup/read-store/read-store';
import { type BuildProgress, type Following, type FollowingOptions, followingContent } from './following-content.ts';
import type { Projector } from './run-projector.ts';
import { selfCheck } from './self-check.ts';

export interface LookedAfterOptions extends Omit<FollowingOptions, 'onDamaged' | 'onProjector' | 'onBuild'> {
  /** Milliseconds from a change of a licence until it is compared with its events; default 20,000. */
  readonly checkAfter?: number;
  /** Called after each comparison. */
  readonly onChecked?: (checked: { readonly differences: number; readonly healed: number }) => void;
}

/** Milliseconds between two notes of a progress, and between two looks for a request. */
const noteEvery = 1_000;

/**
 * Follows the log as `followingContent`, and looks after what it writes: compares each licence that changed with its events, puts right what
 * differs, builds everything anew when a notice asks for it, and notes what it does.
 */
export const lookedAfter = ({ checkAfter, onChecked, ...options }: LookedAfterOptions): Following => {
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

  const begun = (async () => {
    try {
      return (await readStore.notice(noticeNames.selfCheck)) as SelfCheckNotice | null;
    } catch {
      return null;
    }
  })().then((before) => {
    let last = before;
    return selfCheck({
      eventStore,
      readStore,
      partition,
      signal,
      now,
      before,
      log,
      models: () => live,
      onState(state) {
        noteCheck(state, last);
        last = state;
      },
      ...(checkAfter === undefined ? {} : { after: checkAfter }),
    });
  });

  /** Changed before what readers see had caught up; null = it has. Comparing them then would hold up those who wait for it. */
  let early: Set<string> | null = new Set();
  const changed = (licences: ReadonlySet<string>): void => void begun.then((check) => check.changed(licences));

  const following = followingContent({
    ...options,
    onBatch(figures) {
      options.onBatch?.(figures);
      if (early === null) changed(figures.licences);
      else for (const licenceId of figures.licences) early.add(licenceId);
    },
    onDamaged: async (licenceId) => (await begun).lookAt(licenceId),
    onProjector(projector) {
      live = projector;
    },
    onBuild: noteBuild,
  });

  const lookFromNowOn = async (): Promise<void> => {
    await following.caughtUp;
    if (early !== null) changed(early);
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
  const watching = requests();

  return {
    ...following,
    ended: following.ended.then(async (end) => {
      leaving.abort();
      await Promise.all([watching, begun.then((check) => check.ended)]);
      await notes;
      return end;
    }),
  };
};
