import type { NoData } from '../decider.ts';
import type { LicenceSettings } from './events.ts';

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
  | { readonly type: 'StartGrace'; readonly until: string }
  | { readonly type: 'ChangeLicenceSettings'; readonly changes: Partial<LicenceSettings> };

export type LicenceFacts = NoData;
