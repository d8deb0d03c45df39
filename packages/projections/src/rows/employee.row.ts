import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { personScope, workspaceScope } from '../scopes.ts';
import { rowRule } from './row-rule.ts';

export const employeeRow = rowRule('user', employeeDecider, {
  scopes: ({ id }) => [workspaceScope, personScope(id)],
});
