import { backOff } from '@zakup/async/back-off';
import type { ProblemBody } from '@zakup/contracts/problems';
import type { Ack, ClientToServer, LoadProgress, ServerToClient } from '@zakup/contracts/socket';
import type { Socket } from 'socket.io-client';
import type { Replica } from '../replica/replica.ts';

export type ScopeStatus =
  /** `progress`: how far it is, where that takes long enough to be told. */
  | { readonly kind: 'loading'; readonly progress?: LoadProgress }
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly problem: ProblemBody };

interface Held {
  readonly count: number;
  readonly linger: unknown;
  readonly status: ScopeStatus;
  /** False until everything up to the present arrived since the last (re)connection. */
  readonly current: boolean;
  /** The subscribe that is not answered yet, else null: what still comes is of the subscription before it, not of this load. */
  readonly asking: object | null;
  /** So many subscribes in a row were never answered. */
  readonly unanswered: number;
}

interface AckData {
  readonly position: number;
  readonly reset: boolean;
}

export interface HeldScopesDeps {
  readonly replica: Replica;
  readonly socket: Pick<
    Socket<ServerToClient, ClientToServer>,
    'connected' | 'connect' | 'disconnect' | 'emit' | 'timeout'
  >;
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
  };
  /** The state of a scope changed. */
  readonly onChange: () => void;
  /** Everything in use is drawn up to the present, or refused. */
  readonly onCaughtUp: () => void;
  /** A scope is asked for: what still waits of it is of the subscription before. */
  readonly onAsked: (scope: string) => void;
  /** The server has (again) opened a scope. */
  readonly onOpened: (scope: string) => void;
  readonly onDropped: (scope: string) => void;
}

/**
 * How long an unused scope is kept, in milliseconds: going back and forth between screens loads nothing anew, and the
 * others see one leave within five seconds.
 */
export const lingerTime = 4500;
export const ackTimeout = 10_000;
/**
 * A scope is waited for twice as long as the last time: what takes the server longer than that would else be asked for anew for ever, and
 * each time keep it busier.
 */
const subscribePatience = { first: ackTimeout, longest: 160_000 };
/** Milliseconds until what failed is tried again. */
export const retryTime = 3000;

const loading: ScopeStatus = { kind: 'loading' };

/** So few documents come at once: nobody could read how many are there. */
const worthTelling = 5000;

const percentOf = ({ sent, total }: LoadProgress): number => Math.floor((100 * sent) / total);

/** Where a load begins, or begins anew. */
const unmoved = ({ status }: Held): ScopeStatus => (status.kind === 'loading' ? loading : status);
const ready: ScopeStatus = { kind: 'ready' };

/** The scopes in use, counted by who uses them: asked for at every connection, from where the replica stands. */
export class HeldScopes {
  readonly #deps: HeldScopesDeps;
  readonly #scopes = new Map<string, Held>();

  constructor(deps: HeldScopesDeps) {
    this.#deps = deps;
  }

  held(scope: string): boolean {
    return this.#scopes.has(scope);
  }

  /** What comes of it belongs to the subscription that counts. */
  listens(scope: string): boolean {
    return this.#scopes.get(scope)?.asking === null;
  }

  /** All of it is there, and what comes are changes. */
  isCurrent(scope: string): boolean {
    const one = this.#scopes.get(scope);
    return one?.current === true && one.status.kind === 'ready';
  }

  status(scope: string): ScopeStatus {
    return this.#scopes.get(scope)?.status ?? loading;
  }

  /** The server knows that it is looked at. */
  isOpen(scope: string): boolean {
    return this.listens(scope) && this.#scopes.get(scope)?.status.kind !== 'refused';
  }

  /** A new line: everything is asked for, also what was refused on the one before. */
  connected(): void {
    for (const [scope, one] of this.#scopes) {
      const status = one.status.kind === 'refused' ? loading : one.status;
      this.#scopes.set(scope, { ...one, current: false, status });
      this.#subscribe(scope);
    }
    this.#settle();
  }

  disconnected(): void {
    for (const [scope, one] of this.#scopes) {
      this.#deps.replica.abandonPartial(scope);
      this.#scopes.set(scope, { ...one, status: unmoved(one) });
    }
  }

  /** A part of a load is in the replica; each whole percent is told. */
  progressed(scope: string, progress: LoadProgress | undefined): void {
    const status = this.#scopes.get(scope)?.status;
    if (status?.kind !== 'loading' || progress === undefined || progress.total < worthTelling) return;
    if (status.progress && percentOf(status.progress) === percentOf(progress)) return;
    this.#change(scope, { status: { kind: 'loading', progress } });
  }

