import type { ReservationCategory } from './events.ts';

/**
 * The stream of one reserved value. `valueHash` is lower-case hex, made by the caller, so that the value is not
 * readable. `nick` and `email` belong to a licence; the others are global and take no licence.
 */
export function reservationStream(category: 'nick' | 'email', licenceId: string, valueHash: string): string;
export function reservationStream(
  category: 'authcode' | 'chosencode' | 'licencekey',
  licenceId: null,
  valueHash: string,
): string;
export function reservationStream(category: ReservationCategory, licenceId: string | null, valueHash: string): string {
  return `${category}-${licenceId ?? valueHash.slice(0, 2)}~${valueHash}`;
}
