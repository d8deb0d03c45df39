import { type RateLimit, rateLimit } from '@zakup/service-kit/rate-limit';

/** Messages that tell of nothing: five at once, of a licence, then one in five seconds. */
export const webhookTests = (now: () => number): RateLimit => rateLimit({ now, perSecond: 0.2, burst: 5 });
