import type { LicenceSettings } from './events.ts';

/** From an issue or a renewal to the next renewal. */
export interface LicenceTerm {
  /** Revision of the event that began it: no two terms of a licence have the same. */
  readonly revision: number;
  readonly since: string;
  /** Days before its end of the notices that were recorded. */
  readonly noticed: readonly number[];
  /** Recorded as over, its grace period included. */
  readonly expired: boolean;
}

/** From the owner's word until it is taken back. */
export interface LicenceClosing {
  /** Revision of the event that began it. */
  readonly revision: number;
  readonly requestedAt: string;
  readonly closesAt: string;
  /** May be empty. */
  readonly reason: string;
  /** Days before its end of the notices that were recorded. */
  readonly noticed: readonly number[];
  /** Recorded as over: nobody but the admin takes it back. */
  readonly closed: boolean;
}

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
  /** End of this term's grace period; `null` = not recorded as begun. */
  readonly graceUntil: string | null;
  /** A grace period was recorded as begun within this term. */
  readonly graceUsed: boolean;
  /** Absent in rows folded before terms were followed. */
  readonly term?: LicenceTerm;
  /** When the owner asked for a renewal that is not yet given; `null` or absent = nothing is asked for. */
  readonly renewalRequestedAt?: string | null;
  /** Null or absent = the owner goes on with it. */
  readonly closing?: LicenceClosing | null;
  readonly settings: LicenceSettings;
}
