import type { DomainEvent } from '../decider.ts';

/** What one person keeps for themselves; outside of the audit. Stream `preferences-<licenceId>~<personId>`. */
export type PreferencesEvent =
  /** Everything that the person was told up to this position of the log is read. */
  DomainEvent<'NotificationsRead', { readonly upTo: number }>;
