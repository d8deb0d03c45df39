import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { personScope, workspaceScope } from '../scopes.ts';
import { rowProjection } from './row-projection.ts';

export const employeeRow = rowProjection('user', employeeDecider, {
  version: 9,
  scopes: ({ id }) => [workspaceScope, personScope(id)],
});
