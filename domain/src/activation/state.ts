export interface Activation {
  /** UTC instants, ISO 8601. */
  readonly lastIssuedAt: string;
  readonly lastIssuedBy: 'admin' | 'owner';
  readonly validUntil: string;
  /** Where the latest code stands. */
  readonly code: 'issued' | 'accepted' | 'used';
  /** The dialog was once run to its end. */
  readonly completed: boolean;
}
