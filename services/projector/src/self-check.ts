import { setTimeout as delay } from 'node:timers/promises';
import type { SelfCheckNotice } from '@zakup/contracts/notices';
import type { EventStore, Position } from '@zakup/event-store/event-store';
import { type Difference, licenceChecks } from '@zakup/projections/licence-check';
import type { ProjectionRunner } from '@zakup/projections/projection-runner';
import { projectionVersion } from '@zakup/projections/version';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { ProjectorLog } from './run-projector.ts';

export interface SelfCheckOptions {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly partition: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** Milliseconds from a change of a licence until it is looked at, and least between two looks at it; default 20,000. */
  readonly after?: number;
  /** Milliseconds that only go forward, and a wait of so many that ends early with the signal; default: the process's own. */
  readonly clock?: { readonly now: () => number; readonly pause: (milliseconds: number) => Promise<void> };
  /** Of the projections that fold here. What was folded by another one says other things by right: of it only damage is put right. */
  readonly version?: string;
  /** Who writes the read models now; null = nobody, and nothing is put right. */
  readonly models: () => Pick<ProjectionRunner, 'repair' | 'halt'> | null;
  /** Why the log is not what was sealed of the licence, null = it is. Asked before anything is put right; default: it is. */
  readonly notAsSealed?: ((licenceId: string) => Promise<string | null>) | undefined;
  /** What earlier checks came to. */
  readonly before: SelfCheckNotice | null;
  readonly onState: (state: SelfCheckNotice) => void;
  /** Every change up to here was compared before. */
  readonly comparedTo: Position;
  /** Called after each look with how far every change has been compared now. */
  readonly onCompared: (position: Position) => void;
  readonly log?: ProjectorLog | undefined;
}

export interface SelfCheck {
  /** These licences, and no others since it was last told, changed up to the position: they are looked at within the time. */
  changed(licences: Iterable<string>, upTo: Position): void;
  /** Looks at one now and puts it right. Rejects with what the stores throw. */
  lookAt(licenceId: string): Promise<void>;
  /** Resolves when nothing runs any more, after the signal has aborted. */
  readonly ended: Promise<void>;
}

const defaultAfter = 20_000;
const toldDamages = 20;
const toldDocuments = 50;

const nothingYet: SelfCheckNotice = { at: 0, licences: 0, documents: 0, differences: 0, healed: 0, found: [] };

/**
 * Looks at each licence a while after it changed: its events are folded apart and compared with every document that is stored. What differs
 * is told and put right. Half of the time is left to others, or down to a fifth where many wait, so that each change is looked at within
 * three times `after`.
 */
export const selfCheck = (options: SelfCheckOptions): SelfCheck => {
  const {
    eventStore,
    readStore,
    partition,
    signal,
    now,
    after = defaultAfter,
    version = projectionVersion,
    models,
    notAsSealed,
    onState,
    onCompared,
    log,
  } = options;
  const clock = options.clock ?? {
    now: () => performance.now(),
    pause: (milliseconds: number) => delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined),
  };
  const checks = licenceChecks({ eventStore, readStore, partition });
  /** When each is due, by a clock that only goes forward, rising; and after which position it changed. */
  const due = new Map<string, { readonly at: number; readonly since: Position }>();
  let told = options.comparedTo;
  let state = options.before ?? nothingYet;
  let wake = (): void => undefined;

  const lookAt = async (licenceId: string): Promise<void> => {
    const { active } = await readStore.generations();
    const { documents, differences: unlike, position } = await checks.check(licenceId);
    const differences = active.version === version ? unlike : unlike.filter(({ what }) => what === 'damaged');
    let healed: readonly Difference[] = [];
    if (differences.length > 0) {
      log?.error(
        { licenceId, position, count: differences.length, documents: differences.slice(0, toldDocuments) },
        'Stored documents are not what the events say',
      );
      const writer = models();
      const reason = (await notAsSealed?.(licenceId)) ?? null;
      if (reason !== null) {
        // The documents may be the last that tell what was: nothing is put right towards a log that was changed.
        log?.error(
          { licenceId, reason },
          'The log is not what was sealed: the licence is halted, and nothing is changed',
        );
        await writer?.halt(licenceId, reason);
      } else {
        if (writer !== null) healed = await checks.heal(writer, licenceId, differences);
        log?.warn({ licenceId, healed: healed.length }, 'Documents were put right');
      }
    }
    const found = {
      at: now(),
      licenceId,
      documents: differences.slice(0, toldDocuments),
      healed: healed.length,
    };
    state = {
      at: found.at,
      licences: state.licences + 1,
      documents: state.documents + documents,
      differences: state.differences + differences.length,
      healed: state.healed + healed.length,
      found: differences.length === 0 ? state.found : [found, ...state.found].slice(0, toldDamages),
    };
    onState(state);
  };

  signal.addEventListener('abort', () => wake(), { once: true });
  const changedOrOver = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      if (due.size > 0 || signal.aborted) resolve();
    });

  /**
   * As long as the look took; less, down to a quarter of that, where those that wait would be late: when each of them takes as long, it shall
   * be over one and a half `after` from when it is due.
   */
  const restAfter = (took: number): number => {
    const at = clock.now();
    let spare = took;
    let looks = 0;
    for (const { at: dueAt } of due.values()) {
      looks += 1;
      spare = Math.min(spare, (dueAt + 1.5 * after - at) / looks - took);
    }
    return Math.max(took / 4, spare);
  };

  const comparedTo = (): Position => {
    let position = told;
    for (const { since } of due.values()) position = Math.min(position, since);
    return position;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await changedOrOver();
      const [first] = due;
      if (first === undefined) continue;
      const [licenceId, { at, since }] = first;
      await clock.pause(Math.max(0, at - clock.now()));
      if (signal.aborted) return;
      due.delete(licenceId);
      const began = clock.now();
      try {
        await lookAt(licenceId);
        onCompared(comparedTo());
      } catch (error) {
        log?.warn({ err: error, licenceId }, 'A licence could not be checked and will be looked at again');
        // One that changed meanwhile is due for that, and stays in its place: what is due first stands first.
        due.set(licenceId, { at: due.get(licenceId)?.at ?? clock.now() + after, since });
      }
      await clock.pause(restAfter(clock.now() - began));
    }
  };

  return {
    changed(licences, upTo) {
      const at = clock.now() + after;
      for (const licenceId of licences)
        if (licenceId !== '' && !due.has(licenceId)) due.set(licenceId, { at, since: told });
      told = Math.max(told, upTo);
      wake();
    },
    lookAt,
    ended: run(),
  };
};
