import { randomUUID } from 'node:crypto';
import { type Problem, toProblemBody } from '@zakup/contracts/problems';
import type { Ack, SessionEndCode } from '@zakup/contracts/socket';
import type { Session } from '@zakup/credentials/credentials';
import { messages } from '@zakup/domain/messages';
import type { Person } from '@zakup/domain/permissions';
import type { GatewayDeps } from '../deps.ts';
import type { Channel } from './hub-channels.ts';
import type { LicenceHub } from './licence-hub.ts';
import type { LiveSocket, SignedIn } from './outgoing.ts';
import type { Scope } from './scope.ts';
import type { Subscription } from './subscription.ts';

const endTexts: Readonly<Record<SessionEndCode, string>> = {
  LOGGED_OUT: messages.loggedOut,
  TOKEN_EXPIRED: messages.sessionExpired,
  SESSION_REVOKED: messages.sessionRevoked,
  ACCESS_DENIED: messages.accessDenied,
  LICENSE_INACTIVE: messages.licenceSuspended,
  SERVER_STOPPING: messages.stopping,
};

/** A scope that the socket looks at. */
interface Held {
  readonly scope: Scope;
  readonly channel: Channel;
  readonly subscription: Subscription;
}

/** What one socket stands at, between its messages. */
export interface ConnectionState {
  readonly deps: GatewayDeps;
  readonly hub: LicenceHub;
  readonly socket: LiveSocket;
  readonly patches: boolean;
  /** By name. */
  readonly held: Map<string, Held>;
  /** Renewing may bring another one of the same person in the same licence. */
  session: Session;
  person: Person;
  /** Position of the last change of the person's rights. */
  rightsAt: number;
  /** Which reading of the rights began last, and which one they are from. */
  asked: number;
  applied: number;
  ended: boolean;
  expiry: NodeJS.Timeout | null;
}

export const connectionState = (
  { deps, hub, socket }: Pick<ConnectionState, 'deps' | 'hub' | 'socket'>,
  { session, person, patches }: SignedIn,
): ConnectionState => ({
  deps,
  hub,
  socket,
  patches,
  held: new Map(),
  session,
  person,
  rightsAt: 0,
  asked: 0,
  applied: 0,
  ended: false,
  expiry: null,
});

/** Answers a message. */
export type Reply = (answer: Ack) => void;

export const refusal = (problem: Problem): { ok: false; problem: ReturnType<typeof toProblemBody> } => ({
  ok: false,
  problem: toProblemBody(problem, randomUUID()),
});

/** Tells why, and closes. */
export const endConnection = (state: ConnectionState, code: SessionEndCode, message = endTexts[code]): void => {
  if (state.ended) return;
  state.ended = true;
  state.socket.emit('session-ended', { code, message });
  state.socket.disconnect(true);
};

/** Ends the connection at the instant, UTC milliseconds, and at none that was named before. */
export const expireAt = (state: ConnectionState, instant: number): void => {
  if (state.expiry !== null) clearTimeout(state.expiry);
  state.expiry = setTimeout(() => endConnection(state, 'TOKEN_EXPIRED'), Math.max(0, instant - state.deps.now()));
};

/** Looks at the scope no longer. */
export const drop = ({ held, socket, hub }: ConnectionState, name: string): void => {
  const found = held.get(name);
  if (found === undefined) return;
  held.delete(name);
  found.channel.feed.end(found.subscription);
  found.channel.presence.leave(socket);
  hub.tidy(found.channel);
};

/** Makes the client ask for the scope anew, where it has it. */
export const resetScope = (state: ConnectionState, name: string): void => {
  const found = state.held.get(name);
  if (found === undefined) return;
  found.channel.feed.reset(found.subscription);
  drop(state, name);
};
