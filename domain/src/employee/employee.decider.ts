import { accept, type Decider, type Decision, type FieldError, reject, rejectFields } from '../decider.ts';
import { isAmount, isRate, isShown, limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { toRoubles } from '../money.ts';
import type { EmployeeChanges, EmployeeCommand, EmployeeFacts } from './commands.ts';
import type { EmployeeEvent, OwnPermissions, SalaryTerms } from './events.ts';
import type { Employee } from './state.ts';

const roles = new Set<string>(['CEO', 'ANALYTIC', 'TEAM_LEAD', 'MEDIA_BUYER', 'CBDO']);
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/**
 * Decides and folds people: PPL-1 to PPL-5. Ranks are asked before (permissions), codes and
 * e-mails are unique by reservations.
 */
export const employeeDecider: Decider<Employee, EmployeeCommand, EmployeeEvent, EmployeeFacts> = {
  category: 'employee',

  decide(command, state, facts) {
    if (command.type === 'CreateEmployee') {
      if (state !== null) return reject('DUPLICATE', messages.alreadyExists);
      const { type: _, permissions, ...members } = command;
      const data = { ...members, ...trimmed(members), permissions: notEmpty(permissions ?? {}) };
      const [first, ...more] = mistakes(data);
      return first === undefined ? accept({ type: 'EmployeeCreated', data }) : rejectFields(first, ...more);
    }
    if (state === null) return reject('NOT_FOUND', messages.employeeNotFound);
    if (command.type === 'ChangeEmployee') return decideChange(command, state, facts);
    if (!state.isActive) return reject('NOT_FOUND', messages.employeeNotFound);
    switch (command.type) {
      case 'ReissueCode': {
        const authCode = command.authCode.trim().toUpperCase();
        const [first, ...more] = mistakes({ ...state, authCode });
        if (first !== undefined) return rejectFields(first, ...more);
        return authCode === state.authCode ? accept() : accept({ type: 'EmployeeCodeReissued', data: { authCode } });
      }
      case 'DeactivateEmployee':
        return refusedToLeave(state, facts) ?? accept({ type: 'EmployeeDeactivated', data: {} });
      case 'RecordTemporaryPassword':
        return accept({ type: 'EmployeeTemporaryPasswordIssued', data: {} });
      case 'RecordPasswordChange':
        return accept({ type: 'EmployeePasswordChanged', data: {} });
    }
  },

  evolve(state, event) {
    if (event.type === 'EmployeeCreated') return { ...event.data, isActive: true };
    if (state === null) throw new Error(`${event.type} before EmployeeCreated`);
    switch (event.type) {
      case 'EmployeeRenamed':
      case 'EmployeeEmailChanged':
      case 'EmployeeRoleChanged':
      case 'EmployeeTermsChanged':
      case 'EmployeeCodeReissued':
        return { ...state, ...event.data };
      case 'EmployeePermissionsChanged':
        return { ...state, permissions: notEmpty({ ...state.permissions, ...event.data.permissions }) };
      case 'EmployeeDeactivated':
        return { ...state, isActive: false };
      case 'EmployeeReactivated':
        return { ...state, ...event.data, isActive: true };
      case 'EmployeeTemporaryPasswordIssued':
      case 'EmployeePasswordChanged':
        return state;
    }
  },

  changedFields(event) {
    switch (event.type) {
      case 'EmployeeCreated':
      case 'EmployeeRenamed':
      case 'EmployeeEmailChanged':
      case 'EmployeeRoleChanged':
      case 'EmployeeTermsChanged':
      case 'EmployeeCodeReissued':
        return Object.keys(event.data);
      case 'EmployeePermissionsChanged':
        return Object.keys(event.data.permissions).map((key) => `permissions/${key}`);
      case 'EmployeeDeactivated':
        return ['isActive'];
      case 'EmployeeReactivated':
        return ['isActive', 'authCode'];
      case 'EmployeeTemporaryPasswordIssued':
      case 'EmployeePasswordChanged':
        return [];
    }
  },

  // The code opens the door to sign-in, and history is read by people who may not see codes.
  fields: ({ name, email, role, isActive, permissions, salaryType, salaryRate, performanceThreshold, isOwner }) => ({
    name,
    email,
    role,
    isActive,
    permissions,
    salaryType,
    salaryRate,
    performanceThreshold: performanceThreshold === null ? null : toRoubles(performanceThreshold),
    isOwner,
  }),
};

const decideChange = (
  { changes, freshAuthCode }: Extract<EmployeeCommand, { type: 'ChangeEmployee' }>,
  state: Employee,
  facts: EmployeeFacts,
): Decision<EmployeeEvent> => {
  const comesBack = changes.isActive === true && !state.isActive;
  const leaves = changes.isActive === false && state.isActive;
  const { permissions: _, isActive: __, ...members } = changes;
  const authCode = comesBack ? freshAuthCode : state.authCode;
  const wanted = { ...state, ...members, ...trimmed({ ...state, ...members, authCode }) };
  const [first, ...more] = mistakes(wanted);
  if (first !== undefined) return rejectFields(first, ...more);
  if (state.isOwner && wanted.role !== 'CEO') return reject('CONFLICT', messages.ownerStaysCeo);
  if (leaves) {
    const refusal = refusedToLeave(state, facts);
    if (refusal !== null) return refusal;
  }
  const demoted = state.isActive && state.role === 'CEO' && wanted.role !== 'CEO';
  if (demoted && facts.otherActiveCeos === 0) return reject('CONFLICT', messages.lastCeoStays);

  const { name, email, role } = wanted;
  const permissions = changedPermissions(changes, state);
  const terms: Partial<SalaryTerms> = {
    ...(wanted.salaryType === state.salaryType ? {} : { salaryType: wanted.salaryType }),
    ...(wanted.salaryRate === state.salaryRate ? {} : { salaryRate: wanted.salaryRate }),
    ...(wanted.performanceThreshold === state.performanceThreshold
      ? {}
      : { performanceThreshold: wanted.performanceThreshold }),
  };
  const events: EmployeeEvent[] = [];
  if (name !== state.name) events.push({ type: 'EmployeeRenamed', data: { name } });
  if (email !== state.email) events.push({ type: 'EmployeeEmailChanged', data: { email } });
  if (role !== state.role) events.push({ type: 'EmployeeRoleChanged', data: { role } });
  if (Object.keys(permissions).length > 0) events.push({ type: 'EmployeePermissionsChanged', data: { permissions } });
  if (Object.keys(terms).length > 0) events.push({ type: 'EmployeeTermsChanged', data: terms });
  if (comesBack) events.push({ type: 'EmployeeReactivated', data: { authCode: wanted.authCode } });
  if (leaves) events.push({ type: 'EmployeeDeactivated', data: {} });
  return accept(...events);
};

const refusedToLeave = (state: Employee, facts: EmployeeFacts): Decision<never> | null => {
  if (facts.isSelf) return reject('ACCESS_DENIED', messages.selfNotDeletable);
  if (state.isOwner) return reject('CONFLICT', messages.ownerStaysCeo);
  if (state.role === 'CEO' && facts.otherActiveCeos === 0) return reject('CONFLICT', messages.lastCeoStays);
  return null;
};

const changedPermissions = (changes: EmployeeChanges, state: Employee): Readonly<Record<string, boolean | null>> => {
  const present = new Map(Object.entries(state.permissions ?? {}));
  return Object.fromEntries(
    Object.entries(changes.permissions ?? {}).filter(([key, wanted]) => (present.get(key) ?? null) !== wanted),
  );
};

const notEmpty = (permissions: Readonly<Record<string, boolean | null>>): OwnPermissions => {
  const given = Object.entries(permissions).filter((entry): entry is [string, boolean] => entry[1] !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
};

type Checked = Pick<Employee, 'name' | 'email' | 'authCode'>;

const trimmed = ({ name, email, authCode }: Checked): Checked => ({
  name: name.trim(),
  email: email.trim(),
  authCode: authCode.trim().toUpperCase(),
});

/** In the order of PPL-1, then the terms. */
const mistakes = (
  person: Checked & SalaryTerms & { readonly role: string; readonly isOwner: boolean },
): readonly FieldError[] => {
  const errors: FieldError[] = [];
  const { name, email, authCode, role, isOwner, salaryRate, performanceThreshold } = person;
  if (name.length < 2 || !isShown(name)) errors.push({ pointer: '/name', detail: messages.userNameInvalid });
  if (name.length > limits.name) errors.push({ pointer: '/name', detail: messages.textTooLong });
  if (!isOwner && !emailPattern.test(email)) errors.push({ pointer: '/email', detail: messages.emailInvalid });
  if (authCode.length < 4) errors.push({ pointer: '/authCode', detail: messages.authCodeInvalid });
  if (!roles.has(role)) errors.push({ pointer: '/role', detail: messages.roleInvalid });
  if (salaryRate !== null && !isRate(salaryRate)) errors.push({ pointer: '/salaryRate', detail: messages.rateInvalid });
  if (performanceThreshold !== null && !isAmount(performanceThreshold))
    errors.push({ pointer: '/performanceThreshold', detail: messages.thresholdInvalid });
  return errors;
};
