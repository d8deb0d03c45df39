import { presentLicense } from '@zakup/contracts/to-wire';
import type { LicenceRow } from '@zakup/contracts/read-models';
import type { AnyEvent } from '@zakup/domain/catalog';
import { describe, expect, it } from 'vitest';
import { documentOf, foldAll, instant, licenceId, licenceIssued, testLog, testReadStore } from '../testing/given.ts';

const expiresAt = '2026-03-01T09:00:00.000Z';
const life: readonly AnyEvent[] = [
  licenceIssued,
  { type: 'LicenceExpiryNoticed', data: { daysBefore: 30, expiresAt } },
  { type: 'LicenceRenewalRequested', data: {} },
  { type: 'LicenceGraceStarted', data: { until: '2026-03-08T09:00:00.000Z' } },
  { type: 'LicenceExpired', data: {} },
  { type: 'LicenceSuspended', data: { reason: 'долг' } },
  { type: 'LicenceResumed', data: {} },
  { type: 'LicenceRenewed', data: { expiresAt: '2027-03-01T09:00:00.000Z' } },
];

describe('the row of a licence', () => {
  it('CML-30 follows its term, the request for a renewal and its suspension, event by event, in the workspace', async () => {
    const { eventStore, append } = testLog();
    const readStore = testReadStore();
    const shown: unknown[] = [];
    for (const event of life) {
      await append(['licence', licenceId, event]);
      await foldAll({ eventStore, readStore });
      const doc = await documentOf(readStore, 'license', licenceId);
      const license = presentLicense(doc?.data as unknown as LicenceRow, {
        now: '2026-02-01T09:00:00.000Z',
        reveal: false,
      });
      const { revision, status, gracePeriodExpiresAt, renewalRequestedAt } = license;
      expect([doc?.scopes, doc?.position]).toEqual([['workspace'], revision + 1]);
      shown.push([revision, status, gracePeriodExpiresAt, renewalRequestedAt]);
    }
    const [until, asked] = ['2026-03-08T09:00:00.000Z', instant(2)];
    expect(shown).toEqual([
      [0, 'active', null, null],
      [1, 'active', null, null],
      [2, 'active', null, asked],
      [3, 'grace_period', until, asked],
      [4, 'expired', until, asked],
      [5, 'suspended', until, asked],
      [6, 'expired', until, asked],
      [7, 'active', null, null],
    ]);
  });
});
