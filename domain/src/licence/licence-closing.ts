import type { LicenceEvent } from './events.ts';
import type { Licence } from './state.ts';

const day = 24 * 60 * 60 * 1000;

/** From the owner's word to the end of access (ACT-26). */
const closingDays = 7;

/** Days before that end at which it is told of once more. */
export const closingNoticeDays = [1] as const;

export const closesAtFrom = (now: string): string => new Date(Date.parse(now) + closingDays * day).toISOString();

/** What happens to a closing by itself. */
export type ClosingStep = `closing-notice-${(typeof closingNoticeDays)[number]}` | 'closed';

export interface DueClosingStep {
  readonly step: ClosingStep;
  /** UTC instant, ISO 8601, at which it happens. */
  readonly at: string;
  readonly event: LicenceEvent;
}

/** What comes next in the licence's closing, however long ago it was due; null = nothing: it is not closing, or closed already. */
export const nextClosingStep = ({ closing = null }: Licence): DueClosingStep | null => {
  if (closing === null || closing.closed) return null;
  const { closesAt, noticed } = closing;
  const daysBefore = closingNoticeDays.find((days) => !noticed.includes(days));
  if (daysBefore === undefined) return { step: 'closed', at: closesAt, event: { type: 'LicenceClosed', data: {} } };
  return {
    step: `closing-notice-${daysBefore}`,
    at: new Date(Date.parse(closesAt) - daysBefore * day).toISOString(),
    event: { type: 'LicenceClosingNoticed', data: { daysBefore, closesAt } },
  };
};

/** Whether access has ended at an instant (ISO 8601): at that very instant, recorded yet or not; what is recorded stays so. */
export const isClosed = ({ closing = null }: Licence, now: string): boolean =>
  closing !== null && (closing.closed || Date.parse(now) >= Date.parse(closing.closesAt));
