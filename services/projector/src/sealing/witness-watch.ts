import type { WitnessNotice } from '@zakup/contracts/notices';
import { serialQueue } from '@zakup/async/serial-queue';
import type { ProjectorLog } from '../run-projector.ts';

export interface WitnessWatchOptions {
  /** Whether there is a witness to be told. */
  readonly isNamed: boolean;
  /** UTC milliseconds. */
  readonly now: () => number;
  readonly note: (notice: WitnessNotice) => Promise<void>;
  readonly log?: ProjectorLog | undefined;
}

/** Whether the witness takes what it is told of the seals; noted for others whenever that changes. */
export const witnessWatch = ({ isNamed, now, note, log }: WitnessWatchOptions) => {
  let failingSince: number | null = null;
  const notes = serialQueue();
  const tell = (): void => {
    const notice = { watching: isNamed, failingSince };
    notes
      .run(() => note(notice))
      .catch((error: unknown) => log?.warn({ err: error }, 'Whether the witness of seals is told could not be noted'));
  };
  return {
    begin: tell,
    told(isTaken: boolean): void {
      if (isTaken === (failingSince === null)) return;
      failingSince = isTaken ? null : now();
      tell();
    },
    fails: (): boolean => failingSince !== null,
    /** Somebody else tells the witness from now on. Resolves when nothing is being noted any more. */
    async end(): Promise<void> {
      failingSince = null;
      await notes.run(async () => undefined);
    },
  };
};
