import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { kopecks } from '../money.ts';
import { firstInstant, given } from '../testing/given.ts';
import type { LicenceEvent } from './events.ts';
import { isClosed, nextClosingStep } from './licence-closing.ts';
import { licenceDecider } from './licence.decider.ts';
import { graceUntilAt, licenceStatus } from './licence-status.ts';
import { nextStep, noticeDays } from './licence-term.ts';

const licence = given(licenceDecider);
const data = {
  licenseKey: 'LICENSE-AB12-CD34-EF56-GH78',
  teamName: 'Команда',
  ownerName: 'Ольга',
  ownerEmail: 'olga@example.org',
  ownerTelegram: '@olga',
  expiresAt: '2031-01-01T00:00:00.000Z',
  features: ['analytics'],
  maxConcurrentSessions: 10,
};
const issued: LicenceEvent = { type: 'LicenceIssued', data };
const activated: LicenceEvent = { type: 'LicenceActivated', data: { ownerId: 'e-1', ceoLoginCode: 'ABCDEFGH2345' } };
const suspended: LicenceEvent = { type: 'LicenceSuspended', data: { reason: 'не оплачена' } };
const grace = { type: 'LicenceGraceStarted', data: { until: '2031-01-08T00:00:00.000Z' } } as const;
const expired: LicenceEvent = { type: 'LicenceExpired', data: {} };
const noticed = (daysBefore: number): LicenceEvent => ({
  type: 'LicenceExpiryNoticed',
  data: { daysBefore, expiresAt: data.expiresAt },
});
const renewed: LicenceEvent = { type: 'LicenceRenewed', data: { expiresAt: '2032-01-01T00:00:00.000Z' } };

