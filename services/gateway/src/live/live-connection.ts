import { randomUUID } from 'node:crypto';
import { signInProblems } from '@zakup/contracts/sign-in-problems';
import type { Ack, SessionEndCode } from '@zakup/contracts/socket';
import { presenceSchema, renewSchema, subscribeSchema, unsubscribeSchema } from '@zakup/contracts/socket';
import { type Problem, toProblemBody } from '@zakup/contracts/problems';
import { authenticateToken } from '@zakup/credentials/authenticate';
import type { SessionEnd } from '@zakup/credentials/credentials';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { problemOf } from '@zakup/service-kit/problem-middleware';
import type { z } from 'zod';
import { aliasesOf } from '../read-models/aliases.ts';
import type { GatewayDeps } from '../deps.ts';
import { viewerOf } from '../http/person.ts';
import { limits as costs } from '../http/limits/limits.ts';
import { ownSessions } from '../lists/session.routes.ts';
import { waitForPosition } from '../http/wait-for-position.ts';
import { Refused } from '../http/refused.ts';
import { rowOf } from '../read-models/rows.ts';
import { type IncomingLimits, inbox } from './incoming.ts';
import type { Channel, LicenceHub, LiveConnection } from './licence-hub.ts';
import { cut, type LiveSocket, type SignedIn, waitingBytes } from './outgoing.ts';
import { mayOpen, type Scope, scopeOf } from './scope.ts';
import { isWhole } from './feed-progress.ts';
import type { Subscription } from './subscription.ts';
import { viewOf } from './view.ts';

/** Scopes one socket may look at together. */
const mostScopes = 64;

const endTexts: Readonly<Record<SessionEndCode, string>> = {
  LOGGED_OUT: messages.loggedOut,
  TOKEN_EXPIRED: messages.sessionExpired,
  SESSION_REVOKED: messages.sessionRevoked,
  ACCESS_DENIED: messages.accessDenied,
  LICENSE_INACTIVE: messages.licenceSuspended,
  SERVER_STOPPING: messages.stopping,
};

const endCodes: Readonly<Record<SessionEnd['reason'], SessionEndCode>> = {
  logged_out: 'LOGGED_OUT',
  revoked: 'SESSION_REVOKED',
  reused: 'SESSION_REVOKED',
  expired: 'TOKEN_EXPIRED',
  password_changed: 'SESSION_REVOKED',
};

type Reply = (answer: Ack) => void;

interface Held {
  readonly scope: Scope;
  readonly channel: Channel;
  readonly subscription: Subscription;
}

