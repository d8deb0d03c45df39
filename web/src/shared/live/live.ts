import type { ProblemBody } from '@zakup/contracts/problems';
import type { Ack, ClientToServer, ServerToClient, SessionEndCode } from '@zakup/contracts/socket';
import { protocolVersion } from '@zakup/contracts/socket';
import type { Socket } from 'socket.io-client';
import { createActor } from 'xstate';
import type { Replica } from '../replica/replica.ts';
import { connectionMachine } from './connection.machine.ts';
import { type Focus, presenceDesk, type PresentPerson } from './presence.ts';

export type LiveSocket = Pick<
  Socket<ServerToClient, ClientToServer>,
  'connected' | 'active' | 'connect' | 'disconnect' | 'on' | 'off' | 'emit' | 'timeout'
>;

export interface LiveDeps {
  readonly replica: Replica;
  /** Makes the socket, not yet connecting; `auth` is asked at every attempt. */
  readonly socket: (auth: (answer: (data: { token: string; protocolVersion: number }) => void) => void) => LiveSocket;
  /** A token that is still good (refreshed before when it is not). Rejects when there is none to be had now. */
  readonly token: () => Promise<string>;
  /** The server refused the token: the next `token()` must not answer it again. */
  readonly refreshToken: () => Promise<void>;
  /** The server ended the session. Resolves when another attempt makes sense, rejects when the person is signed out. */
  readonly onSessionEnded: (code: SessionEndCode, message: string) => Promise<void>;
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
  };
}

export type ConnectionState = 'online' | 'catching_up' | 'offline';

export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** True when the lost line is worth telling (after two seconds). */
  readonly announced: boolean;
  /** When what is painted was last known to be whole, milliseconds since the epoch; `null` before the first time. */
  readonly dataAt: number | null;
}

export type ScopeStatus =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly problem: ProblemBody };

/** The live channel: one socket, scopes held by reference counting, everything it brings goes into the replica. */
export interface Live {
  /** Opens the line; it comes back by itself until `stop`. */
  readonly start: () => void;
  readonly stop: () => void;
  /** Asks for a scope as long as the returned function has not been called. */
  readonly hold: (scope: string) => () => void;
  /** Tries at once instead of waiting for the next attempt; scopes that were refused are asked for again. */
  readonly retryNow: () => void;
  /** Gives the server the renewed token. */
  readonly renew: (token: string) => void;
  readonly status: () => ConnectionStatus;
  readonly scopeStatus: (scope: string) => ScopeStatus;
  /** Shows the others of a held scope in which cell one stands; null = in none. */
  readonly present: (scope: string, focus: Focus | null) => void;
  /** Who is in a held scope, oneself included, as last heard; nobody while the line is down. */
  readonly people: (scope: string) => readonly PresentPerson[];
  readonly subscribe: (listener: () => void) => () => void;
}

/**
 * How long an unused scope is kept, in milliseconds: going back and forth between screens loads nothing anew, and the
 * others see one leave within five seconds.
 */
export const lingerTime = 4500;
const ackTimeout = 10_000;
const retryTime = 3000;

const loading: ScopeStatus = { kind: 'loading' };
const ready: ScopeStatus = { kind: 'ready' };

interface Held {
  count: number;
  linger: unknown;
  status: ScopeStatus;
  /** False until everything up to the present arrived since the last (re)connection. */
  current: boolean;
  /** True from a subscribe until its answer: what still comes of the subscription before it is not of this load. */
  asking: boolean;
}

