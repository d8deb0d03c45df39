import type { ProblemBody } from '@zakup/contracts/problems';
import type { ClientToServer, PatchingChanges, ServerToClient } from '@zakup/contracts/socket';
import { protocolVersion } from '@zakup/contracts/socket';
import type { Socket } from 'socket.io-client';
import type { Replica } from '../replica/replica.ts';
import { arrivedChanges, type ArrivedChangesDeps } from './arrived-changes.ts';
import { changeAuthors, type ValueAuthor } from './change-authors.ts';
import { ConnectionMonitor, type ConnectionStatus } from './connection-monitor.ts';
import { ackTimeout, HeldScopes, type ScopeStatus } from './held-scopes.ts';
import { type Focus, presenceDesk, type PresentPerson } from './presence.ts';
import { Reconnection, type ReconnectionDeps } from './reconnection.ts';

export type LiveSocket = Pick<
  Socket<ServerToClient, ClientToServer>,
  'connected' | 'connect' | 'disconnect' | 'on' | 'off' | 'emit' | 'timeout'
>;

interface Handshake {
  readonly token: string;
  readonly protocolVersion: number;
  readonly patches: boolean;
}

export interface LiveDeps
  extends Pick<ReconnectionDeps, 'refreshToken' | 'onSessionEnded' | 'clock' | 'chance'>,
    Pick<ArrivedChangesDeps, 'beforePaint'> {
  readonly replica: Replica;
  /** Makes the socket, not yet connecting, which never tries again by itself; `auth` is asked at every attempt. */
  readonly socket: (auth: (answer: (data: Handshake) => void) => void) => LiveSocket;
  /** A token that is still good (refreshed before when it is not). Rejects when there is none to be had now. */
  readonly token: () => Promise<string>;
  /** A patch was made for something else than what is here, which is an error of the server: the scope is loaded anew. */
  readonly onMisfit: (scope: string, position: number) => void;
}

export type { ConnectionStatus } from './connection-monitor.ts';
export type { ScopeStatus } from './held-scopes.ts';

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

/** What the events of the server go to. */
interface LiveParts extends Pick<LiveDeps, 'replica' | 'onMisfit'> {
  readonly socket: LiveSocket;
  readonly monitor: ConnectionMonitor;
  readonly reconnection: Reconnection;
  readonly scopes: HeldScopes;
  readonly presence: ReturnType<typeof presenceDesk>;
  readonly authors: ReturnType<typeof changeAuthors>;
  readonly arrived: ReturnType<typeof arrivedChanges>;
}

const listenToLine = ({ socket, monitor, reconnection, scopes, presence, arrived }: LiveParts): void => {
  socket.on('connect', () => {
    reconnection.connected();
    monitor.connected();
    scopes.connected();
  });

  socket.on('disconnect', (reason) => {
    arrived.flush();
    scopes.disconnected();
    presence.lost();
    monitor.disconnected();
    if (reason === 'io server disconnect') reconnection.later();
    else if (reason !== 'io client disconnect') reconnection.laterAndLater();
  });

  socket.on('connect_error', (error: Error & { data?: ProblemBody }) => {
    monitor.failed(error.data?.code === 'RATE_LIMITED' ? error.data.error : null);
    if (error.data?.code === 'UNAUTHENTICATED') void reconnection.withNewToken();
    else if (error.data?.code === 'LICENSE_INACTIVE')
      void reconnection.afterSession('LICENSE_INACTIVE', error.data.error);
    else if (error.data === undefined) reconnection.laterAndLater();
    else reconnection.later();
  });

  socket.on('session-ended', ({ code, message }) => {
    if (code === 'SERVER_STOPPING') reconnection.later();
    else void reconnection.afterSession(code, message);
  });
};

