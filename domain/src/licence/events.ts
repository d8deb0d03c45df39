import type { DomainEvent, NoData } from '../decider.ts';
import type { Kopecks } from '../money.ts';

/** Switches of a licence (ROLE-9, ROLE-10, AUTH-22, NUM-13, NUM-16). */
export type LicenceSettings = {
  readonly buyersEditAll: boolean;
  readonly earningsVisible: boolean;
  readonly codeOnlyLogin: boolean;
  /** Everybody needs a second factor to come in (AUTH-74). */
  readonly secondFactorForAll: boolean;
  /** A password that somebody else gave a person opens nothing but its change (AUTH-81). */
  readonly changeGivenPasswords: boolean;
  readonly countZeroLeads: boolean;
  /** What a lead is worth in ROI. */
  readonly leadValue: Kopecks;
};

export type LicenceEvent =
  | DomainEvent<
      'LicenceIssued',
      {
        readonly licenseKey: string;
        readonly teamName: string;
        readonly ownerName: string;
        readonly ownerEmail: string;
        readonly ownerTelegram: string;
        /** UTC instant, ISO 8601. */
        readonly expiresAt: string;
        readonly features: readonly string[];
        readonly maxConcurrentSessions: number;
      }
    >
  | DomainEvent<'LicenceActivated', { readonly ownerId: string; readonly ceoLoginCode: string }>
  /** A new term: its grace period is open again. */
  | DomainEvent<'LicenceRenewed', { readonly expiresAt: string }>
  | DomainEvent<'LicenceSuspended', { readonly reason: string }>
  | DomainEvent<'LicenceResumed', NoData>
  | DomainEvent<'LicenceGraceStarted', { readonly until: string }>
  /** The term and its grace period are over. */
  | DomainEvent<'LicenceExpired', NoData>
  /** The term ends in so many days. `expiresAt`: its end. */
  | DomainEvent<'LicenceExpiryNoticed', { readonly daysBefore: number; readonly expiresAt: string }>
  /** By the owner: access ends at `closesAt` (UTC instant, ISO 8601) unless that is taken back. `reason`: in their words, may be empty. */
  | DomainEvent<'LicenceClosingRequested', { readonly closesAt: string; readonly reason: string }>
  /** By the owner while it is open, by the admin also when it is closed. */
  | DomainEvent<'LicenceClosingTakenBack', NoData>
  /** Access ends in so many days. */
  | DomainEvent<'LicenceClosingNoticed', { readonly daysBefore: number; readonly closesAt: string }>
  /** The time for taking it back is over. */
  | DomainEvent<'LicenceClosed', NoData>
  /** By the owner; open until the next renewal. */
  | DomainEvent<'LicenceRenewalRequested', NoData>
  /** Carries only the switches that changed. */
  | DomainEvent<'LicenceSettingsChanged', Partial<LicenceSettings>>;
