import type { LicenceEvent } from './events.ts';
import type { Licence } from './state.ts';

const day = 24 * 60 * 60 * 1000;

/** Days before the end of a term at which it is told of (ACT-22). */
export const noticeDays = [30, 7, 1] as const;

const graceDays = 7;

const later = (instant: string, days: number): string => new Date(Date.parse(instant) + days * day).toISOString();

/** The end of the grace period that follows this term (ACT-16): an instant, UTC, ISO 8601. */
export const graceEndOf = ({ expiresAt, graceUntil }: Pick<Licence, 'expiresAt' | 'graceUntil'>): string =>
  graceUntil ?? later(expiresAt, graceDays);

/** What happens to a term by itself. */
export type TermStep = `notice-${(typeof noticeDays)[number]}` | 'grace' | 'expiry';

export interface DueStep {
  readonly step: TermStep;
  /** UTC instant, ISO 8601, at which it happens. */
  readonly at: string;
  readonly event: LicenceEvent;
}

const noticesOf = ({ expiresAt, term }: Licence): readonly DueStep[] =>
  noticeDays
    .map((daysBefore): DueStep & { readonly daysBefore: number } => ({
      daysBefore,
      step: `notice-${daysBefore}`,
      at: later(expiresAt, -daysBefore),
      event: { type: 'LicenceExpiryNoticed', data: { daysBefore, expiresAt } },
    }))
    // A term that began with less than that ahead is not told of as if it had more.
    .filter(
      ({ daysBefore, at }) =>
        term !== undefined && !term.noticed.includes(daysBefore) && Date.parse(at) >= Date.parse(term.since),
    );

/** What comes next in the licence's term, however long ago it was due; null = nothing any more until it is renewed. Suspension does not stop a term. */
export const nextStep = (licence: Licence): DueStep | null => {
  const { expiresAt, graceUsed, term } = licence;
  if (term === undefined || term.expired) return null;
  const until = graceEndOf(licence);
  if (graceUsed) return { step: 'expiry', at: until, event: { type: 'LicenceExpired', data: {} } };
  return (
    noticesOf(licence)[0] ?? { step: 'grace', at: expiresAt, event: { type: 'LicenceGraceStarted', data: { until } } }
  );
};
