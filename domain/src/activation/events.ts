import type { DomainEvent, NoData } from '../decider.ts';

/** That a code was made, accepted and used up; the code itself lives in the credential store. */
export type ActivationEvent =
  | DomainEvent<
      'ActivationCodeIssued',
      {
        readonly by: 'admin' | 'owner';
        /** UTC instant, ISO 8601. */
        readonly validUntil: string;
      }
    >
  | DomainEvent<'ActivationCodeAccepted', NoData>
  | DomainEvent<'ActivationCompleted', NoData>;
