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

interface DueLook {
  /** By a clock that only goes forward. */
  readonly at: number;
  /** The position after which it changed. */
  readonly since: Position;
}

/** Licences that changed and were not looked at since; what is due first stands first. */
class DueLooks {
  readonly #due = new Map<string, DueLook>();
  /** Every change up to here was told. */
  #told: Position;
  #wake = (): void => undefined;

  constructor(told: Position) {
    this.#told = told;
  }

  add(licences: Iterable<string>, upTo: Position, at: number): void {
    for (const licenceId of licences)
      if (licenceId !== '' && !this.#due.has(licenceId)) this.#due.set(licenceId, { at, since: this.#told });
    this.#told = Math.max(this.#told, upTo);
    this.#wake();
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves when one is due some time, or the signal has aborted and `wake` was called. */
  someOrOver(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#due.size > 0 || signal.aborted) resolve();
    });
  }

  first(): readonly [string, DueLook] | undefined {
    const [first] = this.#due;
    return first;
  }

  remove(licenceId: string): void {
    this.#due.delete(licenceId);
  }

  /** One that changed meanwhile is due for that, and stays in its place: what is due first stands first. */
  putBack(licenceId: string, { at, since }: DueLook): void {
    this.#due.set(licenceId, { at: this.#due.get(licenceId)?.at ?? at, since });
  }

  /** Every change up to here was compared. */
  comparedTo(): Position {
    let position = this.#told;
    for (const { since } of this.#due.values()) position = Math.min(position, since);
    return position;
  }

  /**
   * As long as the look took; less, down to a quarter of that, where those that wait would be late: when each of them takes as long, it shall
   * be over one and a half `after` from when it is due.
   */
  restAfter(took: number, at: number, after: number): number {
    let spare = took;
    let looks = 0;
    for (const { at: dueAt } of this.#due.values()) {
      looks += 1;
      spare = Math.min(spare, (dueAt + 1.5 * after - at) / looks - took);
    }
    return Math.max(took / 4, spare);
  }
}

/** The look at one licence: compares it with its events, and puts right what differs. */
const licenceLook = (options: SelfCheckOptions): SelfCheck['lookAt'] => {
  const { eventStore, readStore, partition, now, version = projectionVersion, models, notAsSealed, log } = options;
  const checks = licenceChecks({ eventStore, readStore, partition });
  let state = options.before ?? nothingYet;

  /** Those that were put right. */
  const heal = async (licenceId: string, differences: readonly Difference[]): Promise<readonly Difference[]> => {
    const writer = models();
    const reason = (await notAsSealed?.(licenceId)) ?? null;
    if (reason !== null) {
      // The documents may be the last that tell what was: nothing is put right towards a log that was changed.
      log?.error(
        { licenceId, reason },
        'The log does not fit its seals, or these are damaged: the licence is halted, and nothing is changed',
      );
      await writer?.halt(licenceId, reason);
      return [];
    }
    const healed = writer === null ? [] : await checks.heal(writer, licenceId, differences);
    log?.warn({ licenceId, healed: healed.length }, 'Documents were put right');
    return healed;
  };

  return async (licenceId) => {
    const { active } = await readStore.generations();
    const { documents, differences: unlike, position } = await checks.check(licenceId);
    const differences = active.version === version ? unlike : unlike.filter(({ what }) => what === 'damaged');
    let healed: readonly Difference[] = [];
    if (differences.length > 0) {
      log?.error(
        { licenceId, position, count: differences.length, documents: differences.slice(0, toldDocuments) },
        'Stored documents are not what the events say',
      );
      healed = await heal(licenceId, differences);
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
    options.onState(state);
  };
};

/**
 * Looks at each licence a while after it changed: its events are folded apart and compared with every document that is stored. What differs
 * is told and put right. Half of the time is left to others, or down to a fifth where many wait, so that each change is looked at within
 * three times `after`.
 */
export const selfCheck = (options: SelfCheckOptions): SelfCheck => {
  const { signal, after = defaultAfter, onCompared, log } = options;
  const clock = options.clock ?? {
    now: () => performance.now(),
    pause: (milliseconds: number) => delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined),
  };
  const due = new DueLooks(options.comparedTo);
  const lookAt = licenceLook(options);
  signal.addEventListener('abort', () => due.wake(), { once: true });

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await due.someOrOver(signal);
      const first = due.first();
      if (first === undefined) continue;
      const [licenceId, { at, since }] = first;
      await clock.pause(Math.max(0, at - clock.now()));
      if (signal.aborted) return;
      due.remove(licenceId);
      const began = clock.now();
      try {
        await lookAt(licenceId);
        onCompared(due.comparedTo());
      } catch (error) {
        log?.warn({ err: error, licenceId }, 'A licence could not be checked and will be looked at again');
        due.putBack(licenceId, { at: clock.now() + after, since });
      }
      const took = clock.now() - began;
      await clock.pause(due.restAfter(took, clock.now(), after));
    }
  };

  return {
    changed: (licences, upTo) => due.add(licences, upTo, clock.now() + after),
    lookAt,
    ended: run(),
  };
};
