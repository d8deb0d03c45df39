import type { LicenceStatus } from '../permissions.ts';
import { isClosed } from './licence-closing.ts';
import { graceEndOf } from './licence-term.ts';
import type { Licence } from './state.ts';

/**
 * Where a licence stands at an instant (ISO 8601). A term ends at its very instant, and so does its grace period, whether that is
 * recorded yet or not; what is recorded stays so, also for a clock that is behind. The same goes for a closing.
 */
export const licenceStatus = (licence: Licence, now: string): LicenceStatus => {
  if (licence.suspended !== null) return 'suspended';
  if (isClosed(licence, now)) return 'closed';
  const instant = Date.parse(now);
  if (licence.term?.expired === true || instant >= Date.parse(graceEndOf(licence))) return 'expired';
  return licence.graceUsed || instant >= Date.parse(licence.expiresAt) ? 'grace_period' : 'active';
};

/** Whether the term's grace period has begun at an instant, and until when it goes; null = not begun. */
export const graceUntilAt = (licence: Licence, now: string): string | null =>
  licence.graceUsed || Date.parse(now) >= Date.parse(licence.expiresAt) ? graceEndOf(licence) : null;
