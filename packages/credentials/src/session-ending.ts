import type { Millis, SessionEnd } from './credentials.ts';
import { change, endStored, isOver, type SessionState, stored } from './session-state.ts';

const lookEvery = 250;
const mostSweptAtOnce = 100;

/** A shortened session of this process: when, by the process's own running time, and why it ends. */
interface LetGo {
  readonly dueAt: number;
  readonly reason: SessionEnd['reason'];
}

/** Ends sessions by themselves, beside the callers' own requests. */
export interface SessionEnding {
  /** Ends one after so many milliseconds. */
  letGo(sessionId: string, after: number, reason: SessionEnd['reason']): void;
  /** Removes what has expired, wherever it belongs. */
  sweep(now: Millis): void;
  /** Waits for what was begun. */
  stop(): Promise<void>;
}

/** At least as many rows as are added one by one. */
const sweepOnce = async (state: SessionState, now: Millis): Promise<void> => {
  const { known } = state;
  const over = known.those((session) => isOver(state, session, now)).slice(0, mostSweptAtOnce);
  if (over.length === 0) return;
  await change(state, async (does) => {
    for (const { id } of over) {
      const session = await stored(does.tables, id);
      // Another process may have heard of a use meanwhile.
      if (session !== null && isOver(state, known.withNews(session), now)) await does.end(session, 'expired');
    }
  });
};

export const sessionEnding = (state: SessionState): SessionEnding => {
  const going = new Map<string, LetGo>();
  let besides: Promise<void> = Promise.resolve();
  /** Work that nobody waits for. What fails is over by its stored end all the same; only its row is kept until a later look. */
  const beside = (work: () => Promise<void>): void => {
    besides = besides.then(work).catch(() => undefined);
  };

  const look = setInterval(() => {
    const due = [...going].filter(([, { dueAt }]) => dueAt <= performance.now());
    if (due.length === 0) return;
    for (const [id] of due) going.delete(id);
    beside(async () => {
      for (const [id, one] of due) {
        try {
          await endStored(state, id, one.reason);
        } catch {
          going.set(id, one);
        }
      }
    });
  }, lookEvery);
  look.unref();

  return {
    letGo: (id, after, reason) => void going.set(id, { dueAt: performance.now() + after, reason }),
    sweep: (now) => beside(() => sweepOnce(state, now)),
    async stop() {
      clearInterval(look);
      going.clear();
      await besides;
    },
  };
};
