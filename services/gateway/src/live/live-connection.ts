import { presenceSchema } from '@zakup/contracts/socket';
import type { SessionEndCode } from '@zakup/contracts/socket';
import type { SessionEnd } from '@zakup/credentials/credentials';
import { messages } from '@zakup/domain/messages';
import { problemOf } from '@zakup/service-kit/problem-middleware';
import type { GatewayDeps } from '../deps.ts';
import { reassess } from './connection-rights.ts';
import {
  connectionState,
  type ConnectionState,
  drop,
  endConnection,
  expireAt,
  refusal,
  type Reply,
  resetScope,
} from './connection-state.ts';
import { type IncomingLimits, inbox } from './incoming.ts';
import type { LicenceHub, LiveConnection } from './licence-hub.ts';
import { cut, type LiveSocket, type SignedIn, waitingBytes } from './outgoing.ts';
import { handleMessage } from './socket-messages.ts';

const endCodes: Readonly<Record<SessionEnd['reason'], SessionEndCode>> = {
  logged_out: 'LOGGED_OUT',
  revoked: 'SESSION_REVOKED',
  reused: 'SESSION_REVOKED',
  expired: 'TOKEN_EXPIRED',
  password_changed: 'SESSION_REVOKED',
};

export interface LiveConnectionOptions {
  readonly deps: GatewayDeps;
  readonly hub: LicenceHub;
  readonly socket: LiveSocket;
  readonly signedIn: SignedIn;
  readonly limits: Pick<IncomingLimits, 'messages' | 'refusals'>;
  /** Bytes under way to the socket above which it gets no answers. */
  readonly bufferLimit: number;
}

const knownEvents: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe', 'renew', 'presence']);
/** What somebody else says is in no line. */
const knownEvent = (event: string): string => (knownEvents.has(event) ? event : 'other');

/** Answers once; without an ack a refusal goes as an event of its own. */
const replyWith = ({ socket, deps, session }: ConnectionState, event: string, ack: unknown): Reply => {
  let answered = false;
  return (answer) => {
    if (answered) return;
    answered = true;
    if (!answer.ok) {
      const { instance: correlationId, code: problem } = answer.problem;
      deps.log.debug(
        { correlationId, event: knownEvent(event), problem, licenceId: session.licenceId },
        'A message was refused',
      );
    }
    if (typeof ack === 'function') (ack as Reply)(answer);
    else if (!answer.ok) socket.emit('problem', answer.problem);
  };
};

const answer = async (state: ConnectionState, event: string, message: unknown, reply: Reply): Promise<void> => {
  if (state.ended) return;
  try {
    await handleMessage(state, event, message, reply);
  } catch (error) {
    const refused = refusal(problemOf(error));
    const correlationId = refused.problem.instance;
    state.deps.log.error({ err: error, event: knownEvent(event), correlationId }, 'A message could not be handled');
    reply(refused);
  }
};

/** Takes what the socket says, one message after another from when `ready` resolves on. */
const listen = (
  state: ConnectionState,
  ready: Promise<void>,
  { limits, bufferLimit }: Pick<LiveConnectionOptions, 'limits' | 'bufferLimit'>,
): void => {
  const { socket } = state;
  const incoming = inbox({ socket, ready, bufferLimit });
  const isLineFull = (): boolean => waitingBytes(socket) > bufferLimit;

  /** Says so once in a while: an answer for each message would let the sender fill the line. */
  const tooMany = (reply: Reply): void => {
    if (isLineFull() || limits.refusals.take(socket.id).kind === 'limited') return;
    reply(refusal({ code: 'RATE_LIMITED', message: messages.tooManyMessages }));
  };

  socket.onAny((event: string, ...args: unknown[]) => {
    if (state.ended) return;
    const reply = replyWith(state, event, args.at(-1));
    if (limits.messages.take(socket.id).kind === 'limited') return tooMany(reply);
    const message = typeof args[0] === 'function' ? undefined : args[0];
    const presence = event === 'presence' ? presenceSchema.safeParse(message) : null;
    const replaces = presence?.success === true ? presence.data.scope : null;
    if (incoming.put({ replaces, handle: () => answer(state, event, message, reply) })) return;
    if (isLineFull()) cut(socket.conn);
    else tooMany(reply);
  });
};

/** One socket of a signed-in person: answers its messages, ends with its token, its session or its rights. */
export const liveConnection = (options: LiveConnectionOptions): LiveConnection => {
  const { deps, hub, socket, signedIn } = options;
  const state = connectionState({ deps, hub, socket }, signedIn);
  const connection: LiveConnection = {
    userId: state.session.userId,
    sessionId: () => state.session.id,
    end: (code) => endConnection(state, code),
    sessionEnded: (reason) => endConnection(state, endCodes[reason]),
    reassess: () => reassess(state),
    resetScope: (name) => resetScope(state, name),
  };

  // Everything that came before rights and session are known to be current waits, and each message waits for the one before.
  const ready = (async () => {
    await hub.join(connection);
    const current = await deps.credentials.session(state.session.id, deps.now());
    if (current === null) return endConnection(state, 'SESSION_REVOKED');
    await reassess(state);
  })().catch((error: unknown) => {
    deps.log.error({ err: error }, 'A socket could not be opened');
    // The line, not the session: the client comes again by itself, and is told then.
    cut(socket.conn);
  });
  listen(state, ready, options);

  socket.once('disconnect', () => {
    state.ended = true;
    if (state.expiry !== null) clearTimeout(state.expiry);
    for (const name of state.held.keys()) drop(state, name);
    hub.leave(connection);
  });

  expireAt(state, signedIn.expiresAt);
  return connection;
};
