import { createContext, use } from 'react';
import type { Timeline } from './use-timeline.ts';
import type { PastState } from './past-moments.ts';

/** Going through the time, for those who show the way there. */
export interface Past {
  /** Null = the screen shows now. */
  readonly state: PastState | null;
  /** Whose events are counted: a campaign's, or null = all of the licence. */
  readonly campaignId: string | null;
  /** How much happened when; null until it is known. */
  readonly timeline: Timeline | null;
  /** Begins at the end of the log; the campaign goes into the address with the moment. */
  readonly enter: (campaignId: string | null) => void;
  /** Goes to a position or a time with its zone. */
  readonly go: (at: string) => void;
  readonly retry: () => void;
  readonly leave: () => void;
}

const PastContext = createContext<Past | null>(null);

export const PastProvider = PastContext.Provider;

/** Null where no moment can be chosen. */
export const usePast = (): Past | null => use(PastContext);
