import { accept, type Decider, type Decision, type FieldError, reject, rejectField, rejectFields } from '../decider.ts';
import { isAmount, parseName } from '../limits.ts';
import { messages } from '../messages.ts';
import { toRoubles } from '../money.ts';
import type { LicenceCommand, LicenceFacts } from './commands.ts';
import type { LicenceEvent, LicenceSettings } from './events.ts';
import { defaultLicenceSettings } from './licence-defaults.ts';
import { closesAtFrom, isClosed, nextClosingStep } from './licence-closing.ts';
import { nextStep } from './licence-term.ts';
import type { Licence, LicenceClosing, LicenceTerm } from './state.ts';

const keyPattern = /^LICENSE(?:-[A-Z0-9]{4}){4}$/u;

/** Decides and folds licences: ACT-12 to ACT-18, ACT-20, ACT-22, ACT-26 to ACT-28, AUTH-17. */
export const licenceDecider: Decider<Licence, LicenceCommand, LicenceEvent, LicenceFacts> = {
  category: 'licence',

  decide(command, state) {
    if (command.type === 'IssueLicence') return decideIssue(command, state);
    if (state === null) return reject('NOT_FOUND', messages.licenceNotFound);
    switch (command.type) {
      case 'ActivateLicence': {
        if (state.suspended !== null) return reject('LICENSE_INACTIVE', messages.licenceSuspended);
        // The dialog run again changes the password only: owner and login code stay.
        if (state.activated) return accept();
        const { ownerId, ceoLoginCode } = command;
        return accept({ type: 'LicenceActivated', data: { ownerId, ceoLoginCode } });
      }
      case 'RenewLicence': {
        const { expiresAt } = command;
        if (Number.isNaN(Date.parse(expiresAt))) return rejectField('/expiresAt', messages.dateInvalid);
        return accept(
          ...takenBack(state),
          ...(expiresAt === state.expiresAt ? [] : [{ type: 'LicenceRenewed', data: { expiresAt } } as const]),
        );
      }
      case 'SuspendLicence': {
        const { reason } = command;
        return state.suspended?.reason === reason ? accept() : accept({ type: 'LicenceSuspended', data: { reason } });
      }
      case 'ResumeLicence':
        // One obstacle at a time, the admin's own first: a suspension that ends leaves everything as it was before it.
        return state.suspended === null ? accept(...takenBack(state)) : accept({ type: 'LicenceResumed', data: {} });
      case 'RequestRenewal':
        return isRequested(state) ? accept() : accept({ type: 'LicenceRenewalRequested', data: {} });
      case 'CloseLicence': {
        const { reason, now } = command;
        if (isClosing(state)) return accept();
        return accept({ type: 'LicenceClosingRequested', data: { closesAt: closesAtFrom(now), reason } });
      }
      case 'KeepLicence':
        return isClosed(state, command.now)
          ? reject('LICENSE_INACTIVE', messages.licenceClosed)
          : accept(...takenBack(state));
      case 'AdvanceClosing': {
        const next = nextClosingStep(state);
        const isNext = next !== null && next.step === command.step && state.closing?.revision === command.closing;
        return isNext && Date.parse(command.now) >= Date.parse(next.at) ? accept(next.event) : accept();
      }
      case 'AdvanceTerm': {
        const next = nextStep(state);
        const isNext = next !== null && next.step === command.step && state.term?.revision === command.term;
        return isNext && Date.parse(command.now) >= Date.parse(next.at) ? accept(next.event) : accept();
      }
      case 'ChangeLicenceSettings': {
        const { leadValue } = command.changes;
        if (leadValue !== undefined && !isAmount(leadValue))
          return rejectField('/leadValue', messages.leadValueInvalid);
        const data = changedSettings(command.changes, state.settings);
        return Object.keys(data).length === 0 ? accept() : accept({ type: 'LicenceSettingsChanged', data });
      }
    }
  },

  evolve(state, event, { at, revision }) {
    if (event.type === 'LicenceIssued') {
      return {
        ...event.data,
        activated: false,
        ownerId: null,
        ceoLoginCode: null,
        suspended: null,
        graceUntil: null,
        graceUsed: false,
        term: termFrom(at, revision),
        renewalRequestedAt: null,
        closing: null,
        settings: defaultLicenceSettings,
      };
    }
    if (state === null) throw new Error(`${event.type} before LicenceIssued`);
    switch (event.type) {
      case 'LicenceActivated':
        return { ...state, ...event.data, activated: true };
      case 'LicenceRenewed':
        return {
          ...state,
          ...event.data,
          graceUntil: null,
          graceUsed: false,
          term: termFrom(at, revision),
          renewalRequestedAt: null,
        };
      case 'LicenceSuspended':
        return { ...state, suspended: { reason: event.data.reason, at } };
      case 'LicenceResumed':
        return { ...state, suspended: null };
      case 'LicenceGraceStarted':
        return { ...state, graceUntil: event.data.until, graceUsed: true };
      case 'LicenceExpired':
        return inTerm(state, () => ({ expired: true }));
      case 'LicenceExpiryNoticed':
        return inTerm(state, ({ noticed }) => ({ noticed: [...noticed, event.data.daysBefore] }));
      case 'LicenceRenewalRequested':
        return { ...state, renewalRequestedAt: at };
      case 'LicenceClosingRequested':
        return { ...state, closing: { ...event.data, revision, requestedAt: at, noticed: [], closed: false } };
      case 'LicenceClosingTakenBack':
        return { ...state, closing: null };
      case 'LicenceClosingNoticed':
        return inClosing(state, ({ noticed }) => ({ noticed: [...noticed, event.data.daysBefore] }));
      case 'LicenceClosed':
        return inClosing(state, () => ({ closed: true }));
      case 'LicenceSettingsChanged':
        return { ...state, settings: { ...state.settings, ...event.data } };
    }
  },

  changedFields(event) {
    switch (event.type) {
      case 'LicenceIssued':
      case 'LicenceSettingsChanged':
        return Object.keys(event.data);
      case 'LicenceActivated':
        return ['activated', 'ceoLoginCode'];
      case 'LicenceRenewed':
        return ['expiresAt', 'gracePeriodUsed', 'gracePeriodExpiresAt', 'expired', 'renewalRequestedAt'];
      case 'LicenceSuspended':
      case 'LicenceResumed':
        return ['suspended'];
      case 'LicenceGraceStarted':
        return ['gracePeriodUsed', 'gracePeriodExpiresAt'];
      case 'LicenceExpired':
        return ['expired'];
      case 'LicenceExpiryNoticed':
      case 'LicenceClosingNoticed':
        return [];
      case 'LicenceClosingRequested':
      case 'LicenceClosingTakenBack':
        return ['closesAt', 'closed'];
      case 'LicenceClosed':
        return ['closed'];
      case 'LicenceRenewalRequested':
        return ['renewalRequestedAt'];
    }
  },

  // Key and login code open the licence, and history is read by people who may not see them.
  fields: (state) => ({
    teamName: state.teamName,
    ownerName: state.ownerName,
    ownerEmail: state.ownerEmail,
    ownerTelegram: state.ownerTelegram,
    expiresAt: state.expiresAt,
    features: state.features,
    maxConcurrentSessions: state.maxConcurrentSessions,
    activated: state.activated,
    suspended: state.suspended?.reason ?? null,
    gracePeriodUsed: state.graceUsed,
    gracePeriodExpiresAt: state.graceUntil,
    expired: state.term?.expired ?? false,
    renewalRequestedAt: state.renewalRequestedAt ?? null,
    closesAt: state.closing?.closesAt ?? null,
    closed: state.closing?.closed ?? false,
    ...state.settings,
    leadValue: toRoubles(state.settings.leadValue),
  }),
};