/** Takes over what came of a scope, unless that was asked for anew or let go of meanwhile. */
const takeChanges = ({ replica, onMisfit, scopes, authors }: LiveParts, changes: PatchingChanges): void => {
  if (!scopes.listens(changes.scope)) return;
  authors.hear(changes.docs);
  if (replica.apply(changes)) {
    if (changes.last) scopes.completed(changes.scope);
    else scopes.progressed(changes.scope, changes.progress);
    return;
  }
  onMisfit(changes.scope, changes.position);
  scopes.loadAnew(changes.scope);
};

const listenToScopes = ({ socket, scopes, presence, arrived }: LiveParts): void => {
  socket.on('changes', (changes) => {
    if (!scopes.listens(changes.scope)) return;
    // A load is taken in part by part as it comes, so that none of its tasks is long.
    if (changes.last && scopes.isCurrent(changes.scope)) arrived.gather(changes);
    else arrived.takeNow(changes);
  });

  socket.on('presence', (message) => {
    if (scopes.held(message.scope)) presence.heard(message);
  });

  socket.on('reset', ({ scope }) => {
    if (scopes.held(scope)) scopes.loadAnew(scope);
  });
};

/** The parts of a line that is not opened yet, each wired to what it tells. */
const openParts = (deps: LiveDeps, onChange: () => void): LiveParts => {
  const { replica, clock } = deps;
  const monitor = new ConnectionMonitor({ clock, retryAt: () => reconnection.retryAt, onChange });

  const socket = deps.socket((answer) => {
    deps.token().then(
      (token) => answer({ token, protocolVersion, patches: true }),
      () => answer({ token: '', protocolVersion, patches: true }),
    );
  });

  const reconnection = new Reconnection({
    socket,
    clock,
    chance: deps.chance,
    refreshToken: deps.refreshToken,
    onSessionEnded: deps.onSessionEnded,
    onChange: () => monitor.refresh(),
  });

  const scopes = new HeldScopes({
    replica,
    socket,
    clock,
    onChange,
    onCaughtUp: () => monitor.caughtUp(),
    onAsked: (scope) => arrived.discard(scope),
    onOpened: (scope) => presence.opened(scope),
    onDropped: (scope) => {
      arrived.discard(scope);
      presence.forget(scope);
    },
  });

  const presence = presenceDesk({
    send: (message) => socket.emit('presence', message),
    ready: (scope) => socket.connected && scopes.isOpen(scope),
    clock,
    onChange,
  });

  const authors = changeAuthors({ replica, now: clock.now });
  const arrived = arrivedChanges({
    beforePaint: deps.beforePaint,
    // One that cannot be taken over keeps none of the others from it; its scope is asked for anew.
    take: (messages) => {
      const failures: unknown[] = [];
      replica.together(() => {
        for (const message of messages)
          try {
            takeChanges(parts, message);
          } catch (error) {
            failures.push(error);
            scopes.loadAnew(message.scope);
          }
      });
      if (failures.length > 0) throw failures[0];
    },
  });
  const { onMisfit } = deps;
  const parts: LiveParts = { replica, onMisfit, socket, monitor, reconnection, scopes, presence, authors, arrived };
  return parts;
};

export const liveConnection = (deps: LiveDeps): Live => {
  const listeners = new Set<() => void>();
  const parts = openParts(deps, () => {
    for (const listener of listeners) listener();
  });
  const { socket, monitor, reconnection, scopes, presence, authors } = parts;
  listenToLine(parts);
  listenToScopes(parts);

  return {
    start() {
      reconnection.start();
      monitor.start();
      socket.connect();
    },
    stop() {
      reconnection.stop();
      scopes.stop();
      socket.disconnect();
      monitor.stop();
    },
    hold: (scope) => scopes.hold(scope),
    retryNow() {
      if (socket.connected) scopes.askRefusedAgain();
      else reconnection.now();
    },
    renew(token) {
      if (socket.connected) socket.timeout(ackTimeout).emit('renew', { token }, () => undefined);
    },
    status: () => monitor.status,
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
