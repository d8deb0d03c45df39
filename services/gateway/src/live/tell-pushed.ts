import { serialQueue } from '@zakup/async/serial-queue';
import { historyId, type HistoryRow } from '@zakup/contracts/history';
import { preciseNow, type Steps } from '@zakup/service-kit/steps';
import type { GatewayDeps } from '../deps.ts';

/** Entries of the history that are looked at for one round; more at once are an import. */
const mostEntries = 100;

export interface Pushed {
  readonly licenceId: string;
  /** What was pushed is after this position, up to the other one. */
  readonly after: number;
  readonly to: number;
  /** How many scopes and sockets it went to. */
  readonly scopes: number;
  readonly sockets: number;
  /** Milliseconds since it was first heard of. */
  readonly milliseconds: number;
}

/** Rounds that wait for their commands to be looked up; of more than these nothing is reported. */
export const mostWaiting = 10;

const report = async (
  { readStore, log }: Pick<GatewayDeps, 'readStore' | 'log'>,
  steps: Pick<Steps, 'ofCommands'>,
  { licenceId, after, to, scopes, sockets, milliseconds }: Pushed,
  ended: number,
): Promise<void> => {
  try {
    const entries = await readStore.scanIndex('history', {
      licenceId,
      direction: 'asc',
      after: historyId(after),
      limit: mostEntries,
    });
    const rows = entries.filter(({ position }) => position <= to).map(({ data }) => data as unknown as HistoryRow);
    steps.ofCommands({
      name: 'push',
      commandIds: new Set(rows.map(({ commandId }) => commandId)),
      began: ended - milliseconds,
      ended,
      facts: { position: to, scopes, sockets },
    });
  } catch (error) {
    log.warn({ err: error, licenceId }, 'Whose changes were pushed could not be read');
  }
};

/** Reports whose commands were pushed just now, one look into the history at a time; no round waits for it. */
export const pushReports = (
  deps: Pick<GatewayDeps, 'readStore' | 'log'>,
  steps: Pick<Steps, 'ofCommands'>,
): ((pushed: Pushed) => void) => {
  const queue = serialQueue();
  let waiting = 0;
  return (pushed) => {
    if (waiting > mostWaiting) return;
    waiting += 1;
    const ended = preciseNow();
    void queue.run(async () => {
      await report(deps, steps, pushed, ended);
      waiting -= 1;
    });
  };
};