/** One socket of a signed-in person: answers its messages, ends with its token, its session or its rights. */
export const liveConnection = ({
  deps,
  hub,
  socket,
  signedIn,
  limits,
  bufferLimit,
}: {
  readonly deps: GatewayDeps;
  readonly hub: LicenceHub;
  readonly socket: LiveSocket;
  readonly signedIn: SignedIn;
  readonly limits: Pick<IncomingLimits, 'messages' | 'refusals'>;
  /** Bytes under way to the socket above which it gets no answers. */
  readonly bufferLimit: number;
}): LiveConnection => {
  const { userId, licenceId } = signedIn.session;
  const held = new Map<string, Held>();
  let { session, person } = signedIn;
  let rightsAt = 0;
  /** Which reading of the rights began last, and which one they are from. */
  let asked = 0;
  let applied = 0;
  let ended = false;
  let expiry: NodeJS.Timeout | null = null;

  const end = (code: SessionEndCode, message = endTexts[code]): void => {
    if (ended) return;
    ended = true;
    socket.emit('session-ended', { code, message });
    socket.disconnect(true);
  };

  const expireAt = (instant: number): void => {
    if (expiry !== null) clearTimeout(expiry);
    expiry = setTimeout(() => end('TOKEN_EXPIRED'), Math.max(0, instant - deps.now()));
  };

  const drop = (name: string): void => {
    const found = held.get(name);
    if (found === undefined) return;
    held.delete(name);
    found.channel.feed.end(found.subscription);
    found.channel.presence.leave(socket);
    hub.tidy(found.channel);
  };

  const resetScope = (name: string): void => {
    const found = held.get(name);
    if (found === undefined) return;
    found.channel.feed.reset(found.subscription);
    drop(name);
  };

  /** Ends, or takes away what the person's rights no longer open or open differently. */
  const applyRights = (): void => {
    const profile = may(person, 'screen.profile');
    if (!profile.allowed) return end(profile.code, profile.message);
    for (const { scope, subscription } of held.values()) {
      const same = viewOf(person, scope, deps.codes).key === subscription.view.key;
      if (!same || !mayOpen(person, scope).allowed) resetScope(scope.name);
    }
  };

  const reassess = async (): Promise<void> => {
    asked += 1;
    const begun = asked;
    const viewer = await viewerOf({ ...deps, patience: 0 }, session);
    // Rights that were read later are known already: these may be older.
    if (ended || begun < applied) return;
    applied = begun;
    if (viewer === null) return end('ACCESS_DENIED');
    ({ person, rightsAt } = viewer);
    applyRights();
  };

  const refusal = (problem: Problem): { ok: false; problem: ReturnType<typeof toProblemBody> } => ({
    ok: false,
    problem: toProblemBody(problem, randomUUID()),
  });

  const exists = async (scope: Scope): Promise<boolean> => {
    if (!('id' in scope)) return true;
    const { kind, id } = scope;
    const found = async () => {
      const named = kind === 'contractor' ? (await aliasesOf(deps.readStore, licenceId)).receiver(id) : id;
      return (await rowOf(deps.readStore, kind, named, licenceId)) !== null;
    };
    if (await found()) return true;
    // Made a moment ago: the reply may be here before the read models.
    await waitForPosition(deps, await deps.eventStore.head());
    return found();
  };

  const subscribe = async ({ scope: name, since }: z.output<typeof subscribeSchema>, reply: Reply): Promise<void> => {
    const asker = { sessionId: session.id, licenceId };
    const whole = isWhole(since, hub.position()) || (since ?? 0) <= rightsAt;
    const spent = deps.guard.charge(asker, whole ? costs.scopeCost : costs.cost.plain);
    if (spent !== null) return reply(refusal(spent));
    const scope = scopeOf(name, userId);
    const verdict = mayOpen(person, scope);
    if (!verdict.allowed) return reply(refusal({ code: verdict.code, message: verdict.message }));
    if (!(await exists(scope))) return reply(refusal({ code: 'NOT_FOUND', message: messages.notFound }));
    drop(name);
    if (held.size >= mostScopes) return reply(refusal({ code: 'RATE_LIMITED', message: messages.tooManyMessages }));
    // The person may have lost the right meanwhile.
    if (ended || !socket.connected) return;
    const now = mayOpen(person, scope);
    if (!now.allowed) return reply(refusal({ code: now.code, message: now.message }));
    const channel = hub.channel(scope);
    const subscription: Subscription = {
      socket,
      view: viewOf(person, scope, deps.codes),
      patches: signedIn.patches,
      extras: async (position) =>
        scope.kind === 'me'
          ? (await ownSessions(deps, session)).map((doc) => ({ kind: 'session', id: doc.id, position, doc }))
          : [],
      confirm: reassess,
      onReset: () => {
        if (held.get(name)?.subscription === subscription) drop(name);
      },
      phase: 'catching',
      position: -1,
      reaches: -1,
      began: -1,
    };
    held.set(name, { scope, channel, subscription });
    const opening = {
      since,
      rightsAt,
      opened: (at: { readonly position: number; readonly reset: boolean }) => {
        reply({ ok: true, ...at });
        channel.presence.welcome(socket);
      },
    };
    // Not waited for: other messages of the socket need not stand behind a large load.
    channel.feed.open(subscription, opening).catch((error: unknown) => {
      if (held.get(name)?.subscription === subscription) drop(name);
      if (error instanceof Refused) return reply(refusal(error.problem));
      deps.log.error({ err: error, scope: name }, 'A scope could not be opened');
      reply(refusal(problemOf(error)));
    });
  };

  const renew = async ({ token }: z.output<typeof renewSchema>, reply: Reply): Promise<void> => {
    const renewed = await authenticateToken(deps, token);
    if (renewed.kind === 'refused') return reply(refusal(signInProblems[renewed.reason]));
    if (renewed.session.userId !== userId || renewed.session.licenceId !== licenceId)
      return reply(refusal({ code: 'UNAUTHENTICATED', message: messages.sessionExpired }));
    session = renewed.session;
    expireAt(renewed.expiresAt);
    reply({ ok: true });
  };

  const present = ({ scope, focus }: z.output<typeof presenceSchema>, reply: Reply): void => {
    const found = held.get(scope);
    if (found === undefined || found.scope.kind === 'me')
      return reply(refusal({ code: 'NOT_FOUND', message: messages.notSubscribed }));
    found.channel.presence.set(socket, { sessionId: session.id, userId, name: person.name }, focus);
  };

  const parsed = <Schema extends z.ZodType>(
    schema: Schema,
    message: unknown,
    reply: Reply,
  ): z.output<Schema> | null => {
    const result = schema.safeParse(message);
    if (result.success) return result.data;
    const errors = result.error.issues.map((issue) => ({
      pointer: issue.path.length === 0 ? '' : `/${issue.path.map(String).join('/')}`,
      detail: messages.messageInvalid,
    }));
    reply(refusal({ code: 'VALIDATION_FAILED', message: messages.messageInvalid, errors }));
    return null;
  };

  const handle = async (event: string, message: unknown, reply: Reply): Promise<void> => {
    if (event === 'subscribe') {
      const body = parsed(subscribeSchema, message, reply);
      if (body !== null) await subscribe(body, reply);
    } else if (event === 'unsubscribe') {
      const body = parsed(unsubscribeSchema, message, reply);
      if (body === null) return;
      drop(body.scope);
      reply({ ok: true });
    } else if (event === 'renew') {
      const body = parsed(renewSchema, message, reply);
      if (body !== null) await renew(body, reply);
    } else if (event === 'presence') {
      const body = parsed(presenceSchema, message, reply);
      if (body !== null) present(body, reply);
    } else {
      reply(refusal({ code: 'VALIDATION_FAILED', message: messages.messageUnknown }));
    }
  };

  const connection: LiveConnection = {
    userId,
    sessionId: () => session.id,
    end,
    sessionEnded: (reason) => end(endCodes[reason]),
    reassess,
    resetScope,
  };

  /** Answers once; without an ack a refusal goes as an event of its own. */
  const replyWith = (ack: unknown): Reply => {
    let answered = false;
    return (answer) => {
      if (answered) return;
      answered = true;
      if (typeof ack === 'function') (ack as Reply)(answer);
      else if (!answer.ok) socket.emit('problem', answer.problem);
    };
  };

  // Everything that came before rights and session are known to be current waits, and each message waits for the one before.
  const ready = (async () => {
    await hub.join(connection);
    const current = await deps.credentials.session(session.id, deps.now());
    if (current === null) return end('SESSION_REVOKED');
    await reassess();
  })().catch((error: unknown) => {
    deps.log.error({ err: error }, 'A socket could not be opened');
    // The line, not the session: the client comes again by itself, and is told then.
    cut(socket.conn);
  });

  const incoming = inbox({ socket, ready, bufferLimit });

  const answered = async (event: string, message: unknown, reply: Reply): Promise<void> => {
    if (ended) return;
    try {
      await handle(event, message, reply);
    } catch (error) {
      deps.log.error({ err: error, event }, 'A message could not be handled');
      reply(refusal(problemOf(error)));
    }
  };

  const isLineFull = (): boolean => waitingBytes(socket) > bufferLimit;

  /** Says so once in a while: an answer for each message would let the sender fill the line. */
  const tooMany = (reply: Reply): void => {
    if (isLineFull() || limits.refusals.take(socket.id).kind === 'limited') return;
    reply(refusal({ code: 'RATE_LIMITED', message: messages.tooManyMessages }));
  };

  socket.onAny((event: string, ...args: unknown[]) => {
    if (ended) return;
    const reply = replyWith(args.at(-1));
    if (limits.messages.take(socket.id).kind === 'limited') return tooMany(reply);
    const message = typeof args[0] === 'function' ? undefined : args[0];
    const presence = event === 'presence' ? presenceSchema.safeParse(message) : null;
    const replaces = presence?.success === true ? presence.data.scope : null;
    if (incoming.put({ replaces, handle: () => answered(event, message, reply) })) return;
    if (isLineFull()) cut(socket.conn);
    else tooMany(reply);
  });

  socket.once('disconnect', () => {
    ended = true;
    if (expiry !== null) clearTimeout(expiry);
    for (const name of held.keys()) drop(name);
    hub.leave(connection);
  });

  expireAt(signedIn.expiresAt);
  return connection;
};
