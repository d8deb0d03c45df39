import { describe, expect, it } from 'vitest';
import { accept, reject, rejectField } from '../decider.ts';
import { messages } from '../messages.ts';
import { kopecks } from '../money.ts';
import { given } from '../testing/given.ts';
import type { LicenceEvent } from './events.ts';
import { licenceDecider } from './licence.decider.ts';
import { licenceStatus } from './licence-status.ts';

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
const grace: LicenceEvent = { type: 'LicenceGraceStarted', data: { until: '2031-01-08T00:00:00.000Z' } };
const renewed: LicenceEvent = { type: 'LicenceRenewed', data: { expiresAt: '2032-01-01T00:00:00.000Z' } };

describe('licence', () => {
  it('LI-1 is issued with the default switches, once', () => {
    expect(licence().when({ type: 'IssueLicence', ...data }, {})).toEqual(accept(issued));
    expect(licence(issued).state?.settings).toEqual({
      buyersEditAll: true,
      earningsVisible: true,
      codeOnlyLogin: false,
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
    const start = { type: 'StartGrace', until: '2031-01-08T00:00:00.000Z' } as const;
    expect(licence(issued).when(start, {})).toEqual(accept(grace));
    expect(licence(issued, grace).when(start, {})).toEqual(accept());
    expect(licence(issued, grace, renewed).when(start, {})).toEqual(accept(grace));
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
    expect(status('2031-01-01T00:00:00.000Z')).toBe('expired');
    expect(status('2031-01-01T00:00:00.000Z', grace)).toBe('grace_period');
    expect(status('2031-01-08T00:00:00.000Z', grace)).toBe('expired');
    expect(status('2031-01-08T00:00:00.000Z', grace, renewed)).toBe('active');
    expect(status('2030-12-31T23:59:59.999Z', suspended)).toBe('suspended');
  });

  it('LI-8 leaves key and login code out of the fields that history shows', () => {
    const { state } = licence(issued, activated);
    const shown = JSON.stringify(state && licenceDecider.fields(state));
    expect(shown).not.toContain(data.licenseKey);
    expect(shown).not.toContain('ABCDEFGH2345');
  });
});
