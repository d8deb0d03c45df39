import { backOff } from '@zakup/async/back-off';
import type { ClientToServer, ServerToClient, SessionEndCode } from '@zakup/contracts/socket';
import type { Socket } from 'socket.io-client';
import { retryTime } from './held-scopes.ts';

export interface ReconnectionDeps {
  readonly socket: Pick<Socket<ServerToClient, ClientToServer>, 'connected' | 'connect' | 'disconnect'>;
  /** The server refused the token: the next attempt must not bring it again. */
  readonly refreshToken: () => Promise<void>;
  /** The server ended the session. Resolves when another attempt makes sense, rejects when the person is signed out. */
  readonly onSessionEnded: (code: SessionEndCode, message: string) => Promise<void>;
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
  };
  /** 0 to 1, spreads the attempts of many clients. */
  readonly chance: () => number;
  /** Another attempt is due at another time than before, or none is. */
  readonly onChange: () => void;
}

/** How long after the first attempt that failed the next one is made, in milliseconds; twice as long after each further one, up to the longest. */
export const firstWait = 1000;
export const longestWait = 5000;

/** When the line is opened again after it was lost or refused; not between `stop` and `start`. */
export class Reconnection {
  readonly #deps: ReconnectionDeps;
  #retry: { readonly timer: unknown; readonly at: number } | null = null;
  #failures = 0;
  #stopped = true;
  /** The session is ended, and it is not known yet whether there is another one. */
  #ending = false;

  constructor(deps: ReconnectionDeps) {
    this.#deps = deps;
  }

  /** When the next attempt begins; null = none waits. */
  get retryAt(): number | null {
    return this.#retry?.at ?? null;
  }

  start(): void {
    this.#stopped = false;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  connected(): void {
    this.#failures = 0;
    this.#cancel();
  }

  now(): void {
    this.#failures = 0;
    this.#cancel();
    this.#deps.onChange();
    this.#deps.socket.disconnect().connect();
  }

  later(wait = retryTime): void {
    const { socket, clock, onChange } = this.#deps;
    if (this.#stopped || this.#ending || this.#retry !== null) return;
    const timer = clock.setTimeout(() => {
      this.#retry = null;
      onChange();
      if (!this.#stopped && !socket.connected) socket.connect();
    }, wait);
    this.#retry = { timer, at: clock.now() + wait };
    onChange();
  }

  /** The server could not be reached: each time it is given longer. */
  laterAndLater(): void {
    if (this.#retry !== null) return;
    const wait = backOff({ first: firstWait, longest: longestWait }, this.#failures);
    this.#failures += 1;
    this.later(Math.round(wait * (0.5 + this.#deps.chance() / 2)));
  }

  /** Once it is known that there is another session, and never when there is none. */
  async afterSession(code: SessionEndCode, message: string): Promise<void> {
    this.#ending = true;
    try {
      await this.#deps.onSessionEnded(code, message);
    } catch {
      this.#stopped = true;
      return;
    }
    this.#ending = false;
    this.later();
  }

  async withNewToken(): Promise<void> {
    // Refused for good: whoever keeps the session knows by now, and stops this line.
    await this.#deps.refreshToken().catch(() => undefined);
    this.later();
  }

  #cancel(): void {
    if (this.#retry !== null) this.#deps.clock.clearTimeout(this.#retry.timer);
    this.#retry = null;
  }
}