describe('licence', () => {
  it('LI-1 is issued with the default switches, once', () => {
    expect(licence().when({ type: 'IssueLicence', ...data }, {})).toEqual(accept(issued));
    expect(licence(issued).state?.settings).toEqual({
      buyersEditAll: true,
      earningsVisible: true,
      codeOnlyLogin: false,
      secondFactorForAll: false,
      changeGivenPasswords: false,
      countZeroLeads: true,
      leadValue: kopecks(10_000),
    });
    expect(licence(issued).when({ type: 'IssueLicence', ...data }, {})).toEqual(
      reject('DUPLICATE', messages.alreadyExists),
    );
  });

  it('LI-2 has a key of LICENSE and four groups of four', () => {
    for (const licenseKey of ['LICENSE-ab12-CD34-EF56-GH78', 'LICENSE-AB12-CD34-EF56', `${data.licenseKey}-AAAA`])
      expect(licence().when({ type: 'IssueLicence', ...data, licenseKey }, {})).toEqual(
        rejectField('/licenseKey', 'Неверный формат лицензионного ключа'),
      );
  });

  it('LI-3 is activated once; run again it keeps owner and login code', () => {
    const activate = { type: 'ActivateLicence', ownerId: 'e-1', ceoLoginCode: 'ABCDEFGH2345' } as const;
    expect(licence(issued).when(activate, {})).toEqual(accept(activated));
    expect(licence(issued, activated).when({ ...activate, ceoLoginCode: 'OTHER2345678' }, {})).toEqual(accept());
    expect(licence(issued, suspended).when(activate, {})).toEqual(
      reject('LICENSE_INACTIVE', messages.licenceSuspended),
    );
  });

  it('LI-4 is suspended and resumed; a repeat appends nothing', () => {
    const suspend = { type: 'SuspendLicence', reason: 'не оплачена' } as const;
    expect(licence(issued).when(suspend, {})).toEqual(accept(suspended));
    expect(licence(issued, suspended).when(suspend, {})).toEqual(accept());
    expect(licence(issued, suspended).when({ type: 'ResumeLicence' }, {})).toEqual(
      accept({ type: 'LicenceResumed', data: {} }),
    );
    expect(licence(issued).when({ type: 'ResumeLicence' }, {})).toEqual(accept());
  });

  it('LI-5 has one grace period a term; renewal opens the next', () => {
    const start = { type: 'AdvanceTerm', term: 0, step: 'grace', now: data.expiresAt } as const;
    const told = noticeDays.map(noticed);
    expect(licence(issued, ...told).when(start, {})).toEqual(accept(grace));
    expect(licence(issued, ...told, grace).when(start, {})).toEqual(accept());
    expect(licence(issued, ...told, grace, expired).when(start, {})).toEqual(accept());
    const again = licence(issued, ...told, grace, expired, { ...renewed, data: { expiresAt: firstInstant } });
    expect(again.when(start, {})).toEqual(accept());
    expect(again.when({ ...start, term: 6 }, {})).toEqual(
      accept({ type: 'LicenceGraceStarted', data: { until: '2030-01-08T00:00:00.000Z' } }),
    );
  });

  it('LI-6 switches carry only what changed', () => {
    const changes = { codeOnlyLogin: true, buyersEditAll: true };
    expect(licence(issued).when({ type: 'ChangeLicenceSettings', changes }, {})).toEqual(
      accept({ type: 'LicenceSettingsChanged', data: { codeOnlyLogin: true } }),
    );
    expect(licence(issued).when({ type: 'ChangeLicenceSettings', changes: {} }, {})).toEqual(accept());
    expect(licence(issued).when({ type: 'ChangeLicenceSettings', changes: { leadValue: kopecks(-1) } }, {})).toEqual(
      rejectField('/leadValue', messages.leadValueInvalid),
    );
  });

  it('LI-7 stands where its term, grace period and suspension put it', () => {
    const status = (now: string, ...history: readonly LicenceEvent[]) => {
      const { state } = licence(issued, ...history);
      return state && licenceStatus(state, now);
    };
    expect(status('2030-12-31T23:59:59.999Z')).toBe('active');
    for (const recorded of [[], [grace]]) {
      expect(status('2031-01-01T00:00:00.000Z', ...recorded)).toBe('grace_period');
      expect(status('2031-01-07T23:59:59.999Z', ...recorded)).toBe('grace_period');
      expect(status('2031-01-08T00:00:00.000Z', ...recorded)).toBe('expired');
      expect(status('2031-01-08T00:00:00.000Z', ...recorded, renewed)).toBe('active');
    }
    expect(status('2030-12-31T23:59:59.999Z', suspended)).toBe('suspended');
    expect(status('2031-01-08T00:00:00.000Z', suspended)).toBe('suspended');
  });

  it('LI-9 stays where it was recorded to stand when the clock is set back', () => {
    const before = '2030-12-01T00:00:00.000Z';
    const at = (...history: readonly LicenceEvent[]) => {
      const { state } = licence(issued, ...history);
      return state && [licenceStatus(state, before), graceUntilAt(state, before)];
    };
    expect(at()).toEqual(['active', null]);
    expect(at(grace)).toEqual(['grace_period', grace.data.until]);
    expect(at(grace, expired)).toEqual(['expired', grace.data.until]);
  });

  it('LI-10 comes to the steps of its term one by one, never before they are due', () => {
    const due = (...history: readonly LicenceEvent[]) => {
      const { state } = licence(issued, ...history);
      const next = state && nextStep(state);
      return next && [next.step, next.at, next.event];
    };
    const [month, week, day] = [noticed(30), noticed(7), noticed(1)];
    expect(due()).toEqual(['notice-30', '2030-12-02T00:00:00.000Z', month]);
    expect(due(month)).toEqual(['notice-7', '2030-12-25T00:00:00.000Z', week]);
    expect(due(month, week)).toEqual(['notice-1', '2030-12-31T00:00:00.000Z', day]);
    expect(due(month, week, day)).toEqual(['grace', '2031-01-01T00:00:00.000Z', grace]);
    expect(due(month, week, day, grace)).toEqual(['expiry', '2031-01-08T00:00:00.000Z', expired]);
    expect(due(month, week, day, grace, expired)).toBeNull();
    const advance = { type: 'AdvanceTerm', term: 0, step: 'notice-30' } as const;
    const early = { ...advance, now: '2030-12-01T23:59:59.999Z' };
    expect(licence(issued).when(early, {})).toEqual(accept());
    expect(licence(issued).when({ ...early, now: '2030-12-02T00:00:00.000Z' }, {})).toEqual(accept(month));
    expect(licence(issued).when({ ...advance, step: 'notice-7', now: data.expiresAt }, {})).toEqual(accept());
  });

  it('LI-11 tells of no more days than the term began with', () => {
    const of = (days: number): LicenceEvent => ({
      type: 'LicenceIssued',
      data: { ...data, expiresAt: new Date(Date.parse(firstInstant) + days * 86_400_000).toISOString() },
    });
    const first = (days: number) => {
      const { state } = licence(of(days));
      return state && nextStep(state)?.step;
    };
    expect([30, 29.9, 7, 6.9, 1, 0.9, 0, -100].map(first)).toEqual([
      'notice-30',
      'notice-7',
      'notice-7',
      'notice-1',
      'notice-1',
      'grace',
      'grace',
      'grace',
    ]);
  });

  it('LI-12 a renewal is asked for once, until it is given', () => {
    const ask = { type: 'RequestRenewal' } as const;
    const requested: LicenceEvent = { type: 'LicenceRenewalRequested', data: {} };
    expect(licence(issued).when(ask, {})).toEqual(accept(requested));
    expect(licence(issued, requested).when(ask, {})).toEqual(accept());
    expect(licence(issued, requested, suspended).when(ask, {})).toEqual(accept());
    expect(licence(issued, requested, renewed).when(ask, {})).toEqual(accept(requested));
    expect(licence(issued, requested).state?.renewalRequestedAt).toBe('2030-01-01T00:00:01.000Z');
    expect(licence(issued, requested, renewed).state?.renewalRequestedAt).toBeNull();
  });

  it('LI-13 folds on from a row of before terms were followed', () => {
    const { state } = licence(issued);
    if (state === null) throw new Error('It was issued');
    const { term: _, renewalRequestedAt: __, ...old } = state;
    const recorded = { at: firstInstant, actorId: 'system', revision: 9 };
    for (const event of [noticed(30), expired]) expect(licenceDecider.evolve(old, event, recorded)).toEqual(old);
    expect(nextStep(old)).toBeNull();
    expect(licenceDecider.fields(old)).toMatchObject({ expired: false, renewalRequestedAt: null });
    expect(licenceDecider.evolve(old, renewed, recorded).term?.revision).toBe(9);
  });

  const closesAt = '2030-06-08T10:00:00.000Z';
  const requested: LicenceEvent = { type: 'LicenceClosingRequested', data: { closesAt, reason: 'Переезжаем' } };
  const toldOnce: LicenceEvent = { type: 'LicenceClosingNoticed', data: { daysBefore: 1, closesAt } };
  const closed: LicenceEvent = { type: 'LicenceClosed', data: {} };
  const takenBack: LicenceEvent = { type: 'LicenceClosingTakenBack', data: {} };

  it('LI-14 closes seven days after its owner said so, once; saying it again moves nothing', () => {
    const close = { type: 'CloseLicence', reason: 'Переезжаем', now: '2030-06-01T10:00:00.000Z' } as const;
    expect(licence(issued).when(close, {})).toEqual(accept(requested));
    const later = { ...close, reason: 'Раздумали', now: '2030-06-05T10:00:00.000Z' };
    for (const history of [[requested], [requested, toldOnce], [requested, toldOnce, closed]])
      expect(licence(issued, ...history).when(later, {})).toEqual(accept());
    const { state } = licence(issued, requested);
    expect(state?.closing).toEqual({
      revision: 1,
      requestedAt: '2030-01-01T00:00:01.000Z',
      closesAt,
      reason: 'Переезжаем',
      noticed: [],
      closed: false,
    });
  });

  it('LI-15 stands closed from the very instant on, recorded or not, and before it as if nothing was said', () => {
    const status = (now: string, ...history: readonly LicenceEvent[]) => {
      const { state } = licence(issued, ...history);
      return state && licenceStatus(state, now);
    };
    expect(status('2030-06-08T09:59:59.999Z', requested)).toBe('active');
    expect(status(closesAt, requested)).toBe('closed');
    expect(status('2030-06-08T09:59:59.999Z', requested, toldOnce, closed)).toBe('closed');
    expect(status('2033-01-01T00:00:00.000Z', requested)).toBe('closed');
    expect(status('2033-01-01T00:00:00.000Z', requested, suspended)).toBe('suspended');
    expect(status(closesAt, requested, takenBack)).toBe('active');
  });

  it('LI-16 the owner takes it back until it is closed, and the admin always, by renewing or resuming', () => {
    const keep = (now: string) => ({ type: 'KeepLicence', now }) as const;
    const tooLate = reject('LICENSE_INACTIVE', messages.licenceClosed);
    expect(licence(issued, requested).when(keep('2030-06-08T09:59:59.999Z'), {})).toEqual(accept(takenBack));
    expect(licence(issued, requested).when(keep(closesAt), {})).toEqual(tooLate);
    expect(licence(issued, requested, closed).when(keep('2030-06-02T00:00:00.000Z'), {})).toEqual(tooLate);
    expect(licence(issued).when(keep(closesAt), {})).toEqual(accept());
    for (const history of [[requested], [requested, toldOnce, closed]]) {
      const renew = (expiresAt: string) => licence(issued, ...history).when({ type: 'RenewLicence', expiresAt }, {});
      expect(renew('2032-01-01T00:00:00.000Z')).toEqual(accept<LicenceEvent>(takenBack, renewed));
      expect(renew(data.expiresAt)).toEqual(accept(takenBack));
      expect(licence(issued, ...history).when({ type: 'ResumeLicence' }, {})).toEqual(accept(takenBack));
      expect(licence(issued, ...history, suspended).when({ type: 'ResumeLicence' }, {})).toEqual(
        accept({ type: 'LicenceResumed', data: {} }),
      );
    }
  });

  it('LI-17 comes to the steps of its closing one by one, never before they are due nor after it was taken back', () => {
    const due = (...history: readonly LicenceEvent[]) => {
      const { state } = licence(issued, ...history);
      const next = state && nextClosingStep(state);
      return next && [next.step, next.at, next.event];
    };
    expect(due()).toBeNull();
    expect(due(requested)).toEqual(['closing-notice-1', '2030-06-07T10:00:00.000Z', toldOnce]);
    expect(due(requested, toldOnce)).toEqual(['closed', closesAt, closed]);
    expect(due(requested, toldOnce, closed)).toBeNull();
    expect(due(requested, takenBack)).toBeNull();
    const advance = { type: 'AdvanceClosing', closing: 1, step: 'closing-notice-1' } as const;
    const early = { ...advance, now: '2030-06-07T09:59:59.999Z' };
    expect(licence(issued, requested).when(early, {})).toEqual(accept());
    expect(licence(issued, requested).when({ ...advance, now: closesAt }, {})).toEqual(accept(toldOnce));
    expect(licence(issued, requested).when({ ...advance, step: 'closed', now: closesAt }, {})).toEqual(accept());
    expect(licence(issued, requested, takenBack, requested).when({ ...advance, now: closesAt }, {})).toEqual(accept());
  });

  it('LI-18 folds on from a row of before licences were closed', () => {
    const { state } = licence(issued);
    if (state === null) throw new Error('It was issued');
    const { closing: _, ...old } = state;
    const recorded = { at: firstInstant, actorId: 'system', revision: 9 };
    expect([nextClosingStep(old), isClosed(old, '2040-01-01T00:00:00.000Z')]).toEqual([null, false]);
    for (const event of [toldOnce, closed]) expect(licenceDecider.evolve(old, event, recorded)).toEqual(old);
    expect(licenceDecider.fields(old)).toMatchObject({ closesAt: null, closed: false });
    expect(licenceDecider.evolve(old, requested, recorded).closing?.revision).toBe(9);
  });

  it('LI-8 leaves key and login code out of the fields that history shows', () => {
    const { state } = licence(issued, activated);
    const shown = JSON.stringify(state && licenceDecider.fields(state));
    expect(shown).not.toContain(data.licenseKey);
    expect(shown).not.toContain('ABCDEFGH2345');
  });
});
