import { messages } from '@zakup/domain/messages';
import type { Problem } from './problems.ts';

/** What every process refuses with before a call is looked at, or when it broke. */
export const frameProblems = {
  pathUnknown: { code: 'NOT_FOUND', message: messages.pathUnknown },
  requestMalformed: { code: 'MALFORMED', message: messages.requestMalformed },
  jsonMalformed: { code: 'MALFORMED', message: messages.jsonMalformed },
  contentTypeWrong: { code: 'MALFORMED', message: messages.contentTypeWrong },
  tooLarge: { code: 'TOO_LARGE', message: messages.tooLarge },
  unavailable: { code: 'UNAVAILABLE', message: messages.unavailable },
  internal: { code: 'INTERNAL', message: messages.internal },
} as const satisfies Readonly<Record<string, Problem>>;
