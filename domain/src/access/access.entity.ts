import type { Entity } from '../decider.ts';
import type { AccessEvent } from './events.ts';
import type { Access } from './state.ts';

const stranger: Access = { signedInAt: null, refusedTries: 0 };

/** Folds who came in, for the audit alone: nothing is decided on it (AUTH-34). Stream `access-<licenceId>~<personId>`. */
export const accessEntity: Entity<Access, AccessEvent> = {
  category: 'access',

  evolve(state, event, { at }) {
    const before = state ?? stranger;
    switch (event.type) {
      case 'SignedIn':
        return { signedInAt: at, refusedTries: 0 };
      case 'SignInRefused':
        return { ...before, refusedTries: before.refusedTries + event.data.count };
      case 'SignedOut':
      case 'SessionsEnded':
      case 'SecondFactorEnabled':
      case 'SecondFactorDisabled':
      case 'SecondFactorReset':
      case 'RecoveryCodesRenewed':
      case 'RecoveryCodeUsed':
      case 'DataTaken':
      case 'LicenceKeyShown':
        return before;
    }
  },

  changedFields: () => [],
  fields: () => ({}),
};
