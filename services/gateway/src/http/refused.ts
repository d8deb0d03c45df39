import type { Problem } from '@zakup/contracts/problems';
import { messages } from '@zakup/domain/messages';

/** A read ends with this problem. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export const late: Problem = { code: 'UNAVAILABLE', message: messages.notCaughtUp, retryAfterSeconds: 1 };

export const expired: Problem = { code: 'UNAUTHENTICATED', message: messages.sessionExpired };

export const invalid = (errors: readonly { readonly pointer: string; readonly detail: string }[]): Problem => ({
  code: 'VALIDATION_FAILED',
  message: errors[0]?.detail ?? messages.unknownParameter,
  errors,
});
