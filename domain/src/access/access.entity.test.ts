import { expect, it } from 'vitest';
import { catalogEntry } from '../catalog.ts';
import { foldOf } from '../testing/given.ts';
import { accessEntity } from './access.entity.ts';
import type { AccessEvent } from './events.ts';

const signedIn: AccessEvent = {
  type: 'SignedIn',
  data: { sessionId: 's-1', door: 'employee', network: '203.0.113.0/24', knownDevice: false },
};
const refused = (count: number): AccessEvent => ({
  type: 'SignInRefused',
  data: {
    since: '2030-01-01T00:00:00.000Z',
    until: '2030-01-01T00:00:10.000Z',
    count,
    reasons: { wrong_secret: count },
    doors: ['employee'],
    networks: ['203.0.113.0/24'],
    moreNetworks: false,
  },
});

it('ACS-1 knows when the person last came in, and how many tries were refused since', () => {
  expect(foldOf(accessEntity, [refused(2), refused(3)]).state).toEqual({ signedInAt: null, refusedTries: 5 });
  expect(foldOf(accessEntity, [refused(2), signedIn]).state).toEqual({
    signedInAt: '2030-01-01T00:00:01.000Z',
    refusedTries: 0,
  });
  const out: AccessEvent = { type: 'SignedOut', data: { sessionId: 's-1' } };
  expect(foldOf(accessEntity, [signedIn, out]).state?.signedInAt).toBe('2030-01-01T00:00:00.000Z');
});

it('ACS-2 readers that show entities may pass over all of it, and networks are personal', () => {
  const ofSecondFactor = ['SecondFactorEnabled', 'SecondFactorDisabled', 'SecondFactorReset'];
  const ofCodes = ['RecoveryCodesRenewed', 'RecoveryCodeUsed'];
  const taken = ['DataTaken', 'LicenceKeyShown'];
  const others = [...ofSecondFactor, ...ofCodes, ...taken];
  for (const type of ['SignedIn', 'SignInRefused', 'SignedOut', 'SessionsEnded', ...others])
    expect([type, catalogEntry(type)?.ignorable]).toEqual([type, true]);
  expect([catalogEntry('SignedIn')?.personal, catalogEntry('SignInRefused')?.personal]).toEqual([
    ['network'],
    ['networks'],
  ]);
});
