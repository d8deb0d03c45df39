import { describe, expect, it } from 'vitest';
import { accept, type FieldError, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { kopecks } from '../money.ts';
import { given } from '../testing/given.ts';
import { employeeDecider } from './employee.decider.ts';
import type { EmployeeEvent } from './events.ts';

const employee = given(employeeDecider);
const data = {
  name: 'Анна',
  email: 'anna@example.org',
  role: 'MEDIA_BUYER',
  authCode: 'ABCDEFGH2345',
  permissions: null,
  isOwner: false,
  salaryType: null,
  salaryRate: null,
  performanceThreshold: null,
} as const;
const created: EmployeeEvent = { type: 'EmployeeCreated', data };
const owner: EmployeeEvent = { type: 'EmployeeCreated', data: { ...data, role: 'CEO', email: '@olga', isOwner: true } };
const ceo: EmployeeEvent = { type: 'EmployeeCreated', data: { ...data, role: 'CEO' } };
const deactivated: EmployeeEvent = { type: 'EmployeeDeactivated', data: {} };
const facts = { isSelf: false, otherActiveCeos: 1 };
const change = (
  changes: Extract<Parameters<typeof employeeDecider.decide>[0], { type: 'ChangeEmployee' }>['changes'],
) => ({ type: 'ChangeEmployee', changes, freshAuthCode: 'NEWCODE23456' }) as const;

describe('employee', () => {
  it('EM-1 is created trimmed, the code in upper case, an empty permissions object as none', () => {
    const typed = { ...data, name: ' Анна ', email: ' anna@example.org ', authCode: ' abcdefgh2345 ', permissions: {} };
    expect(employee().when({ type: 'CreateEmployee', ...typed }, facts)).toEqual(accept(created));
    expect(employee(created).when({ type: 'CreateEmployee', ...data }, facts)).toEqual(
      reject('DUPLICATE', messages.alreadyExists),
    );
  });

  it('EM-2 tells everything wrong in the order name, e-mail, code, role', () => {
    const role = 'BOSS' as 'CEO';
    const refused = employee().when(
      { type: 'CreateEmployee', ...data, name: ' А ', email: 'anna', authCode: 'abc', role },
      facts,
    );
    const errors: readonly FieldError[] = [
      { pointer: '/name', detail: 'Name must be at least 2 characters long' },
      { pointer: '/email', detail: 'Valid email is required' },
      { pointer: '/authCode', detail: 'Auth code must be at least 4 characters long' },
      { pointer: '/role', detail: 'Valid role is required' },
    ];
    expect(refused).toEqual(reject('VALIDATION_FAILED', 'Name must be at least 2 characters long', errors));
  });

  it('EM-3 who owns the licence has a handle for an e-mail', () => {
    expect(employee().when({ type: 'CreateEmployee', ...owner.data }, facts)).toEqual(accept(owner));
  });

  it('EM-4 has a rate of 0 to 100 percent', () => {
    for (const salaryRate of [-1, 100.5, Number.NaN])
      expect(employee(created).when(change({ salaryRate }), facts)).toEqual(
        rejectField('/salaryRate', messages.rateInvalid),
      );
  });

  it('EM-5 changes by one event a fact; terms carry only what changed', () => {
    const changes = {
      name: 'Анна П.',
      email: 'a@example.org',
      role: 'TEAM_LEAD',
      permissions: { reports: true },
      salaryType: 'performance',
      salaryRate: null,
      performanceThreshold: kopecks(10_000),
    } as const;
    expect(employee(created).when(change(changes), facts)).toEqual(
      accept<EmployeeEvent>(
        { type: 'EmployeeRenamed', data: { name: 'Анна П.' } },
        { type: 'EmployeeEmailChanged', data: { email: 'a@example.org' } },
        { type: 'EmployeeRoleChanged', data: { role: 'TEAM_LEAD' } },
        { type: 'EmployeePermissionsChanged', data: { permissions: { reports: true } } },
        {
          type: 'EmployeeTermsChanged',
          data: { salaryType: 'performance', performanceThreshold: kopecks(10_000) },
        },
      ),
    );
    expect(employee(created).when(change({ ...data, permissions: { reports: null } }), facts)).toEqual(accept());
  });

  it('EM-6 permissions change by key and are the role’s again when none is left', () => {
    const granted: EmployeeEvent = {
      type: 'EmployeePermissionsChanged',
      data: { permissions: { reports: true, settings: false } },
    };
    expect(employee(created, granted).state?.permissions).toEqual({ reports: true, settings: false });
    const cleared = employee(created, granted).when(change({ permissions: { reports: null, settings: null } }), facts);
    const taken: EmployeeEvent = {
      type: 'EmployeePermissionsChanged',
      data: { permissions: { reports: null, settings: null } },
    };
    expect(cleared).toEqual(accept(taken));
    expect(employee(created, granted, taken).state?.permissions).toBeNull();
  });

  it('EM-7 is deactivated when deleted, and not found after', () => {
    expect(employee(created).when({ type: 'DeactivateEmployee' }, facts)).toEqual(accept(deactivated));
    expect(employee(created).when(change({ isActive: false }), facts)).toEqual(accept(deactivated));
    expect(employee(created, deactivated).when({ type: 'DeactivateEmployee' }, facts)).toEqual(
      reject('NOT_FOUND', messages.employeeNotFound),
    );
    expect(employee(created, deactivated).when({ type: 'ReissueCode', authCode: 'ABCD' }, facts).kind).toBe('rejected');
  });

  it('EM-8 comes back with a fresh code', () => {
    expect(employee(created, deactivated).when(change({ isActive: true }), facts)).toEqual(
      accept({ type: 'EmployeeReactivated', data: { authCode: 'NEWCODE23456' } }),
    );
    expect(employee(created).when(change({ isActive: true }), facts)).toEqual(accept());
  });

  it('EM-9 nobody deletes oneself, the owner or the last CEO', () => {
    for (const command of [{ type: 'DeactivateEmployee' } as const, change({ isActive: false })]) {
      expect(employee(created).when(command, { ...facts, isSelf: true })).toEqual(
        reject('ACCESS_DENIED', messages.selfNotDeletable),
      );
      expect(employee(owner).when(command, facts)).toEqual(reject('CONFLICT', messages.ownerStaysCeo));
      expect(employee(ceo).when(command, { ...facts, otherActiveCeos: 0 })).toEqual(
        reject('CONFLICT', messages.lastCeoStays),
      );
      expect(employee(ceo).when(command, facts)).toEqual(accept(deactivated));
    }
  });

  it('EM-10 neither the owner nor the last CEO takes another role', () => {
    expect(employee(owner).when(change({ role: 'CBDO' }), facts)).toEqual(reject('CONFLICT', messages.ownerStaysCeo));
    expect(employee(ceo).when(change({ role: 'CBDO' }), { ...facts, otherActiveCeos: 0 })).toEqual(
      reject('CONFLICT', messages.lastCeoStays),
    );
  });

  it('EM-11 a code is reissued with at least 4 characters', () => {
    expect(employee(created).when({ type: 'ReissueCode', authCode: 'wxyz2345' }, facts)).toEqual(
      accept({ type: 'EmployeeCodeReissued', data: { authCode: 'WXYZ2345' } }),
    );
    expect(employee(created).when({ type: 'ReissueCode', authCode: 'abc' }, facts)).toEqual(
      rejectField('/authCode', messages.authCodeInvalid),
    );
  });

  it('EM-12 leaves the access code out of the fields that history shows', () => {
    const { state } = employee(created);
    expect(state && JSON.stringify(employeeDecider.fields(state))).not.toContain(data.authCode);
  });
});
