import { backOff } from '@zakup/async/back-off';
import type { ProblemBody } from '@zakup/contracts/problems';
import type { ClientToServer, ServerToClient, SessionEndCode } from '@zakup/contracts/socket';
import { protocolVersion } from '@zakup/contracts/socket';
import type { Socket } from 'socket.io-client';
import { createActor } from 'xstate';
import type { Replica } from '../replica/replica.ts';
import { changeAuthors, type ValueAuthor } from './change-authors.ts';
import { connectionMachine } from './connection.machine.ts';
import { ackTimeout, heldScopes, retryTime, type ScopeStatus } from './held-scopes.ts';
import { type Focus, presenceDesk, type PresentPerson } from './presence.ts';

export type LiveSocket = Pick<
  Socket<ServerToClient, ClientToServer>,
  'connected' | 'connect' | 'disconnect' | 'on' | 'off' | 'emit' | 'timeout'
>;

interface Handshake {
  readonly token: string;
  readonly protocolVersion: number;
  readonly patches: boolean;
}

export interface LiveDeps {
  readonly replica: Replica;
  /** Makes the socket, not yet connecting, which never tries again by itself; `auth` is asked at every attempt. */
  readonly socket: (auth: (answer: (data: Handshake) => void) => void) => LiveSocket;
  /** A token that is still good (refreshed before when it is not). Rejects when there is none to be had now. */
  readonly token: () => Promise<string>;
  /** The server refused the token: the next `token()` must not answer it again. */
  readonly refreshToken: () => Promise<void>;
  /** The server ended the session. Resolves when another attempt makes sense, rejects when the person is signed out. */
  readonly onSessionEnded: (code: SessionEndCode, message: string) => Promise<void>;
  /** A patch was made for something else than what is here, which is an error of the server: the scope is loaded anew. */
  readonly onMisfit: (scope: string, position: number) => void;
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
  };
  /** 0 to 1, spreads the attempts of many clients. */
  readonly chance: () => number;
}

export type { ScopeStatus } from './held-scopes.ts';

export type ConnectionState = 'online' | 'catching_up' | 'offline';

export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** True when the lost line is worth telling (after two seconds). */
  readonly announced: boolean;
  /** When what is painted was last known to be whole, milliseconds since the epoch; `null` before the first time. */
  readonly dataAt: number | null;
  /** What the server says of a line that it does not open for now, as it has too many of this person. */
  readonly refused?: string;
  /** When the next attempt begins, milliseconds since the epoch; absent while one is under way, and while there is a line. */
  readonly retryAt?: number;
}

/** How long after the first attempt that failed the next one is made, in milliseconds; twice as long after each further one, up to the longest. */
export const firstWait = 1000;
export const longestWait = 5000;

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
  /** Who changed this member of a placement a moment ago, oneself included; null = nobody did, or it is not known. */
  readonly authorOf: (placementId: string, member: string) => ValueAuthor | null;
  readonly subscribe: (listener: () => void) => () => void;
}

const isAlike = (a: ConnectionStatus, b: ConnectionStatus): boolean =>
  a.state === b.state &&
  a.announced === b.announced &&
  a.dataAt === b.dataAt &&
  a.refused === b.refused &&
  a.retryAt === b.retryAt;

