import type { Credentials } from '@zakup/credentials/credentials';
import type { AccessLog } from './access-writer.ts';

export interface AdminRefusals {
  /** Returns at once: who is refused waits for nothing. */
  readonly refused: (network: string) => void;
  /** Resolves when what was refused so far is kept. */
  readonly settled: () => Promise<void>;
}

export interface AdminRefusalsDeps {
  readonly credentials: Pick<Credentials, 'noteAdminRefusals'>;
  readonly log: AccessLog;
  readonly now: () => number;
  readonly newId: () => string;
}

const mostNetworks = 50;

/** Keeps refused tries at the admin's door, one write at a time: a flood is counted while one is under way. */
export const adminRefusals = ({ credentials, log, now, newId }: AdminRefusalsDeps): AdminRefusals => {
  const counted = new Map<string, number>();
  let running: Promise<void> | null = null;

  const keepAll = async (): Promise<void> => {
    for (;;) {
      const [next] = counted;
      if (next === undefined) return;
      const [network, count] = next;
      counted.delete(network);
      try {
        await credentials.noteAdminRefusals({ id: newId(), network, count }, now());
      } catch (error) {
        log.warn({ err: error }, 'Refused sign-ins of the admin could not be kept');
      }
    }
  };

  return {
    refused: (network) => {
      if (!counted.has(network) && counted.size >= mostNetworks) return;
      counted.set(network, (counted.get(network) ?? 0) + 1);
      running ??= keepAll().finally(() => {
        running = null;
      });
    },
    settled: async () => {
      await running;
    },
  };
};
