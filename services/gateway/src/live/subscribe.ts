import type { subscribeSchema } from '@zakup/contracts/socket';
import { messages } from '@zakup/domain/messages';
import { problemOf } from '@zakup/service-kit/problem-middleware';
import type { z } from 'zod';
import { limits } from '../http/limits/limits.ts';
import { Refused } from '../http/refused.ts';
import { waitForPosition } from '../http/wait-for-position.ts';
import { ownSessions } from '../lists/session.routes.ts';
import { aliasesOf } from '../read-models/aliases.ts';
import { rowOf } from '../read-models/rows.ts';
import { reassess } from './connection-rights.ts';
import { type ConnectionState, drop, refusal, type Reply } from './connection-state.ts';
import { isWhole } from './feed-progress.ts';
import { mayOpen, type Scope, scopeOf } from './scope.ts';
import type { Subscription } from './subscription.ts';
import { viewOf } from './view.ts';

/** Scopes one socket may look at together. */
const mostScopes = 64;

const exists = async ({ deps, session: { licenceId } }: ConnectionState, scope: Scope): Promise<boolean> => {
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

const subscriptionTo = (state: ConnectionState, scope: Scope): Subscription => {
  const subscription: Subscription = {
    socket: state.socket,
    view: viewOf(state.person, scope, state.deps.codes),
    patches: state.patches,
    extras: async (position) =>
      scope.kind === 'me'
        ? (await ownSessions(state.deps, state.session)).map((doc) => ({ kind: 'session', id: doc.id, position, doc }))
        : [],
    confirm: () => reassess(state),
    onReset: () => {
      if (state.held.get(scope.name)?.subscription === subscription) drop(state, scope.name);
    },
    phase: 'catching',
    position: -1,
    reaches: -1,
    began: -1,
  };
  return subscription;
};

const open = (state: ConnectionState, scope: Scope, since: number | undefined, reply: Reply): void => {
  const { held, socket, hub, deps } = state;
  const { name } = scope;
  const channel = hub.channel(scope);
  const subscription = subscriptionTo(state, scope);
  held.set(name, { scope, channel, subscription });
  const isHere = (): boolean => held.get(name)?.subscription === subscription;
  const opening = {
    since,
    rightsAt: state.rightsAt,
    opened: (at: { readonly position: number; readonly reset: boolean }) => {
      reply({ ok: true, ...at });
      // Who has left meanwhile, or may not be here any more, is not told who is.
      if (isHere()) channel.presence.welcome(socket);
    },
  };
  // Not waited for: other messages of the socket need not stand behind a large load.
  channel.feed.open(subscription, opening).catch((error: unknown) => {
    const wasHere = isHere();
    if (wasHere) drop(state, name);
    if (error instanceof Refused) return reply(refusal(error.problem));
    // What was read for whoever has left was stopped.
    const refused = refusal(problemOf(error));
    const correlationId = refused.problem.instance;
    if (wasHere) deps.log.error({ err: error, scope: name, correlationId }, 'A scope could not be opened');
    reply(refused);
  });
};

/** Opens a scope for the socket: all of it, or what it missed, then what changes. */
export const subscribe = async (
  state: ConnectionState,
  { scope: name, since }: z.output<typeof subscribeSchema>,
  reply: Reply,
): Promise<void> => {
  const { deps, hub, held, socket } = state;
  const asker = { sessionId: state.session.id, licenceId: state.session.licenceId };
  const whole = isWhole(since, hub.position()) || (since ?? 0) <= state.rightsAt;
  const spent = deps.guard.charge(asker, whole ? limits.scopeCost : limits.cost.plain);
  if (spent !== null) return reply(refusal(spent));
  const scope = scopeOf(name, state.session.userId);
  const verdict = mayOpen(state.person, scope);
  if (!verdict.allowed) return reply(refusal({ code: verdict.code, message: verdict.message }));
  if (!(await exists(state, scope))) return reply(refusal({ code: 'NOT_FOUND', message: messages.notFound }));
  drop(state, name);
  if (held.size >= mostScopes) return reply(refusal({ code: 'RATE_LIMITED', message: messages.tooManyMessages }));
  // The person may have lost the right meanwhile.
  if (state.ended || !socket.connected) return;
  const now = mayOpen(state.person, scope);
  if (!now.allowed) return reply(refusal({ code: now.code, message: now.message }));
  open(state, scope, since, reply);
};
