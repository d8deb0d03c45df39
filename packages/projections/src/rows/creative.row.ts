import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import { workspaceScope } from '../scopes.ts';
import { rowRule } from './row-rule.ts';

export const creativeRow = rowRule('creative', creativeDecider, { scopes: () => [workspaceScope] });
