import { type Problem, toProblemBody } from '@zakup/contracts/problems';
import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { handshakeSchema } from '@zakup/contracts/socket';
import { authenticateToken } from '@zakup/credentials/authenticate';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { problemOf } from '@zakup/service-kit/problem-middleware';
import type { GatewayDeps } from '../deps.ts';
import { viewerOf } from '../http/person.ts';
import type { SocketData } from './outgoing.ts';

export type Handshake =
  | { readonly kind: 'welcome'; readonly data: SocketData }
  | { readonly kind: 'refused'; readonly problem: Problem };

export const refused = (code: Problem['code'], message: string): Handshake => ({
  kind: 'refused',
  problem: { code, message },
});

const handshake = async (deps: GatewayDeps, auth: unknown): Promise<Handshake> => {
  const parsed = handshakeSchema.safeParse(auth);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]));
    if (wrong.has('token') || wrong.has(undefined)) return refused('UNAUTHENTICATED', messages.tokenMissing);
    return refused(
      'VALIDATION_FAILED',
      wrong.has('protocolVersion') ? messages.protocolUnknown : messages.messageInvalid,
    );
  }
  const authenticated = await authenticateToken(deps, parsed.data.token);
  if (authenticated.kind === 'refused') return { kind: 'refused', problem: signInProblems[authenticated.reason] };
  const { session, expiresAt } = authenticated;
  const viewer = await viewerOf(deps, session);
  if (viewer === null) return refused('UNAUTHENTICATED', messages.sessionExpired);
  const verdict = may(viewer.person, 'screen.profile');
  if (!verdict.allowed) return refused(verdict.code, verdict.message);
  const { person } = viewer;
  return {
    kind: 'welcome',
    data: { userId: session.userId, signedIn: { session, expiresAt, person, patches: parsed.data.patches } },
  };
};

/** What `connect_error` carries in `data`. */
export const connectError = (problem: Problem, correlationId: string): Error =>
  Object.assign(new Error(problem.message), { data: toProblemBody(problem, correlationId) });

/** Who it is that opens a line, or why they may not. */
export const admit = async (deps: GatewayDeps, auth: unknown, correlationId: string): Promise<Handshake> => {
  try {
    return await handshake(deps, auth);
  } catch (error) {
    deps.log.error({ err: error, correlationId }, 'A socket could not be admitted');
    return { kind: 'refused', problem: problemOf(error) };
  }
};
