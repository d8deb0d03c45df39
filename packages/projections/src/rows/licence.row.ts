import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { workspaceScope } from '../scopes.ts';
import { rowRule } from './row-rule.ts';

export const licenceRow = rowRule('license', licenceDecider, { scopes: () => [workspaceScope] });
