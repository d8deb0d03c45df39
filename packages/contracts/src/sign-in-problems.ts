import { messages } from '@zakup/domain/messages';
import type { Problem } from './problems.ts';

/** What a request is refused with that no session in order stands behind, by the reason. */
export const signInProblems = {
  no_token: { code: 'UNAUTHENTICATED', message: messages.tokenMissing },
  over: { code: 'UNAUTHENTICATED', message: messages.sessionExpired },
  idle: { code: 'UNAUTHENTICATED', message: messages.adminIdle },
  password_change_only: { code: 'PASSWORD_CHANGE_REQUIRED', message: messages.passwordChangeRequired },
  key_denied: { code: 'ACCESS_DENIED', message: messages.keyDenied },
  key_read_only: { code: 'ACCESS_DENIED', message: messages.keyReadOnly },
} as const satisfies Readonly<Record<string, Problem>>;

/** Too many keys that are none came from one address. */
export const tooManyKeys = (retryAfterSeconds: number): Problem => ({
  code: 'RATE_LIMITED',
  message: messages.tooManyKeys,
  retryAfterSeconds,
});
