import type { EmployeeRole, OwnPermissions, SalaryTerms } from './events.ts';

export interface Employee extends SalaryTerms {
  readonly name: string;
  /** The owner's is the messaging handle. */
  readonly email: string;
  readonly role: EmployeeRole;
  readonly authCode: string;
  readonly isActive: boolean;
  readonly permissions: OwnPermissions;
  /** The one who activated the licence. */
  readonly isOwner: boolean;
}
