import type { DomainEvent, NoData } from '../decider.ts';
import type { Kopecks } from '../money.ts';

export type EmployeeRole = 'CEO' | 'CBDO' | 'TEAM_LEAD' | 'MEDIA_BUYER' | 'ANALYTIC';
export type SalaryType = 'budget' | 'performance' | 'percentage';

/** A person's own terms; `null` = none. */
export type SalaryTerms = {
  readonly salaryType: SalaryType | null;
  /** Percent, 0 to 100. */
  readonly salaryRate: number | null;
  readonly performanceThreshold: Kopecks | null;
};

/** Whether each key is open; `null` = the role's set. Never an empty object. */
export type OwnPermissions = Readonly<Record<string, boolean>> | null;

export type EmployeeEvent =
  | DomainEvent<
      'EmployeeCreated',
      SalaryTerms & {
        readonly name: string;
        /** The owner's is the messaging handle. */
        readonly email: string;
        readonly role: EmployeeRole;
        readonly authCode: string;
        readonly permissions: OwnPermissions;
        /** The one who activated the licence. */
        readonly isOwner: boolean;
      }
    >
  | DomainEvent<'EmployeeRenamed', { readonly name: string }>
  | DomainEvent<'EmployeeEmailChanged', { readonly email: string }>
  | DomainEvent<'EmployeeRoleChanged', { readonly role: EmployeeRole }>
  /** Carries only the keys that changed, `null` = taken out; with no key left the role's set counts again. */
  | DomainEvent<'EmployeePermissionsChanged', { readonly permissions: Readonly<Record<string, boolean | null>> }>
  /** Carries only the terms that changed. */
  | DomainEvent<'EmployeeTermsChanged', Partial<SalaryTerms>>
  | DomainEvent<'EmployeeCodeReissued', { readonly authCode: string }>
  /** From here on e-mail and code are free for others. */
  | DomainEvent<'EmployeeDeactivated', NoData>
  | DomainEvent<'EmployeeReactivated', { readonly authCode: string }>
  | DomainEvent<'EmployeeTemporaryPasswordIssued', NoData>
  | DomainEvent<'EmployeePasswordChanged', NoData>;
