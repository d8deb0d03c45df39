import type { FaultGate, SubscriptionEnd } from './faults.ts';
import type { AllFilter } from './filter.ts';
import { liveChannel } from './live-channel.ts';
import type { Outgoing } from './outgoing.ts';
import { nextPage, pageOf } from './pages.ts';
import type { LoggedEvent, StandInLog } from './stand-in-log.ts';
import {
  callErrors,
  caughtUpAnswer,
  checkpointAnswer,
  eventAnswer,
  fellBehindAnswer,
  type ReadAnswer,
} from './wire.ts';

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
    /** Events up to this position are skipped even when they are written later; −1: none. */
    readonly after: number;
  };
}

/**
 * As KurrentDB 26.1 does it. History in pages until the log ends; then it says that it has caught up and passes on what has happened since
 * the call began. What waits for a client that is slow is bounded: where something was thrown away it goes back to history without a word
 * and says again that it has caught up. Checkpoints of a filtered one name, while it reads history, the last event that matched or where
 * the page began, whichever is later: at the end of history not the end of the log.
 */
export const subscription = ({ out, gate, log, filter, events, start }: SubscriptionStart): void => {
  /** How far the client has been told everything: by an event or a checkpoint. */
  let reached = start.after;
  let next = start.index;
  let toldCheckpoint = -1;
  let sequence = 0;
  let orderedBehind = false;
  let live = false;
  let wake: () => void = () => undefined;

  const channel = liveChannel(events, events().length, filter);
  const stopListening = log.onAppend(() => {
    channel.fill();
    wake();
  });
  const forget = gate.register({
    end: (how: SubscriptionEnd) => out.end(how === 'unavailable' ? callErrors.unavailable() : undefined),
    fallBehind: () => {
      orderedBehind = live;
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
  const sendEvent = async (event: LoggedEvent): Promise<void> => {
    await send(eventAnswer(event));
    reached = event.position;
  };
  const sendCheckpoint = async (): Promise<void> => {
    if (filter === null || reached < 0 || reached <= toldCheckpoint) return;
    toldCheckpoint = reached;
    await send(checkpointAnswer(reached));
  };
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });

  const catchUp = async (): Promise<void> => {
    const begin = next;
    let considered = 0;
    while (!out.over) {
      const [page, first] = [pageOf(events(), next, 1, filter), events()[next]];
      for (const event of page.events) {
        if (event.position > start.after) await sendEvent(event);
      }
      if (first !== undefined && first.position > reached && next > begin) reached = first.position;
      next = page.next;
      considered += page.considered;
      if (page.isEnd) {
        if (events().length > 0) reached = Math.max(reached, 0);
        return sendCheckpoint();
      }
      if (filter !== null && considered >= filter.checkpointInterval) {
        considered %= filter.checkpointInterval;
        await sendCheckpoint();
      }
      await nextPage();
    }
  };

  const backToHistory = async (): Promise<void> => {
    live = false;
    const all = events();
    while ((all[next]?.position ?? Number.POSITIVE_INFINITY) <= reached) next += 1;
    await sendCheckpoint();
  };

  /** Until something was thrown away. */
  const goLive = async (): Promise<void> => {
    await send(caughtUpAnswer);
    live = true;
    while (!out.over) {
      if (orderedBehind) {
        orderedBehind = false;
        await send(fellBehindAnswer);
        return backToHistory();
      }
      const item = channel.take();
      if (item === undefined) {
        await woken();
        continue;
      }
      const follows = item.sequence === sequence + 1;
      sequence = item.sequence;
      const { kind, event } = item;
      if (kind === 'event' ? event.position <= reached : event.position < reached) continue;
      if (!follows) return backToHistory();
      if (kind === 'event') await sendEvent(event);
      else {
        reached = event.position;
        await sendCheckpoint();
      }
    }
  };

  const run = async (): Promise<void> => {
    if (next >= events().length) await goLive();
    while (!out.over) {
      await catchUp();
      await goLive();
    }
  };
  void run();
};
