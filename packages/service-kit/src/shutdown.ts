import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from './health.ts';
import type { Log } from './log.ts';

export interface ShutdownStep {
  /** Shown in the log. */
  readonly name: string;
  /** `signal` is aborted at the total deadline. */
  readonly run: (signal: AbortSignal) => Promise<void> | void;
}

export interface ShutdownOptions {
  readonly readiness: Readiness;
  readonly servers: readonly Server[];
  /** Run one after another once requests in flight have ended: sockets, subscriptions, stores, the folder's lock. */
  readonly steps: Iterable<ShutdownStep>;
  readonly log: Log;
  /** Emits `SIGTERM` and `SIGINT`; `process` outside tests. */
  readonly signals: EventEmitter;
  /** `process.exit` outside tests. */
  readonly exit: (code: number) => void;
  /** Total, in ms; default 10,000, of which 500 are kept for leaving. */
  readonly deadlineMs?: number;
  /** How long `/readyz` says 503 while connections are still accepted; default 200. */
  readonly announceMs?: number;
  /** Share of the deadline that requests in flight may use; default 0.5. */
  readonly inFlightShare?: number;
}

export interface Shutdown {
  /** Begins it, or joins the one under way; the exit code: 0, or 1 when a step failed or the deadline passed. Calls `exit` with it. */
  stop(reason: string): Promise<number>;
  /** Number of requests being answered; long polls of socket.io do not count, its own step ends them. */
  readonly inFlight: number;
}

const isSocketPoll = (request: IncomingMessage): boolean => request.url?.startsWith('/socket.io/') ?? false;

/**
 * Ready turns 503 → no new connections → what is in flight ends → the steps in order → exit. A failed step does not stop the next.
 * The first signal begins it, a second one exits at once with 1.
 */
export function gracefulShutdown(options: ShutdownOptions): Shutdown {
  const { readiness, servers, steps, log, signals, exit } = options;
  const { deadlineMs = 10_000, announceMs = 200, inFlightShare = 0.5 } = options;
  let inFlight = 0;
  let becameIdle: (() => void) | undefined;
  let running: Promise<number> | undefined;

  for (const server of servers) {
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      if (isSocketPoll(request)) return;
      inFlight += 1;
      if (running !== undefined) response.setHeader('Connection', 'close');
      response.once('close', () => {
        inFlight -= 1;
        if (inFlight === 0) becameIdle?.();
      });
    });
  }

  const idle = (): Promise<void> =>
    inFlight === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          becameIdle = resolve;
        });

  /** Whether the work ended before the time; a timer that has lost is cancelled. */
  const within = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
    const cancel = new AbortController();
    const timer = delay(Math.max(0, ms), false, { signal: cancel.signal }).catch(() => false);
    try {
      return await Promise.race([work.then(() => true), timer]);
    } finally {
      cancel.abort();
    }
  };

  const sequence = async (reason: string): Promise<number> => {
    const ends = performance.now() + deadlineMs - Math.min(500, deadlineMs / 10);
    const left = (): number => ends - performance.now();
    const overtime = new AbortController();
    let code = 0;
    log.info({ reason }, 'stopping');
    readiness.stop();
    await delay(Math.min(announceMs, left()));
    for (const server of servers) {
      server.close();
      server.closeIdleConnections();
    }
    if (!(await within(idle(), Math.min(left(), deadlineMs * inFlightShare)))) {
      log.warn({ inFlight }, 'requests still in flight, going on');
    }
    for (const { name, run } of steps) {
      try {
        if (left() <= 0 || !(await within(Promise.resolve(run(overtime.signal)), left()))) {
          code = 1;
          overtime.abort();
          log.error({ step: name }, 'deadline passed while stopping');
          break;
        }
      } catch (error) {
        code = 1;
        log.error({ err: error, step: name }, 'a step of stopping failed');
      }
    }
    for (const server of servers) server.closeAllConnections();
    log.info({ exitCode: code }, 'stopped');
    exit(code);
    return code;
  };

  const stop = (reason: string): Promise<number> => {
    running ??= sequence(reason);
    return running;
  };

  for (const name of ['SIGTERM', 'SIGINT']) {
    signals.on(name, () => {
      if (running !== undefined) {
        exit(1);
        return;
      }
      void stop(name);
    });
  }

  return {
    stop,
    get inFlight() {
      return inFlight;
    },
  };
}
