import type { PersonWire } from '@zakup/contracts/wire-entities';
import { showTerms } from '@zakup/domain/analytics/earnings';
import { fromRoubles, kopecks } from '@zakup/domain/money';
import {
  effectivePermissions,
  type EmployeeSubject,
  ownerPermissions,
  type PermissionKey,
  type Permissions,
  permissionKeys,
  rolePermissions,
} from '@zakup/domain/permissions';
import { fieldText, optionalRoublesOf, rateOf } from './amounts.ts';
import { textOf } from '../../shared/form/use-entity-form.ts';
import type { FormValues } from '../../shared/form/use-form-edits.ts';

/** The rights a person is given or refused here, in the order of the checkboxes. */
export const rightsShown = [
  ['dashboard', 'Дашборд'],
  ['analytics', 'Аналитика'],
  ['contractors', 'Контрагенты'],
  ['creatives', 'Креативы'],
  ['settings', 'Настройки'],
  ['reports', 'Отчёты и журнал'],
] as const satisfies readonly (readonly [PermissionKey, string])[];

const right = (key: string): string => `permissions/${key}`;

export const employeeValues = (person: PersonWire | null): FormValues => {
  const rights = effectivePermissions(person?.role ?? '', person?.permissions ?? null);
  return {
    name: person?.name ?? '',
    email: person?.email ?? '',
    role: person?.role ?? 'MEDIA_BUYER',
    salaryType: person?.salaryType ?? '',
    salaryRate: fieldText(person?.salaryRate ?? null),
    performanceThreshold: fieldText(person?.performanceThreshold ?? null),
    ownRights: person !== null && person.permissions !== null,
    ...Object.fromEntries(permissionKeys.map((key) => [right(key), rights[key]])),
  };
};

/** What the person would be allowed with the form as it stands. */
export const rightsOf = (values: FormValues): Permissions =>
  values['ownRights'] === true
    ? (Object.fromEntries(permissionKeys.map((key) => [key, values[right(key)] === true])) as Permissions)
    : rolePermissions(textOf(values['role']));

/** One right given or taken: from then on the person has rights of their own, whatever the role brings. */
export const withRight = (values: FormValues, key: PermissionKey, open: boolean): FormValues => ({
  ownRights: true,
  ...Object.fromEntries(Object.entries({ ...rightsOf(values), [key]: open }).map(([name, is]) => [right(name), is])),
});

const permissionsBody = (values: FormValues, touched: ReadonlySet<string>, seen: PersonWire | null): unknown => {
  const rights = rightsOf(values);
  const changed = permissionKeys.filter((key) => touched.has(right(key)));
  if (values['ownRights'] !== true) return touched.has('ownRights') ? null : undefined;
  if (!touched.has('ownRights') && changed.length === 0) return undefined;
  // An object that names one key closes all others: the first one must name them all.
  const named = seen === null || seen.permissions === null ? permissionKeys : changed;
  return Object.fromEntries(named.map((key) => [key, rights[key]]));
};

export const employeeBody = (
  values: FormValues,
  touched: ReadonlySet<string>,
  seen: PersonWire | null,
): Readonly<Record<string, unknown>> => {
  const text = (field: string): string => textOf(values[field]);
  const scheme = text('salaryType');
  const members: Readonly<Record<string, unknown>> = {
    name: text('name'),
    email: text('email'),
    role: text('role'),
    salaryType: scheme === '' ? null : scheme,
    salaryRate: rateOf(text('salaryRate')),
    performanceThreshold: optionalRoublesOf(text('performanceThreshold')),
  };
  const permissions = permissionsBody(values, touched, seen);
  return {
    ...Object.fromEntries(Object.entries(members).filter(([field]) => touched.has(field))),
    ...(permissions !== undefined && { permissions }),
  };
};

export const employeeFieldLabels: Readonly<Record<string, string>> = {
  name: 'Имя',
  email: 'Почта',
  role: 'Роль',
  salaryType: 'Схема',
  salaryRate: 'Ставка, %',
  performanceThreshold: 'Порог CPL, ₽',
  isActive: 'Доступ',
  ...Object.fromEntries(rightsShown.map(([key, name]) => [right(key), name])),
};

/** The person as the rules of the domain ask for them. */
export const subjectOf = (person: PersonWire): EmployeeSubject => ({
  userId: person.id,
  role: person.role,
  permissions: person.isOwner ? ownerPermissions : effectivePermissions(person.role, person.permissions),
  isOwner: person.isOwner,
});

/** `10% за результат до 100 ₽`; a dash without terms. */
export const termsText = ({ salaryType, salaryRate, performanceThreshold }: PersonWire): string =>
  salaryType === null
    ? '—'
    : showTerms({
        salaryType,
        salaryRate: salaryRate ?? 0,
        cplThreshold: (performanceThreshold === null ? null : fromRoubles(performanceThreshold)) ?? kopecks(100_00),
        source: 'user',
      });
