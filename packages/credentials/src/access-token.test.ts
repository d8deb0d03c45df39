import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { accessTokens } from './access-token.ts';

const secret = 'a secret of more than thirty-two bytes, for tests';
const start = Date.UTC(2025, 0, 1);
const person = {
  userId: 'anna',
  sessionId: 's1',
  licenceId: '3flicence',
  role: 'MEDIA_BUYER',
  passwordChangeOnly: false,
};

const setUp = () => {
  let now = start;
  const tokens = accessTokens({ secret, clock: () => now });
  return {
    tokens,
    at: (millis: number) => {
      now = start + millis;
    },
  };
};

const invalid = { kind: 'invalid' };
const minute = 60_000;

describe('Access tokens', () => {
  it('AT-1 a token carries who, session, licence and role, for 15 minutes', () => {
    const { tokens, at } = setUp();
    const token = tokens.issue(person);
    const iat = start / 1000;
    const claims = {
      iss: 'zakup',
      aud: 'zakup',
      iat,
      exp: iat + 900,
      sub: 'anna',
      sid: 's1',
      licenseId: '3flicence',
      role: 'MEDIA_BUYER',
      passwordChangeOnly: false,
    };
    expect(tokens.verify(token, 'zakup')).toEqual({ kind: 'valid', claims });
    at(15 * minute - 1);
    expect(tokens.verify(token, 'zakup').kind).toBe('valid');
    at(15 * minute);
    expect(tokens.verify(token, 'zakup')).toEqual({ kind: 'expired' });
  });

  it('AT-2 it never outlives its session', () => {
    const { tokens, at } = setUp();
    const token = tokens.issue({ ...person, sessionExpiresAt: start + minute });
    at(minute);
    expect(tokens.verify(token, 'zakup')).toEqual({ kind: 'expired' });
  });

  it('AT-3 the admin’s token lasts 12 hours and carries login and session', () => {
    const { tokens, at } = setUp();
    const token = tokens.issueAdmin({ login: 'admin', sessionId: 'session-1' });
    expect(tokens.verify(token, 'zakup-admin')).toMatchObject({
      kind: 'valid',
      claims: { sub: 'admin', sid: 'session-1', aud: 'zakup-admin' },
    });
    at(12 * 60 * minute);
    expect(tokens.verify(token, 'zakup-admin')).toEqual({ kind: 'expired' });
  });

  it('AT-4 another realm’s token is invalid, expired or not', () => {
    const { tokens, at } = setUp();
    const ours = tokens.issue(person);
    const admins = tokens.issueAdmin({ login: 'admin', sessionId: 'session-1' });
    expect(tokens.verify(ours, 'zakup-admin')).toEqual(invalid);
    expect(tokens.verify(admins, 'zakup')).toEqual(invalid);
    at(13 * 60 * minute);
    expect(tokens.verify(ours, 'zakup-admin')).toEqual(invalid);
    expect(tokens.verify(admins, 'zakup')).toEqual(invalid);
  });

  const claims = {
    iss: 'zakup',
    aud: 'zakup',
    iat: start / 1000,
    exp: start / 1000 + 900,
    sub: 'anna',
    sid: 's1',
    licenseId: '3f',
    role: 'CEO',
    passwordChangeOnly: false,
  };

  it('AT-5 other algorithms, keys, issuers and audiences are invalid', () => {
    const { tokens } = setUp();
    expect(tokens.verify(jwt.sign(claims, secret), 'zakup').kind).toBe('valid');
    const forged = [
      jwt.sign(claims, '', { algorithm: 'none' }),
      jwt.sign(claims, secret, { algorithm: 'HS512' }),
      jwt.sign(claims, `${secret}!`),
      jwt.sign({ ...claims, iss: 'other' }, secret),
      jwt.sign({ ...claims, aud: 'other' }, secret),
      jwt.sign({ ...claims, aud: ['zakup', 'zakup-admin'] }, secret),
    ];
    for (const token of forged) expect(tokens.verify(token, 'zakup')).toEqual(invalid);
  });

  it('AT-6 missing, wrong and unknown claims are invalid', () => {
    const { tokens } = setUp();
    const { exp: _exp, ...endless } = claims;
    const { licenseId: _licenseId, ...homeless } = claims;
    const wrong = [endless, homeless, { ...claims, sub: '' }, { ...claims, extra: 1 }, { ...claims, role: 7 }];
    for (const payload of wrong) expect(tokens.verify(jwt.sign(payload, secret), 'zakup')).toEqual(invalid);
    expect(tokens.verify(jwt.sign('a text', secret), 'zakup')).toEqual(invalid);
  });

  it('AT-7 altered and random texts are invalid', () => {
    const { tokens } = setUp();
    const token = tokens.issue(person);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const raised = Buffer.from(JSON.stringify({ ...claims, sub: 'boris' })).toString('base64url');
    const altered = ['', '.', '..', 'x', `${header}.${payload}.`, `${header}.${raised}.${signature}`, `${token}.x`];
    for (const text of altered) expect(tokens.verify(text, 'zakup')).toEqual(invalid);
    for (let round = 0; round < 2_000; round += 1) {
      const noise = randomBytes(96).toString('base64url');
      const text = [header, noise.slice(0, 80), noise.slice(80)].join('.');
      expect(tokens.verify(text, 'zakup')).toEqual(invalid);
    }
  });

  it('AT-8 a secret under 32 bytes is refused', () => {
    expect(() => accessTokens({ secret: 'short', clock: () => start })).toThrow(RangeError);
  });

  it('AT-9 a token found right before is expired at its time, and stays foreign to the other realm', () => {
    const { tokens, at } = setUp();
    const token = tokens.issue(person);
    expect(tokens.verify(token, 'zakup').kind).toBe('valid');
    expect(tokens.verify(token, 'zakup').kind).toBe('valid');
    expect(tokens.verify(token, 'zakup-admin')).toEqual(invalid);
    at(15 * minute);
    expect(tokens.verify(token, 'zakup').kind).toBe('expired');
  });
});
