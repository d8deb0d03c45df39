import { unrefDelay } from '@zakup/async/delay';
import { noticeNames, type WitnessNotice } from '@zakup/contracts/notices';
import type { Lease, Leases } from '@zakup/read-store/leases';
import { noteLog } from '@zakup/service-kit/stores/log-identity';
import { checkLicence } from '@zakup/seals/check-licence';
import { checkpointHeads } from '@zakup/service-kit/stores/kept-heads';
import { witnessing } from './sealing/seal-witness.ts';
import type { SealRefusal } from './sealing/last-seal.ts';
import { sealingNotes } from './sealing/sealing-notes.ts';
import { witnessWatch } from './sealing/witness-watch.ts';
import { runSealing, type Sealing, type SealingParts } from './sealing/run-sealing.ts';
import type { Following } from './projection-rebuild.ts';
import { type SupervisedProjectorOptions, supervisedProjector } from './supervised-projector.ts';
import { type ProjectorEnd, ProjectorEnded, type ProjectorLog } from './run-projector.ts';

/** Name of the lease under which the whole log is projected. */
export const projectorLease = 'projector/all';

/** Milliseconds without a renewal after which another copy may take over: as long nobody projects after a crash. */
export const projectorLeaseTtl = 5_000;

export interface LeasedProjectorOptions extends Omit<SupervisedProjectorOptions, 'fence' | 'signal' | 'log'> {
  readonly leases: Leases;
  /** With it, who leads also writes the seals of the signed history. */
  readonly sealing?: SealingParts;
  /** The log was found not to be what was sealed of a licence. */
  readonly onDoubted?: (licenceId: string) => void;
  /** Called with the licences that `doubted` names, each time that they are others. */
  readonly onDoubts?: (licences: readonly string[]) => void;
  readonly log?: ProjectorLog & { readonly info: ProjectorLog['warn'] };
}

export interface LeasedProjector {
  /** `leading`: holds the lease and projects; `standby`: waits for it. */
  role(): 'leading' | 'standby';
  /** Licences whose log is not what was sealed; they stand still. */
  doubted(): readonly string[];
  /** Whether the witness of the seals did not take what it was told last. */
  witnessFails(): boolean;
  /** Resolves when it leads and has caught up for the first time; rejects with `ProjectorEnded` when it is stopped before. */
  readonly caughtUp: Promise<void>;
  /** Builds the read models anew beside those that are read: now where it leads, else when it does. */
  rebuild(): void;
  /** Finishes the commit under way, then lets the lease go; resolves when nothing runs any more. */
  stop(): Promise<void>;
}

type ProjectingOptions = Omit<LeasedProjectorOptions, 'leases'>;

/** What a licence's log is compared with, and the licences whose log was not that: they are sealed no further. */
class SealDoubts {
  readonly #refusals = new Map<string, SealRefusal>();
  readonly #options: Pick<ProjectingOptions, 'eventStore' | 'onDoubted' | 'onDoubts'>;

  constructor(options: Pick<ProjectingOptions, 'eventStore' | 'onDoubted' | 'onDoubts'>) {
    this.#options = options;
  }

