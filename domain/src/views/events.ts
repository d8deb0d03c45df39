import type { DomainEvent } from '../decider.ts';

/** Views under names; outside of the audit. Stream `views-<licenceId>~<personId>` for one's own, `views-<licenceId>~team` for the team's. */
export type SavedViewEvent =
  /** `authorId` and `createdAt`: of a view that is back. Absent = who saved it, and when. */
  | DomainEvent<
      'ViewSaved',
      {
        readonly viewId: string;
        readonly name: string;
        readonly query: string;
        readonly authorId?: string;
        readonly createdAt?: string;
      }
    >
  | DomainEvent<'ViewRenamed', { readonly viewId: string; readonly name: string }>
  | DomainEvent<'ViewQueryChanged', { readonly viewId: string; readonly query: string }>
  | DomainEvent<'ViewDeleted', { readonly viewId: string }>;
