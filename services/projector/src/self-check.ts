import { setTimeout as delay } from 'node:timers/promises';
import type { SelfCheckNotice } from '@zakup/contracts/notices';
import type { EventStore } from '@zakup/event-store/event-store';
import { type Difference, licenceChecks } from '@zakup/projections/licence-check';
import type { Projection } from '@zakup/projections/projection';
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
  /** Who writes the read models now; null = nobody, and nothing is put right. */
  readonly models: () => Pick<Projection, 'repair'> | null;
  /** What earlier checks came to. */
  readonly before: SelfCheckNotice | null;
  readonly onState: (state: SelfCheckNotice) => void;
  readonly log?: ProjectorLog | undefined;
}

export interface SelfCheck {
  /** These licences are looked at within the time. */
  changed(licences: Iterable<string>): void;
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
 * is told and put right. Half of the time is left to others at least.
 */
export const selfCheck = (options: SelfCheckOptions): SelfCheck => {
  const { eventStore, readStore, partition, signal, now, after = defaultAfter, models, onState, log } = options;
  const checks = licenceChecks({ eventStore, readStore, partition });
  /** When each is due, by a clock that only goes forward; rising. */
  const due = new Map<string, number>();
  let state = options.before ?? nothingYet;
  let wake = (): void => undefined;

  const lookAt = async (licenceId: string): Promise<void> => {
    const { documents, differences, position } = await checks.check(licenceId);
    let healed: readonly Difference[] = [];
    if (differences.length > 0) {
      log?.error(
        { licenceId, position, count: differences.length, documents: differences.slice(0, toldDocuments) },
        'Stored documents are not what the events say',
      );
      const writer = models();
      if (writer !== null) healed = await checks.heal(writer, licenceId, differences);
      log?.warn({ licenceId, healed: healed.length }, 'Documents were put right');
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

  const pause = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);

  const changedOrOver = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      if (due.size > 0 || signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await changedOrOver();
      const [first] = due;
      if (first === undefined) continue;
      const [licenceId, at] = first;
      await pause(Math.max(0, at - performance.now()));
      if (signal.aborted) return;
      due.delete(licenceId);
      const began = performance.now();
      try {
        await lookAt(licenceId);
      } catch (error) {
        log?.warn({ err: error, licenceId }, 'A licence could not be checked and will be looked at again');
        due.set(licenceId, performance.now() + after);
      }
      await pause(performance.now() - began);
    }
  };

  return {
    changed(licences) {
      const at = performance.now() + after;
      for (const licenceId of licences) if (licenceId !== '' && !due.has(licenceId)) due.set(licenceId, at);
      wake();
    },
    lookAt,
    ended: run(),
  };
};
