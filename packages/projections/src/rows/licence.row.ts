import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { workspaceScope } from '../scopes.ts';
import { rowProjection } from './row-projection.ts';

export const licenceRow = rowProjection('license', licenceDecider, { version: 9, scopes: () => [workspaceScope] });
