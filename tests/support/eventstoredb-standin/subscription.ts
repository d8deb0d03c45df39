import type { FaultGate, SubscriptionEnd } from './faults.ts';
import type { AllFilter } from './filter.ts';
import type { Outgoing } from './outgoing.ts';
import type { LoggedEvent, StandInLog } from './stand-in-log.ts';
import {
  callErrors,
  caughtUpAnswer,
  checkpointAnswer,
  eventAnswer,
  fellBehindAnswer,
  type ReadAnswer,
} from './wire.ts';

/** Events that may wait for a live subscription before it goes back to reading history. */
const liveBuffer = 32;

export interface SubscriptionStart {
  readonly out: Outgoing<ReadAnswer>;
  readonly gate: FaultGate;
  readonly log: StandInLog;
  readonly filter: AllFilter | null;
  /** What is subscribed to, as it stands now. */
  readonly events: () => readonly LoggedEvent[];
  readonly start: {
    /** Index of the first event to consider. */
    readonly index: number;
    /** Events up to this position are skipped even when they are written later. */
    readonly after: number;
  };
}

/**
 * History, then live, until the call is over. A filtered one sends a checkpoint each `checkpointInterval` considered events and one before
 * it says that it caught up; a live one that lags by more than a small buffer says that it fell behind and reads history again.
 */
export const subscription = ({ out, gate, log, filter, events, start }: SubscriptionStart): void => {
  let next = start.index;
  let live = false;
  let behind = false;
  let considered = 0;
  let reached = start.after;
  let wake: () => void = () => undefined;

  const stopListening = log.onAppend(() => wake());
  const forget = gate.register({
    end: (how: SubscriptionEnd) => out.end(how === 'unavailable' ? callErrors.unavailable() : undefined),
    fallBehind: () => {
      behind = live;
      wake();
    },
  });
  out.onOver(() => {
    stopListening();
    forget();
    wake();
  });

  const send = async (message: ReadAnswer): Promise<void> => {
    const wait = out.send(message);
    if (wait !== null) await wait;
  };
  const sendCheckpoint = async (): Promise<void> => {
    considered = 0;
    if (filter !== null && reached > 0) await send(checkpointAnswer(reached));
  };
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });

  const run = async (): Promise<void> => {
    // One that begins at the head is live at once and gets no checkpoint before it says so.
    const fromHead = next >= events().length;
    while (!out.over) {
      const all = events();
      if (live && (behind || all.length - next > liveBuffer)) {
        behind = false;
        live = false;
        await send(fellBehindAnswer);
        await sendCheckpoint();
      }
      const event = all[next];
      if (event === undefined) {
        if (live) {
          await woken();
          continue;
        }
        if (!fromHead || next > start.index) await sendCheckpoint();
        if (events().length > next) continue;
        live = true;
        await send(caughtUpAnswer);
        continue;
      }
      next += 1;
      if (event.position <= start.after) continue;
      reached = event.position;
      considered += 1;
      if (filter === null || filter.accepts(event)) {
        const wait = out.send(eventAnswer(event));
        if (wait !== null) await wait;
      }
      if (filter !== null && considered >= filter.checkpointInterval) await sendCheckpoint();
    }
  };
  void run();
};
