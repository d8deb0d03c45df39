import { kopecks } from '../money.ts';
import type { LicenceSettings } from './events.ts';

/** Sessions at once (decisions.md 9). */
export const defaultMaxConcurrentSessions = 10;

/** The switches of a new licence (decisions.md 10 and 18). */
export const defaultLicenceSettings: LicenceSettings = {
  buyersEditAll: true,
  earningsVisible: true,
  codeOnlyLogin: false,
  countZeroLeads: true,
  leadValue: kopecks(10_000),
};
