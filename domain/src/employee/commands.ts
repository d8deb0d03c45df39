import type { EmployeeRole, OwnPermissions, SalaryTerms } from './events.ts';

export interface EmployeeChanges extends Partial<SalaryTerms> {
  readonly name?: string;
  readonly email?: string;
  readonly role?: EmployeeRole;
  /** Only these keys change; `null` takes a key out. */
  readonly permissions?: Readonly<Record<string, boolean | null>>;
  readonly isActive?: boolean;
}

export type EmployeeCommand =
  | (SalaryTerms & {
      readonly type: 'CreateEmployee';
      readonly name: string;
      readonly email: string;
      readonly role: EmployeeRole;
      readonly authCode: string;
      readonly permissions: OwnPermissions;
      readonly isOwner: boolean;
    })
  | {
      readonly type: 'ChangeEmployee';
      readonly changes: EmployeeChanges;
      /** A fresh code; taken only when the change brings an inactive person back. */
      readonly freshAuthCode: string;
    }
  | { readonly type: 'ReissueCode'; readonly authCode: string }
  /** What DELETE means: the person leaves plain lists and stays in history. */
  | { readonly type: 'DeactivateEmployee' }
  /** The passwords themselves never come near the log. */
  | { readonly type: 'RecordTemporaryPassword' }
  | { readonly type: 'RecordPasswordChange' };

export interface EmployeeFacts {
  /** The one who gives the command is the person it is about. */
  readonly isSelf: boolean;
  /** How many other active people of the licence are CEO. */
  readonly otherActiveCeos: number;
}