export const liveConnection = (deps: LiveDeps): Live => {
  const { replica, clock } = deps;
  const scopes = new Map<string, Held>();
  const listeners = new Set<() => void>();
  const actor = createActor(connectionMachine);
  let retry: unknown = null;
  let stopped = true;
  let ending = false;
  let dataAt: number | null = null;
  let status: ConnectionStatus = { state: 'offline', announced: false, dataAt };

  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const refreshStatus = (): void => {
    const { value } = actor.getSnapshot();
    const state: ConnectionState = value === 'online' || value === 'catching_up' ? value : 'offline';
    const announced = actor.getSnapshot().matches({ offline: 'announced' });
    if (status.state !== state || status.announced !== announced || status.dataAt !== dataAt)
      status = { state, announced, dataAt };
    tell();
  };
  actor.subscribe(refreshStatus);

  const socket = deps.socket((answer) => {
    deps.token().then(
      (token) => answer({ token, protocolVersion }),
      () => answer({ token: '', protocolVersion }),
    );
  });

  const presence = presenceDesk({
    send: (message) => socket.emit('presence', message),
    ready: (scope) => {
      const held = scopes.get(scope);
      return socket.connected && held !== undefined && !held.asking && held.status.kind !== 'refused';
    },
    clock,
    onChange: tell,
  });

  const settle = (): void => {
    for (const held of scopes.values()) if (!held.current && held.status.kind !== 'refused') return;
    actor.send({ type: 'CAUGHT_UP' });
  };

  const setScope = (scope: string, change: Partial<Held>): void => {
    const held = scopes.get(scope);
    if (held) scopes.set(scope, { ...held, ...change });
    tell();
  };

  const subscribeScope = (scope: string): void => {
    const since = replica.position(scope);
    setScope(scope, { asking: true });
    socket
      .timeout(ackTimeout)
      .emit('subscribe', since === null ? { scope } : { scope, since }, (error: Error | null, ack: Ack<AckData>) => {
        if (!scopes.has(scope)) return;
        if (error) {
          // A line that does not answer is no line: a fresh one subscribes again.
          if (socket.connected) socket.disconnect().connect();
          return;
        }
        setScope(scope, { asking: false });
        if (ack.ok) {
          if (ack.reset) replica.reset(scope);
          presence.opened(scope);
          return;
        }
        if (ack.problem.code === 'UNAVAILABLE' || ack.problem.code === 'RATE_LIMITED') {
          clock.setTimeout(() => socket.connected && scopes.has(scope) && subscribeScope(scope), retryTime);
          return;
        }
        replica.forget(scope);
        setScope(scope, { status: { kind: 'refused', problem: ack.problem } });
        settle();
      });
  };

  const reconnectLater = (): void => {
    if (stopped || ending || retry !== null) return;
    retry = clock.setTimeout(() => {
      retry = null;
      if (!stopped && !socket.connected) socket.connect();
    }, retryTime);
  };

  const endSession = async (code: SessionEndCode, message: string): Promise<void> => {
    try {
      await deps.onSessionEnded(code, message);
    } catch {
      stopped = true;
      return;
    }
    ending = false;
    reconnectLater();
  };

  const renewThenReconnect = async (): Promise<void> => {
    // Refused for good: whoever keeps the session knows by now, and stops this line.
    await deps.refreshToken().catch(() => undefined);
    reconnectLater();
  };

  socket.on('connect', () => {
    actor.send({ type: 'CONNECTED' });
    for (const [scope, held] of scopes) {
      scopes.set(scope, { ...held, current: false, status: held.status.kind === 'refused' ? loading : held.status });
      subscribeScope(scope);
    }
    settle();
  });

  socket.on('disconnect', (reason) => {
    for (const scope of scopes.keys()) replica.abandonPartial(scope);
    presence.lost();
    dataAt = clock.now();
    actor.send({ type: 'DISCONNECTED' });
    refreshStatus();
    // The one end after which the client library does not try again by itself.
    if (reason === 'io server disconnect') reconnectLater();
  });

  socket.on('connect_error', (error: Error & { data?: ProblemBody }) => {
    if (error.data?.code === 'UNAUTHENTICATED') void renewThenReconnect();
    else if (!socket.active) reconnectLater();
  });

  socket.on('changes', (changes) => {
    const held = scopes.get(changes.scope);
    if (!held || held.asking) return;
    replica.apply(changes);
    if (!changes.last) return;
    if (!held.current || held.status.kind !== 'ready') setScope(changes.scope, { current: true, status: ready });
    settle();
  });

  socket.on('presence', (message) => {
    if (scopes.has(message.scope)) presence.heard(message);
  });

  socket.on('reset', ({ scope }) => {
    if (!scopes.has(scope)) return;
    replica.reset(scope);
    setScope(scope, { current: false });
    subscribeScope(scope);
  });

  socket.on('session-ended', ({ code, message }) => {
    if (code === 'SERVER_STOPPING') return reconnectLater();
    ending = true;
    void endSession(code, message);
  });

  const drop = (scope: string): void => {
    scopes.delete(scope);
    presence.forget(scope);
    if (socket.connected) socket.timeout(ackTimeout).emit('unsubscribe', { scope }, () => undefined);
    replica.forget(scope);
    settle();
  };

  return {
    start() {
      stopped = false;
      actor.start();
      socket.connect();
    },
    stop() {
      stopped = true;
      if (retry !== null) clock.clearTimeout(retry);
      retry = null;
      for (const held of scopes.values()) if (held.linger !== null) clock.clearTimeout(held.linger);
      socket.disconnect();
      actor.stop();
    },
    hold(scope) {
      const held = scopes.get(scope);
      if (held) {
        if (held.linger !== null) clock.clearTimeout(held.linger);
        scopes.set(scope, { ...held, count: held.count + 1, linger: null });
      } else {
        scopes.set(scope, { count: 1, linger: null, status: loading, current: false, asking: false });
        if (socket.connected) subscribeScope(scope);
        tell();
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
    retryNow() {
      if (!socket.connected) {
        socket.disconnect().connect();
        return;
      }
      for (const [scope, held] of scopes) {
        if (held.status.kind !== 'refused') continue;
        setScope(scope, { status: loading, current: false });
        subscribeScope(scope);
      }
    },
    renew(token) {
      if (socket.connected) socket.timeout(ackTimeout).emit('renew', { token }, () => undefined);
    },
    status: () => status,
    scopeStatus: (scope) => scopes.get(scope)?.status ?? loading,
    present: (scope, focus) => presence.show(scope, focus),
    people: (scope) => presence.people(scope),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

interface AckData {
  position: number;
  reset: boolean;
}
