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
export const heldScopes = ({ replica, socket, clock, onChange, onCaughtUp, onOpened, onDropped }: HeldScopesDeps) => {
  const scopes = new Map<string, Held>();

  const settle = (): void => {
    for (const held of scopes.values()) if (!held.current && held.status.kind !== 'refused') return;
    onCaughtUp();
  };

  const setScope = (scope: string, change: Partial<Held>): void => {
    const held = scopes.get(scope);
    if (held) scopes.set(scope, { ...held, ...change });
    onChange();
  };

  const subscribe = (scope: string): void => {
    const since = replica.position(scope);
    replica.ask(scope);
    const ask = {};
    const before = scopes.get(scope);
    setScope(scope, { asking: ask, ...(before && { status: unmoved(before) }) });
    socket
      .timeout(ackTimeout)
      .emit('subscribe', since === null ? { scope } : { scope, since }, (error: Error | null, ack: Ack<AckData>) => {
        if (!scopes.has(scope)) return;
        if (error) {
          // A line that does not answer is no line: a fresh one subscribes again.
          if (socket.connected) socket.disconnect().connect();
          return;
        }
        // An answer to one that was asked again meanwhile says nothing.
        if (scopes.get(scope)?.asking !== ask) return;
        setScope(scope, { asking: null });
        if (ack.ok) {
          if (ack.reset) replica.reset(scope);
          onOpened(scope);
          return;
        }
        if (ack.problem.code === 'UNAVAILABLE' || ack.problem.code === 'RATE_LIMITED') {
          clock.setTimeout(() => socket.connected && scopes.has(scope) && subscribe(scope), retryTime);
          return;
        }
        replica.forget(scope);
        setScope(scope, { status: { kind: 'refused', problem: ack.problem } });
        settle();
      });
  };

  const drop = (scope: string): void => {
    scopes.delete(scope);
    onDropped(scope);
    if (socket.connected) socket.timeout(ackTimeout).emit('unsubscribe', { scope }, () => undefined);
    replica.forget(scope);
    settle();
  };

  const held = (scope: string): boolean => scopes.has(scope);
  /** What comes of it belongs to the subscription that counts. */
  const listens = (scope: string): boolean => scopes.get(scope)?.asking === null;

  return {
    held,
    listens,
    status: (scope: string): ScopeStatus => scopes.get(scope)?.status ?? loading,
    /** The server knows that it is looked at. */
    isOpen: (scope: string): boolean => listens(scope) && scopes.get(scope)?.status.kind !== 'refused',

    /** A new line: everything is asked for, also what was refused on the one before. */
    connected: (): void => {
      for (const [scope, one] of scopes) {
        scopes.set(scope, { ...one, current: false, status: one.status.kind === 'refused' ? loading : one.status });
        subscribe(scope);
      }
      settle();
    },

    disconnected: (): void => {
      for (const [scope, one] of scopes) {
        replica.abandonPartial(scope);
        scopes.set(scope, { ...one, status: unmoved(one) });
      }
    },

    /** A part of a load is in the replica; each whole percent is told. */
    progressed: (scope: string, progress: LoadProgress | undefined): void => {
      const status = scopes.get(scope)?.status;
      if (status?.kind !== 'loading' || progress === undefined || progress.total < worthTelling) return;
      if (status.progress && percentOf(status.progress) === percentOf(progress)) return;
      setScope(scope, { status: { kind: 'loading', progress } });
    },

    /** All of a message's scope is in the replica. */
    completed: (scope: string): void => {
      const one = scopes.get(scope);
      if (one && (!one.current || one.status.kind !== 'ready')) setScope(scope, { current: true, status: ready });
      settle();
    },

    loadAnew: (scope: string): void => {
      replica.reset(scope);
      setScope(scope, { current: false });
      subscribe(scope);
    },

    askRefusedAgain: (): void => {
      for (const [scope, one] of scopes) {
        if (one.status.kind !== 'refused') continue;
        setScope(scope, { status: loading, current: false });
        subscribe(scope);
      }
    },

    /** Asks for a scope as long as the returned function has not been called. */
    hold: (scope: string): (() => void) => {
      const before = scopes.get(scope);
      if (before) {
        if (before.linger !== null) clock.clearTimeout(before.linger);
        // What was refused may be there again: whoever comes back to it is owed a fresh answer.
        const again = before.count === 0 && before.status.kind === 'refused';
        scopes.set(scope, { ...before, count: before.count + 1, linger: null, ...(again && { status: loading }) });
        if (again) {
          if (socket.connected) subscribe(scope);
          onChange();
        }
      } else {
        scopes.set(scope, { count: 1, linger: null, status: loading, current: false, asking: null });
        if (socket.connected) subscribe(scope);
        onChange();
      }
      let released = false;
      return () => {
        const now = scopes.get(scope);
        if (released || !now) return;
        released = true;
        const linger = now.count === 1 ? clock.setTimeout(() => drop(scope), lingerTime) : null;
        scopes.set(scope, { ...now, count: now.count - 1, linger });
      };
    },

    stop: (): void => {
      for (const one of scopes.values()) if (one.linger !== null) clock.clearTimeout(one.linger);
    },
  };
};
