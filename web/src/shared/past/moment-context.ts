import { createContext, use } from 'react';
import type { Replica } from '../replica/replica.ts';

/** The moment that the screen shows. */
export interface Moment {
  /** Place in the log. */
  readonly position: number;
  /** UTC instant of its event, ISO 8601; null until it is known. */
  readonly at: string | null;
  /** Everything as it is now. */
  readonly now: Replica;
}

const MomentContext = createContext<Moment | null>(null);

export const MomentProvider = MomentContext.Provider;

/** The moment of the past that everything below shows; null = now. */
export const useMoment = (): Moment | null => use(MomentContext);
