import { type RateBudget, rateLimit } from '@zakup/service-kit/rate-limit';

/** Refusals of one person for codes that a colleague has: so many at once, and as many again in an hour. */
const refusals = 100;
const secondsForAll = 3_600;

/**
 * Access codes that somebody gave a new person and a colleague had: each refusal tells that there is such a code, also of those whose code
 * the list of people hides from whoever asks (AUTH-40). By licence and person; out of reach of honest work, and of many calls at once.
 */
export const takenCodes = (now: () => number): RateBudget =>
  rateLimit({ now, perSecond: refusals / secondsForAll, burst: refusals });