const termFrom = (since: string, revision: number): LicenceTerm => ({ since, revision, noticed: [], expired: false });

const inTerm = (state: Licence, change: (term: LicenceTerm) => Partial<LicenceTerm>): Licence =>
  state.term === undefined ? state : { ...state, term: { ...state.term, ...change(state.term) } };

const inClosing = (state: Licence, change: (closing: LicenceClosing) => Partial<LicenceClosing>): Licence =>
  isClosing(state) ? { ...state, closing: { ...state.closing, ...change(state.closing) } } : state;

const isClosing = (state: Licence): state is Licence & { readonly closing: LicenceClosing } =>
  state.closing !== undefined && state.closing !== null;

const takenBack = (state: Licence): readonly LicenceEvent[] =>
  isClosing(state) ? [{ type: 'LicenceClosingTakenBack', data: {} }] : [];

const isRequested = ({ renewalRequestedAt = null }: Licence): boolean => renewalRequestedAt !== null;

const decideIssue = (
  command: Extract<LicenceCommand, { type: 'IssueLicence' }>,
  state: Licence | null,
): Decision<LicenceEvent> => {
  if (state !== null) return reject('DUPLICATE', messages.alreadyExists);
  const teamName = parseName(command.teamName);
  const ownerName = parseName(command.ownerName);
  const errors: FieldError[] = [];
  if (!keyPattern.test(command.licenseKey)) errors.push({ pointer: '/licenseKey', detail: messages.licenceKeyInvalid });
  if (teamName === null) errors.push({ pointer: '/teamName', detail: messages.nameInvalid });
  // The owner's name as a person of the licence.
  if (ownerName === null || ownerName.length < 2)
    errors.push({ pointer: '/ownerName', detail: messages.userNameInvalid });
  if (Number.isNaN(Date.parse(command.expiresAt))) errors.push({ pointer: '/expiresAt', detail: messages.dateInvalid });
  if (!Number.isInteger(command.maxConcurrentSessions) || command.maxConcurrentSessions < 1)
    errors.push({ pointer: '/maxConcurrentSessions', detail: messages.sessionsInvalid });
  const [first, ...more] = errors;
  if (first !== undefined) return rejectFields(first, ...more);
  const { type: _, ...members } = command;
  return accept({
    type: 'LicenceIssued',
    data: { ...members, teamName: teamName ?? '', ownerName: ownerName ?? '' },
  });
};

const changedSettings = (
  {
    buyersEditAll,
    earningsVisible,
    codeOnlyLogin,
    secondFactorForAll,
    changeGivenPasswords,
    countZeroLeads,
    leadValue,
  }: Partial<LicenceSettings>,
  present: LicenceSettings,
): Partial<LicenceSettings> => ({
  ...(buyersEditAll === undefined || buyersEditAll === present.buyersEditAll ? {} : { buyersEditAll }),
  ...(earningsVisible === undefined || earningsVisible === present.earningsVisible ? {} : { earningsVisible }),
  ...(codeOnlyLogin === undefined || codeOnlyLogin === present.codeOnlyLogin ? {} : { codeOnlyLogin }),
  ...(secondFactorForAll === undefined || secondFactorForAll === present.secondFactorForAll
    ? {}
    : { secondFactorForAll }),
  ...(changeGivenPasswords === undefined || changeGivenPasswords === present.changeGivenPasswords
    ? {}
    : { changeGivenPasswords }),
  ...(countZeroLeads === undefined || countZeroLeads === present.countZeroLeads ? {} : { countZeroLeads }),
  ...(leadValue === undefined || leadValue === present.leadValue ? {} : { leadValue }),
});
