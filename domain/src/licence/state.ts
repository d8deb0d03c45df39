import type { LicenceSettings } from './events.ts';

/** Instants are UTC, ISO 8601 with milliseconds and `Z`. */
export interface Licence {
  readonly licenseKey: string;
  readonly teamName: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
  readonly ownerTelegram: string;
  readonly expiresAt: string;
  readonly features: readonly string[];
  readonly maxConcurrentSessions: number;
  readonly activated: boolean;
  /** The owner's employee id; `null` until activated. */
  readonly ownerId: string | null;
  /** `null` until activated. */
  readonly ceoLoginCode: string | null;
  readonly suspended: { readonly reason: string; readonly at: string } | null;
  /** End of this term's grace period; `null` = not begun. */
  readonly graceUntil: string | null;
  /** A grace period began within this term. */
  readonly graceUsed: boolean;
  readonly settings: LicenceSettings;
}
