import { type BackOff, backOff } from '@zakup/async/back-off';
import { unrefDelay } from '@zakup/async/delay';
import { serialQueue } from '@zakup/async/serial-queue';
import type { EventStore, Position } from '@zakup/event-store/event-store';
import { headBook, type SealHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import type { ProjectorLog } from '../run-projector.ts';
import type { SealWitness } from './seal-witness.ts';
import type { SealRefusal } from './last-seal.ts';
import { sealer, type SealerOptions, SealingLeaseLost } from './sealer.ts';

export interface SealingOptions extends Omit<SealerOptions, 'eventStore' | 'after' | 'onRefused' | 'known'> {
  readonly eventStore: Pick<EventStore, 'read' | 'readLicence' | 'subscribe'>;
  /** Where the last seals are kept, too. */
  readonly heads?: readonly SealHeads[];
  /** Stops it, as `stop` does. */
  readonly signal: AbortSignal;
  readonly log?: ProjectorLog;
  /** Notes which licences are not sealed any further, and when the last seal was made (null = not since the start): at the start, and whenever either has changed. */
  readonly note?: (refusals: readonly SealRefusal[], lastSealed: number | null) => Promise<void>;
  /** Waits between two looks for what is due, and before the next attempt after a failure; ends early when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export type SealingEnd = 'stopped' | 'lease_lost' | 'log_closed';

export interface Sealing {
  /** Resolves with the reason once it has ended; never rejects. */
  readonly ended: Promise<SealingEnd>;
  /** Finishes the seal under way; resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** Milliseconds between two looks for what is due, and before the first and the later attempts after a failure. */
const lookEvery = 5_000;
const waits: BackOff = { first: 100, longest: 10_000 };

type Sealer = ReturnType<typeof sealer>;

/** Takes what the log brings, and settles what is due, until it is stopped or a store fails. */
class SealingPass {
  readonly #options: SealingOptions;
  readonly #sealer: Sealer;
  /** Where the log was followed to before. */
  readonly #after: Position;
  readonly #signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #until: AbortSignal;
  readonly #calls = serialQueue();
  /** Up to where it is stored that the log was followed. */
  #noted: Position;
  /** The refusals that were last told. */
  #told: string | null = null;

  constructor(options: SealingOptions, one: Sealer, after: Position, signal: AbortSignal) {
    this.#options = options;
    this.#sealer = one;
    this.#after = after;
    this.#noted = after;
    this.#signal = signal;
    this.#until = AbortSignal.any([signal, this.#stop.signal]);
  }

  /** `onSettled`: called each time that what was due is written. Throws what the stores throw, and `SealingLeaseLost`. */
  async run(onSettled: () => void): Promise<SealingEnd> {
    const [followed, looked] = await Promise.allSettled([
      this.#ending(this.#follow()),
      this.#ending(this.#look(onSettled)),
    ]);
    if (looked.status === 'rejected') throw looked.reason;
    if (followed.status === 'rejected') throw followed.reason;
    return followed.value;
  }

  async #follow(): Promise<SealingEnd> {
    const one = this.#sealer;
    const { eventStore } = this.#options;
    for await (const message of eventStore.subscribe({ after: this.#after, signal: this.#until })) {
      if (message.kind === 'events') await this.#calls.run(async () => one.take(message.events));
      // What became due while nobody sealed is not left to the next look.
      if (message.kind === 'caught_up' || one.isFull()) await this.#calls.run(() => one.settle());
      if (this.#until.aborted) break;
    }
    return this.#signal.aborted ? 'stopped' : 'log_closed';
  }

  async #look(onSettled: () => void): Promise<void> {
    const { wait = unrefDelay } = this.#options;
    while (!this.#until.aborted) {
      await this.#settle();
      onSettled();
      await wait(lookEvery, this.#until);
    }
  }

  /** Whichever of the two ends first ends the other. */
  async #ending<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } finally {
      this.#stop.abort();
    }
  }

  #settle(): Promise<void> {
    const { seals, fence } = this.#options;
    return this.#calls.run(async () => {
      await this.#sealer.settle();
      await this.#tellRefusals();
      const followed = this.#sealer.followed();
      if (followed <= this.#noted) return;
      await seals.follow(followed, fence);
      this.#noted = followed;
    });
  }

  async #tellRefusals(): Promise<void> {
    const refusals = this.#sealer.refusals();
    const lastSealed = this.#sealer.lastSealed();
    const text = JSON.stringify([refusals, lastSealed]);
    if (text === this.#told) return;
    try {
      await this.#options.note?.(refusals, lastSealed);
      this.#told = text;
    } catch (error) {
      // Sealing goes on; it is told with the next look.
      this.#options.log?.warn({ err: error }, 'Which licences are not sealed could not be noted');
    }
  }
}

const beginPass = async (options: SealingOptions, signal: AbortSignal): Promise<SealingPass> => {
  const { seals, key, now, log } = options;
  await seals.addKey({
    fingerprint: key.fingerprint,
    publicKey: key.publicKey,
    since: new Date(now()).toISOString(),
  });
  const after = await seals.followed();
  const known = await headBook(seals, options.heads ?? []);
  const one = sealer({
    ...options,
    known,
    after,
    onRefused: (refused) =>
      log?.error(
        { ...refused },
        'The log or the seals do not hold what the last seal attests: no further seal is made',
      ),
  });
  return new SealingPass(options, one, after, signal);
};

/**
 * Follows the log from where it was followed to, and writes the seals of every licence as they become due. Failures of a store are tried
 * again for ever. It goes on from the last seal and its chain: it never computes again what is sealed.
 */
export const runSealing = (options: SealingOptions): Sealing => {
  const { log, wait = unrefDelay } = options;
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, options.signal]);
  let failures = 0;

  const run = async (): Promise<SealingEnd> => {
    while (!signal.aborted) {
      try {
        const pass = await beginPass(options, signal);
        return await pass.run(() => {
          failures = 0;
        });
      } catch (error) {
        if (error instanceof SealingLeaseLost) {
          log?.error({ err: error }, 'Another process writes the seals');
          return 'lease_lost';
        }
        const milliseconds = backOff(waits, failures);
        failures += 1;
        log?.warn({ err: error, milliseconds }, 'Sealing will try again');
        await wait(milliseconds, signal);
      }
    }
    return 'stopped';
  };
  const ended = run();

  return {
    ended,
    async stop() {
      own.abort();
      await ended;
    },
  };
};

/** What sealing needs beside the log. */
export interface SealingParts {
  readonly seals: SealStore;
  readonly key: SealingOptions['key'];
  readonly random: SealingOptions['random'];
  /** Milliseconds that only go forward. */
  readonly elapsed?: () => number;
  /** Is told of every seal. */
  readonly witness?: SealWitness | undefined;
  /** Called after each attempt to tell the witness. */
  readonly onWitness?: ((isTaken: boolean) => void) | undefined;
  /** Called when somebody else tells the witness from now on. */
  readonly onWitnessOver?: (() => void) | undefined;
  readonly heads?: readonly SealHeads[];
  /** The log as sealing follows it; default: as the projector does. */
  readonly eventStore?: SealingOptions['eventStore'];
}