export const liveConnection = (deps: LiveDeps): Live => {
  const { replica, clock } = deps;
  const listeners = new Set<() => void>();
  const actor = createActor(connectionMachine, {
    clock: { setTimeout: clock.setTimeout, clearTimeout: clock.clearTimeout },
  });
  let retry: { readonly timer: unknown; readonly at: number } | null = null;
  let failures = 0;
  let stopped = true;
  let ending = false;
  let dataAt: number | null = null;
  let refused: string | null = null;
  let status: ConnectionStatus = { state: 'offline', announced: false, dataAt };

  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const refreshStatus = (): void => {
    const { value } = actor.getSnapshot();
    const state: ConnectionState = value === 'online' || value === 'catching_up' ? value : 'offline';
    const announced = actor.getSnapshot().matches({ offline: 'announced' });
    const next: ConnectionStatus = {
      state,
      announced,
      dataAt,
      ...(refused !== null && { refused }),
      ...(retry !== null && { retryAt: retry.at }),
    };
    if (!isAlike(status, next)) status = next;
    tell();
  };
  actor.subscribe(refreshStatus);

  const socket = deps.socket((answer) => {
    deps.token().then(
      (token) => answer({ token, protocolVersion, patches: true }),
      () => answer({ token: '', protocolVersion, patches: true }),
    );
  });

  const scopes = heldScopes({
    replica,
    socket,
    clock,
    onChange: tell,
    onCaughtUp: () => actor.send({ type: 'CAUGHT_UP' }),
    onOpened: (scope) => presence.opened(scope),
    onDropped: (scope) => presence.forget(scope),
  });

  const presence = presenceDesk({
    send: (message) => socket.emit('presence', message),
    ready: (scope) => socket.connected && scopes.isOpen(scope),
    clock,
    onChange: tell,
  });

  const authors = changeAuthors({ replica, now: clock.now });

  const cancelRetry = (): void => {
    if (retry !== null) clock.clearTimeout(retry.timer);
    retry = null;
  };

  const reconnectLater = (wait = retryTime): void => {
    if (stopped || ending || retry !== null) return;
    const timer = clock.setTimeout(() => {
      retry = null;
      refreshStatus();
      if (!stopped && !socket.connected) socket.connect();
    }, wait);
    retry = { timer, at: clock.now() + wait };
    refreshStatus();
  };

  /** The server could not be reached: each time it is given longer. */
  const reconnectLaterAndLater = (): void => {
    if (retry !== null) return;
    const wait = backOff({ first: firstWait, longest: longestWait }, failures);
    failures += 1;
    reconnectLater(Math.round(wait * (0.5 + deps.chance() / 2)));
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
    refused = null;
    failures = 0;
    cancelRetry();
    actor.send({ type: 'CONNECTED' });
    scopes.connected();
  });

  socket.on('disconnect', (reason) => {
    scopes.disconnected();
    presence.lost();
    dataAt = clock.now();
    actor.send({ type: 'DISCONNECTED' });
    refreshStatus();
    if (reason === 'io server disconnect') reconnectLater();
    else if (reason !== 'io client disconnect') reconnectLaterAndLater();
  });

  socket.on('connect_error', (error: Error & { data?: ProblemBody }) => {
    refused = error.data?.code === 'RATE_LIMITED' ? error.data.error : null;
    refreshStatus();
    if (error.data?.code === 'UNAUTHENTICATED') void renewThenReconnect();
    else if (error.data?.code === 'LICENSE_INACTIVE') {
      ending = true;
      void endSession('LICENSE_INACTIVE', error.data.error);
    } else if (error.data === undefined) reconnectLaterAndLater();
    else reconnectLater();
  });

  socket.on('changes', (changes) => {
    if (!scopes.listens(changes.scope)) return;
    authors.hear(changes.docs);
    if (replica.apply(changes)) {
      if (changes.last) scopes.completed(changes.scope);
      else scopes.progressed(changes.scope, changes.progress);
      return;
    }
    deps.onMisfit(changes.scope, changes.position);
    scopes.loadAnew(changes.scope);
  });

  socket.on('presence', (message) => {
    if (scopes.held(message.scope)) presence.heard(message);
  });

  socket.on('reset', ({ scope }) => {
    if (scopes.held(scope)) scopes.loadAnew(scope);
  });

  socket.on('session-ended', ({ code, message }) => {
    if (code === 'SERVER_STOPPING') return reconnectLater();
    ending = true;
    void endSession(code, message);
  });

  return {
    start() {
      stopped = false;
      actor.start();
      socket.connect();
    },
    stop() {
      stopped = true;
      cancelRetry();
      scopes.stop();
      socket.disconnect();
      actor.stop();
    },
    hold: (scope) => scopes.hold(scope),
    retryNow() {
      if (socket.connected) return scopes.askRefusedAgain();
      failures = 0;
      cancelRetry();
      refreshStatus();
      socket.disconnect().connect();
    },
    renew(token) {
      if (socket.connected) socket.timeout(ackTimeout).emit('renew', { token }, () => undefined);
    },
    status: () => status,
    scopeStatus: (scope) => scopes.status(scope),
    present: (scope, focus) => presence.show(scope, focus),
    people: (scope) => presence.people(scope),
    authorOf: (placementId, member) => authors.of(placementId, member),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
