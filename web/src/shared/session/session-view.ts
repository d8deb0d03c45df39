import type { LicenseWire, PersonWire } from '@zakup/contracts/wire-entities';

/** The person as the session knows them. */
export type SessionPerson = Pick<PersonWire, 'id' | 'name' | 'email' | 'role' | 'licenseId'> &
  Partial<Pick<PersonWire, 'authCode' | 'salaryType' | 'salaryRate' | 'performanceThreshold' | 'isOwner'>>;

/** Why nothing can be changed at present. */
export interface ReadOnlyNotice {
  readonly reason: 'disk' | 'licence';
}

/** Answer of GET /api/auth/session, and what is kept of it for the next start. */
export interface SessionView {
  readonly user: SessionPerson;
  readonly license: LicenseWire | null;
  /** Effective permissions: features of the licence and rights of the person together. */
  readonly permissions: Readonly<Record<string, boolean>>;
  readonly readOnly: ReadOnlyNotice | null;
  /** A temporary password: nothing but its change is open. */
  readonly passwordChangeRequired: boolean;
}

/** `data` of GET /api/auth/session. */
export interface SessionAnswer {
  readonly user: SessionPerson;
  readonly license: LicenseWire | null;
  readonly permissions: Readonly<Record<string, boolean>> | readonly string[];
  /** Named by the operator: the page of the own licence's administration is open. */
  readonly admin?: boolean;
  readonly serverTime?: string;
  readonly position?: number;
  readonly readOnly?: ReadOnlyNotice | null;
  readonly passwordChangeRequired?: boolean;
}

export const sessionViewOf = (answer: SessionAnswer): SessionView => ({
  user: answer.user,
  license: answer.license ?? null,
  passwordChangeRequired: answer.passwordChangeRequired === true,
  permissions: {
    ...(Array.isArray(answer.permissions)
      ? Object.fromEntries((answer.permissions as readonly string[]).map((name) => [name, true]))
      : (answer.permissions as Readonly<Record<string, boolean>>)),
    ...(answer.admin === true && { admin: true }),
  },
  readOnly:
    answer.readOnly ??
    (answer.license?.status === 'expired' || answer.license?.status === 'suspended' ? { reason: 'licence' } : null),
});
