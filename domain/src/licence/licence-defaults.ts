import { kopecks } from '../money.ts';
import type { LicenceSettings } from './events.ts';

/** Sessions at once (AUTH-17). */
export const defaultMaxConcurrentSessions = 10;

/** The switches of a new licence (ROLE-9, ROLE-10, AUTH-22). */
export const defaultLicenceSettings: LicenceSettings = {
  buyersEditAll: true,
  earningsVisible: true,
  codeOnlyLogin: false,
  secondFactorForAll: false,
  changeGivenPasswords: false,
  countZeroLeads: true,
  leadValue: kopecks(10_000),
};
