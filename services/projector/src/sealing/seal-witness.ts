import { yieldToEventLoop } from '@zakup/async/event-loop';
import { type BackOff, backOff } from '@zakup/async/back-off';
import { open } from 'node:fs/promises';
import { headOf, type SealHeads } from '@zakup/seals/seal-heads';
import { isCorrupt, type SealStore, type StoredSeal } from '@zakup/seals/seal-store';
import type { ProjectorLog } from '../run-projector.ts';

/** What somebody elsewhere is told of a seal: enough to recognise it by. */
export interface WitnessedSeal {
  readonly licenceId: string;
  readonly number: number;
  /** Hex hash of the seal. */
  readonly hash: string;
  readonly sealedAt: string;
  /** Fingerprint of the key. */
  readonly key: string;
}

/** Somebody elsewhere, who keeps what they are told. */
export interface SealWitness {
  /** Resolves once they have it; rejects when that is not sure. They may be told of a seal twice. */
  tell(seal: WitnessedSeal): Promise<void>;
}

/** A line of JSON for each seal at the end of a file, which had better lie on another machine. */
export const fileWitness = (file: string): SealWitness => ({
  async tell(seal) {
    const handle = await open(file, 'a', 0o600);
    try {
      await handle.write(`${JSON.stringify(seal)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
});

/** Milliseconds that a webhook may take. */
const patience = 10_000;

/** A webhook that is sent each seal as JSON. */
export const webhookWitness = (url: string): SealWitness => ({
  async tell(seal) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(seal),
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`The witness answered ${answer.status}`);
  },
});

/** Of a setting: an address of the web, or a path. */
export const witnessOf = (setting: string): SealWitness =>
  /^https?:\/\//u.test(setting) ? webhookWitness(setting) : fileWitness(setting);

export interface WitnessingOptions {
  readonly seals: Pick<SealStore, 'licences' | 'read'>;
  readonly witness: SealWitness;
  /** Licences that were sealed since it was last asked. */
  readonly sealedSince: () => readonly string[];
  /** Of which seals the witness was told; kept over restarts. */
  readonly told: SealHeads;
  readonly signal: AbortSignal;
  /** Waits before the next look or attempt; ends early when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log?: ProjectorLog | undefined;
  /** Called after each attempt: whether the witness took it. */
  readonly onTold?: ((isTaken: boolean) => void) | undefined;
}

/** Milliseconds between two looks for new seals, and the longest wait after failures. */
const lookEvery = 5_000;
const waits: BackOff = { first: 1_000, longest: 300_000 };

const witnessed = (stored: StoredSeal): WitnessedSeal => {
  const { licenceId, number, hash } = headOf(stored);
  const { sealedAt, key } = stored.seal;
  return { licenceId, number, hash, sealedAt, key };
};

/**
 * Tells the witness of every seal, in the order of each licence, also of those from before it was named. Failures are tried again for ever
 * and hold up nothing. Resolves when the signal aborts.
 */
export const witnessing = async (options: WitnessingOptions): Promise<void> => {
  const { seals, witness, told, sealedSince, signal, wait, log, onTold } = options;
  let known: Map<string, number> | null = null;
  const waiting = new Set<string>();
  let failures = 0;

  const tellAbout = async (licenceId: string, numbers: Map<string, number>): Promise<void> => {
    for (;;) {
      const next = await seals.read(licenceId, { after: numbers.get(licenceId) ?? 0 });
      if (next.length === 0 || signal.aborted) return;
      for (const stored of next) {
        if (signal.aborted) return;
        await witness.tell(witnessed(stored));
        failures = 0;
        onTold?.(true);
        await told.note(headOf(stored));
        numbers.set(licenceId, stored.seal.number);
      }
    }
  };

  const tellAll = async (): Promise<void> => {
    if (known === null) {
      const numbers = new Map((await told.all()).map(({ licenceId, number }) => [licenceId, number]));
      for (const licenceId of await seals.licences()) waiting.add(licenceId);
      known = numbers;
    }
    for (const licenceId of sealedSince()) waiting.add(licenceId);
    for (const licenceId of waiting) {
      if (signal.aborted) return;
      try {
        await tellAbout(licenceId, known);
      } catch (error) {
        // Of the other licences it is told all the same; of this one again when it is sealed further.
        if (!isCorrupt(error)) throw error;
        log?.warn({ err: error, licenceId }, 'The witness cannot be told of damaged seals');
      }
      waiting.delete(licenceId);
      // Others of this process get their turn: a store that is embedded answers at once.
      await yieldToEventLoop();
    }
  };

  while (!signal.aborted) {
    try {
      await tellAll();
      await wait(lookEvery, signal);
    } catch (error) {
      const milliseconds = backOff(waits, failures);
      failures += 1;
      onTold?.(false);
      log?.warn({ err: error, milliseconds }, 'The witness of seals could not be told and will be told again');
      await wait(milliseconds, signal);
    }
  }
};