  licences(): readonly string[] {
    return [...this.#refusals.keys()];
  }

  of(licenceId: string): SealRefusal | null {
    return this.#refusals.get(licenceId) ?? null;
  }

  clear(): void {
    if (this.#refusals.size === 0) return;
    this.#refusals.clear();
    this.#options.onDoubts?.([]);
  }

  /** Compares a licence's log with what is sealed of it; a difference stops sealing as well. */
  async notAsSealed({ seals }: SealingParts, licenceId: string): Promise<string | null> {
    const { eventStore, onDoubted, onDoubts } = this.#options;
    const check = await checkLicence({ eventStore, seals, keys: await seals.keys() }, licenceId);
    if (check.fault === null) {
      if (this.#refusals.delete(licenceId)) this.#options.onDoubts?.(this.licences());
      return null;
    }
    const { kind, seal: number, from, to } = check.fault;
    const isDamaged = kind === 'unreadable' || kind === 'unsalted';
    const [sealed] = isDamaged ? [] : await seals.read(licenceId, { after: number - 1, limit: 1 });
    const position = isDamaged ? await seals.reached() : (sealed?.position ?? 0);
    const isNew = !this.#refusals.has(licenceId);
    this.#refusals.set(licenceId, { licenceId, number, position });
    if (isNew) {
      onDoubted?.(licenceId);
      onDoubts?.(this.licences());
    }
    if (kind === 'unreadable') return `повреждена печать № ${number}: не сверить событий с № ${from}`;
    if (kind === 'unsalted') return `соль печатей пропала или повреждена: не сверить событий с № ${from}`;
    return `журнал не тот, что запечатан: события № ${from}–${to}, печать № ${number}`;
  }
}

/** A log that was empty has something to be known by after its first batch: it is noted again and again until it was. */
const logNoter = (options: ProjectingOptions, fence: number) => {
  let noting: Promise<boolean> | null = null;
  return {
    note: async (): Promise<void> => {
      noting ??= noteLog(options, fence).catch(() => false);
      if (!(await noting)) noting = null;
    },
    /** The attempt under way, or the one that succeeded. */
    attempt: () => noting,
  };
};

/** Writes the seals under the lease, and tells the witness of them. */
const sealUnderLease = (
  options: ProjectingOptions,
  sealing: SealingParts,
  {
    fence,
    signal,
    doubts,
    onWitness,
  }: {
    readonly fence: number;
    readonly signal: AbortSignal;
    readonly doubts: SealDoubts;
    readonly onWitness: (isTaken: boolean) => void;
  },
): { readonly seals: Sealing; readonly telling: Promise<void> | undefined } => {
  const { log, readStore } = options;
  const justSealed = new Set<string>();
  const seals = runSealing({
    ...sealing,
    ...(log && { log }),
    onSealed: ({ seal }) => justSealed.add(seal.licenceId),
    doubtOf: (licenceId) => doubts.of(licenceId),
    eventStore: sealing.eventStore ?? options.eventStore,
    now: options.now,
    fence,
    signal,
    note: sealingNotes({ readStore, seals: sealing.seals, now: options.now }),
  });
  const telling =
    sealing.witness &&
    witnessing({
      seals: sealing.seals,
      witness: sealing.witness,
      told: checkpointHeads(readStore, '', 'seal_witness'),
      sealedSince() {
        const licences = [...justSealed];
        justSealed.clear();
        return licences;
      },
      signal,
      wait: unrefDelay,
      log,
      onTold: onWitness,
    });
  return { seals, telling };
};

/** Projects while it holds the lease; without it, or when it is lost, waits for it (anew). One at a time, however many there are. */
export const leasedProjector = ({ leases, ...options }: LeasedProjectorOptions): LeasedProjector => {
  const { log, sealing } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let role: 'leading' | 'standby' = 'standby';
  let following: Following | null = null;
  let isAsked = false;
  const doubts = new SealDoubts(options);
  const witness = witnessWatch({
    isNamed: sealing?.witness !== undefined,
    now: options.now,
    note: (notice: WitnessNotice) => options.readStore.note(noticeNames.witness, { ...notice }),
    log,
  });
  let settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  const caughtUp = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Nobody has to wait for it.
  caughtUp.catch(() => undefined);

  const lead = async ({ fence, lost }: Lease): Promise<ProjectorEnd> => {
    role = 'leading';
    log?.info({ fence }, 'Projecting under the lease');
    const logNoted = logNoter(options, fence);
    const leaving = new AbortController();
    const until = AbortSignal.any([signal, lost, leaving.signal]);
    doubts.clear();
    const onWitness = (isTaken: boolean): void => {
      sealing?.onWitness?.(isTaken);
      witness.told(isTaken);
    };
    if (sealing !== undefined) witness.begin();
    const sealed = sealing && sealUnderLease(options, sealing, { fence, signal: until, doubts, onWitness });
    const projector = supervisedProjector({
      ...options,
      fence,
      signal: until,
      ...(sealing && { notAsSealed: (licenceId) => doubts.notAsSealed(sealing, licenceId) }),
      onBatch(figures) {
        options.onBatch?.(figures);
        void logNoted.note();
      },
    });
    following = projector;
    if (isAsked) projector.rebuild();
    isAsked = false;
    void projector.caughtUp.then(() => settle?.resolve());
    await logNoted.note();
    const end = await projector.ended;
    await logNoted.attempt();
    following = null;
    await sealed?.seals.stop();
    leaving.abort();
    await sealed?.telling;
    await witness.end();
    sealing?.onWitnessOver?.();
    role = 'standby';
    if (!signal.aborted) log?.warn({ fence, end }, 'No longer projecting');
    return end;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const lease = await leases.acquire(projectorLease, signal);
      if (lease === null) break;
      const end = await lead(lease);
      await lease.release();
      if (end === 'log_closed') break;
    }
    settle?.reject(new ProjectorEnded('stopped'));
  };
  const ended = run();

  return {
    role: () => role,
    doubted: () => doubts.licences(),
    witnessFails: () => witness.fails(),
    caughtUp,
    rebuild() {
      if (following === null) isAsked = true;
      else following.rebuild();
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
};