  /** All of a message's scope is in the replica. */
  completed(scope: string): void {
    const one = this.#scopes.get(scope);
    if (one && (!one.current || one.status.kind !== 'ready')) this.#change(scope, { current: true, status: ready });
    this.#settle();
  }

  loadAnew(scope: string): void {
    this.#deps.replica.reset(scope);
    this.#change(scope, { current: false });
    this.#subscribe(scope);
  }

  askRefusedAgain(): void {
    for (const [scope, one] of this.#scopes) {
      if (one.status.kind !== 'refused') continue;
      this.#change(scope, { status: loading, current: false });
      this.#subscribe(scope);
    }
  }

  /** Asks for a scope as long as the returned function has not been called. */
  hold(scope: string): () => void {
    const before = this.#scopes.get(scope);
    if (before) this.#holdAgain(scope, before);
    else {
      this.#scopes.set(scope, { count: 1, linger: null, status: loading, current: false, asking: null, unanswered: 0 });
      this.#begin(scope);
    }
    let released = false;
    return () => {
      const now = this.#scopes.get(scope);
      if (released || !now) return;
      released = true;
      this.#release(scope, now);
    };
  }

  stop(): void {
    for (const one of this.#scopes.values()) if (one.linger !== null) this.#deps.clock.clearTimeout(one.linger);
  }

  #holdAgain(scope: string, before: Held): void {
    if (before.linger !== null) this.#deps.clock.clearTimeout(before.linger);
    // What was refused may be there again: whoever comes back to it is owed a fresh answer.
    const again = before.count === 0 && before.status.kind === 'refused';
    const count = before.count + 1;
    this.#scopes.set(scope, { ...before, count, linger: null, ...(again && { status: loading }) });
    if (again) this.#begin(scope);
  }

  #begin(scope: string): void {
    if (this.#deps.socket.connected) this.#subscribe(scope);
    this.#deps.onChange();
  }

  #release(scope: string, now: Held): void {
    const linger = now.count === 1 ? this.#deps.clock.setTimeout(() => this.#drop(scope), lingerTime) : null;
    this.#scopes.set(scope, { ...now, count: now.count - 1, linger });
  }

  #drop(scope: string): void {
    const { socket, replica, onDropped } = this.#deps;
    this.#scopes.delete(scope);
    onDropped(scope);
    if (socket.connected) socket.timeout(ackTimeout).emit('unsubscribe', { scope }, () => undefined);
    replica.forget(scope);
    this.#settle();
  }

  #subscribe(scope: string): void {
    const { replica, socket, onAsked } = this.#deps;
    const since = replica.position(scope);
    replica.ask(scope);
    onAsked(scope);
    const ask = {};
    const before = this.#scopes.get(scope);
    const { unanswered = 0 } = before ?? {};
    this.#change(scope, { asking: ask, ...(before && { status: unmoved(before) }) });
    socket
      .timeout(backOff(subscribePatience, unanswered))
      .emit('subscribe', since === null ? { scope } : { scope, since }, (error: Error | null, ack: Ack<AckData>) => {
        if (!this.#scopes.has(scope)) return;
        if (error) {
          // A line that does not answer is no line: a fresh one subscribes again.
          if (!socket.connected) return;
          this.#change(scope, { unanswered: unanswered + 1 });
          socket.disconnect().connect();
          return;
        }
        // An answer to one that was asked again meanwhile says nothing.
        if (this.#scopes.get(scope)?.asking === ask) this.#answered(scope, ack);
      });
  }

  #answered(scope: string, ack: Ack<AckData>): void {
    const { replica, socket, clock, onOpened } = this.#deps;
    this.#change(scope, { asking: null, unanswered: 0 });
    if (ack.ok) {
      if (ack.reset) replica.reset(scope);
      onOpened(scope);
      return;
    }
    if (ack.problem.code === 'UNAVAILABLE' || ack.problem.code === 'RATE_LIMITED') {
      clock.setTimeout(() => socket.connected && this.#scopes.has(scope) && this.#subscribe(scope), retryTime);
      return;
    }
    replica.forget(scope);
    this.#change(scope, { status: { kind: 'refused', problem: ack.problem } });
    this.#settle();
  }

  #change(scope: string, change: Partial<Held>): void {
    const held = this.#scopes.get(scope);
    if (held) this.#scopes.set(scope, { ...held, ...change });
    this.#deps.onChange();
  }

  #settle(): void {
    for (const held of this.#scopes.values()) if (!held.current && held.status.kind !== 'refused') return;
    this.#deps.onCaughtUp();
  }
}
