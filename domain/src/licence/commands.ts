import type { NoData } from '../decider.ts';
import type { LicenceSettings } from './events.ts';
import type { ClosingStep } from './licence-closing.ts';
import type { TermStep } from './licence-term.ts';

export type LicenceCommand =
  | {
      readonly type: 'IssueLicence';
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
  | { readonly type: 'ActivateLicence'; readonly ownerId: string; readonly ceoLoginCode: string }
  | { readonly type: 'RenewLicence'; readonly expiresAt: string }
  | { readonly type: 'SuspendLicence'; readonly reason: string }
  | { readonly type: 'ResumeLicence' }
  | { readonly type: 'RequestRenewal' }
  /** By the owner. `now`: UTC instant, ISO 8601. */
  | { readonly type: 'CloseLicence'; readonly reason: string; readonly now: string }
  | { readonly type: 'KeepLicence'; readonly now: string }
  /** Records a step of the closing that was asked for at this revision, if it is the next one and due at this instant (ISO 8601). */
  | { readonly type: 'AdvanceClosing'; readonly closing: number; readonly step: ClosingStep; readonly now: string }
  /** Records a step of the term that began at this revision, if it is the next one and due at this instant (ISO 8601). */
  | { readonly type: 'AdvanceTerm'; readonly term: number; readonly step: TermStep; readonly now: string }
  | { readonly type: 'ChangeLicenceSettings'; readonly changes: Partial<LicenceSettings> };

export type LicenceFacts = NoData;
