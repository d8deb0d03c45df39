import { accept, type Decider, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import type { ActivationCommand, ActivationFacts } from './commands.ts';
import type { ActivationEvent } from './events.ts';
import type { Activation } from './state.ts';

const resendAfterMs = 60_000;

/** Decides and folds how a licence is activated, code by code: ACT-3 to ACT-12. Stream `activation-<licenceId>~<licenceId>`. */
export const activationDecider: Decider<Activation, ActivationCommand, ActivationEvent, ActivationFacts> = {
  category: 'activation',

  decide(command, state, { now }) {
    switch (command.type) {
      case 'IssueActivationCode': {
        const { by, validUntil } = command;
        // The one who asks learns nothing from the answer, so a code not given is no refusal.
        if (by === 'owner' && state !== null) {
          const tooSoon = Date.parse(now) - Date.parse(state.lastIssuedAt) < resendAfterMs;
          if (state.completed || tooSoon) return accept();
        }
        return accept({ type: 'ActivationCodeIssued', data: { by, validUntil } });
      }
      case 'AcceptActivationCode':
        return state !== null && state.code === 'issued' && Date.parse(now) < Date.parse(state.validUntil)
          ? accept({ type: 'ActivationCodeAccepted', data: {} })
          : rejectField('/twoFactorCode', messages.activationCodeInvalid);
      case 'CompleteActivation':
        return state !== null && state.code === 'accepted'
          ? accept({ type: 'ActivationCompleted', data: {} })
          : reject('CONFLICT', messages.activationFailed);
    }
  },

  evolve(state, event, { at }) {
    if (event.type === 'ActivationCodeIssued') {
      const { by, validUntil } = event.data;
      const completed = state !== null && state.completed;
      return { lastIssuedAt: at, lastIssuedBy: by, validUntil, code: 'issued', completed };
    }
    if (state === null) throw new Error(`${event.type} before ActivationCodeIssued`);
    switch (event.type) {
      case 'ActivationCodeAccepted':
        return { ...state, code: 'accepted' };
      case 'ActivationCompleted':
        return { ...state, code: 'used', completed: true };
    }
  },

  changedFields: () => [],
  fields: () => ({}),
};
