import type { LicenceStatus } from '../permissions.ts';
import type { Licence } from './state.ts';

/** Where a licence stands at an instant (ISO 8601). A term ends at its very instant, and so does its grace period. */
export const licenceStatus = (licence: Licence, now: string): LicenceStatus => {
  if (licence.suspended !== null) return 'suspended';
  const instant = Date.parse(now);
  if (instant < Date.parse(licence.expiresAt)) return 'active';
  return licence.graceUntil !== null && instant < Date.parse(licence.graceUntil) ? 'grace_period' : 'expired';
};
