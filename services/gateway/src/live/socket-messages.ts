import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { presenceSchema, renewSchema, subscribeSchema, unsubscribeSchema } from '@zakup/contracts/socket';
import { authenticateToken } from '@zakup/credentials/authenticate';
import { messages } from '@zakup/domain/messages';
import type { z } from 'zod';
import { type ConnectionState, drop, expireAt, refusal, type Reply } from './connection-state.ts';
import { subscribe } from './subscribe.ts';

const renew = async (state: ConnectionState, { token }: z.output<typeof renewSchema>, reply: Reply): Promise<void> => {
  const { userId, licenceId } = state.session;
  const renewed = await authenticateToken(state.deps, token);
  if (renewed.kind === 'refused') return reply(refusal(signInProblems[renewed.reason]));
  if (renewed.session.userId !== userId || renewed.session.licenceId !== licenceId)
    return reply(refusal({ code: 'UNAUTHENTICATED', message: messages.sessionExpired }));
  state.session = renewed.session;
  expireAt(state, renewed.expiresAt);
  reply({ ok: true });
};

const present = (
  { held, socket, session, person }: ConnectionState,
  { scope, focus }: z.output<typeof presenceSchema>,
  reply: Reply,
): void => {
  const found = held.get(scope);
  if (found === undefined || found.scope.kind === 'me')
    return reply(refusal({ code: 'NOT_FOUND', message: messages.notSubscribed }));
  found.channel.presence.set(socket, { sessionId: session.id, userId: session.userId, name: person.name }, focus);
};

/** Null: it was refused. */
const parsed = <Schema extends z.ZodType>(schema: Schema, message: unknown, reply: Reply): z.output<Schema> | null => {
  const result = schema.safeParse(message);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({
    pointer: issue.path.length === 0 ? '' : `/${issue.path.map(String).join('/')}`,
    detail: messages.messageInvalid,
  }));
  reply(refusal({ code: 'VALIDATION_FAILED', message: messages.messageInvalid, errors }));
  return null;
};

/** Carries out one message of a client. Throws what the stores throw. */
export const handleMessage = async (
  state: ConnectionState,
  event: string,
  message: unknown,
  reply: Reply,
): Promise<void> => {
  if (event === 'subscribe') {
    const body = parsed(subscribeSchema, message, reply);
    if (body !== null) await subscribe(state, body, reply);
  } else if (event === 'unsubscribe') {
    const body = parsed(unsubscribeSchema, message, reply);
    if (body === null) return;
    drop(state, body.scope);
    reply({ ok: true });
  } else if (event === 'renew') {
    const body = parsed(renewSchema, message, reply);
    if (body !== null) await renew(state, body, reply);
  } else if (event === 'presence') {
    const body = parsed(presenceSchema, message, reply);
    if (body !== null) present(state, body, reply);
  } else {
    reply(refusal({ code: 'VALIDATION_FAILED', message: messages.messageUnknown }));
  }
};
