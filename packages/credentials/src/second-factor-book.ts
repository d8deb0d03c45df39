import { Secret, TOTP } from 'otpauth';
import { makeRecoveryCode, type RandomBytes } from './codes.ts';
import type { Credentials, Millis, SecondFactorSpent } from './credentials.ts';
import { secondFactorAccount } from './login-throttle.ts';
import { codeVault, sameText } from './secrets.ts';
import type { SecondFactorRow, Tables, WritableTables } from './tables.ts';

/** RFC 6238 as every authenticator takes it: SHA-1, six digits, steps of 30 seconds. */
const kind = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226 asks for 160 bits. */
const secretBytes = 20;
/** Steps before and after the present one, for clocks that differ and slow hands. */
const window = 1;
const recoveryCodesMade = 10;

const totpOf = (secret: string): TOTP => new TOTP({ ...kind, secret: Secret.fromBase32(secret) });

/** As it was meant: people type spaces, dashes and small letters. */
const typed = (code: string): string => code.replaceAll(/[\s-]/gu, '').toUpperCase();

/** The step of time whose code it is; null = of none that is near. */
const stepOf = (secret: string, code: string, now: Millis): number | null => {
  if (!/^\d{6}$/u.test(code)) return null;
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
};

type SecondFactorBook = Pick<
  Credentials,
  | 'beginSecondFactor'
  | 'confirmSecondFactor'
  | 'secondFactorOf'
  | 'secondFactorsIn'
  | 'checkSecondFactor'
  | 'spendSecondFactor'
  | 'renewRecoveryCodes'
  | 'removeSecondFactor'
> & {
  /** Within a transaction; false = there was none. */
  readonly removeIn: (inside: WritableTables, account: string) => Promise<boolean>;
};

const hashesOf = (row: SecondFactorRow): readonly string[] => JSON.parse(row.recoveryCodes) as readonly string[];

type CodeVault = ReturnType<typeof codeVault>;

/** The row with the code spent; null = it is none of this account, or was used. */
const spent = (vault: CodeVault, row: SecondFactorRow, given: string, now: Millis): SecondFactorRow | null => {
  const code = typed(given);
  const secret = vault.open(row.account, row.secret);
  const step = secret === null ? null : stepOf(secret, code, now);
  if (step !== null) return row.lastStep !== null && step <= row.lastStep ? null : { ...row, lastStep: step };
  const hash = vault.hash(row.account, code);
  const left = hashesOf(row).filter((one) => !sameText(one, hash));
  return left.length === hashesOf(row).length ? null : { ...row, recoveryCodes: JSON.stringify(left) };
};

/** Who must show more than a password, and what they show: a code of their authenticator, or one of ten kept elsewhere. */
export const secondFactorBook = (
  tables: Tables,
  key: Uint8Array,
  random: RandomBytes,
  forgetTriesIn: (inside: WritableTables, account: string) => Promise<void>,
): SecondFactorBook => {
  const vault = codeVault(key, random, 'second factors');
  const madeCodes = (account: string) => {
    const codes = Array.from({ length: recoveryCodesMade }, () => makeRecoveryCode(random));
    return { codes, hashes: JSON.stringify(codes.map((code) => vault.hash(account, typed(code)))) };
  };

  const spend = (account: string, code: string, now: Millis): Promise<SecondFactorSpent | null> =>
    tables.transaction(async ({ secondFactors }) => {
      const row = await secondFactors.get(account);
      if (row === undefined || row.since === null) return null;
      const after = spent(vault, row, code, now);
      if (after === null) return null;
      await secondFactors.put(after);
      return after.recoveryCodes === row.recoveryCodes
        ? { kind: 'authenticator' }
        : { kind: 'recovery_code', left: hashesOf(after).length };
    });

  const removeIn = async (inside: WritableTables, account: string): Promise<boolean> => {
    const row = await inside.secondFactors.get(account);
    if (row === undefined) return false;
    await inside.secondFactors.remove(account);
    await inside.signInSteps.removeBy('userId', account);
    await forgetTriesIn(inside, secondFactorAccount(account));
    return row.since !== null;
  };

  return {
    removeIn,

    beginSecondFactor: (account, licenceId) =>
      tables.transaction(async ({ secondFactors }) => {
        const row = await secondFactors.get(account);
        if (row !== undefined && row.since !== null) return null;
        const secret = new Secret({ buffer: new Uint8Array(random(secretBytes)).buffer }).base32;
        const sealed = vault.seal(account, secret);
        await secondFactors.put({
          account,
          licenceId,
          secret: sealed,
          since: null,
          lastStep: null,
          recoveryCodes: '[]',
        });
        return secret;
      }),

    confirmSecondFactor: (account, code, now) =>
      tables.transaction(async ({ secondFactors }) => {
        const row = await secondFactors.get(account);
        if (row === undefined || row.since !== null) return { kind: 'not_begun' };
        const shown = spent(vault, row, code, now);
        if (shown === null) return { kind: 'wrong' };
        const { codes, hashes } = madeCodes(account);
        await secondFactors.put({ ...shown, since: now, recoveryCodes: hashes });
        return { kind: 'on', recoveryCodes: codes };
      }),

    secondFactorOf: async (account) => {
      const row = await tables.secondFactors.get(account);
      if (row === undefined || row.since === null) return null;
      return { since: row.since, recoveryCodesLeft: hashesOf(row).length };
    },

    secondFactorsIn: async (licenceId) =>
      (await tables.secondFactors.by('licenceId', licenceId))
        .filter(({ since }) => since !== null)
        .map(({ account }) => account),

    spendSecondFactor: spend,
    checkSecondFactor: async (account, code, now) => (await spend(account, code, now)) !== null,

    renewRecoveryCodes: (account) =>
      tables.transaction(async ({ secondFactors }) => {
        const row = await secondFactors.get(account);
        if (row === undefined || row.since === null) return null;
        const { codes, hashes } = madeCodes(account);
        await secondFactors.put({ ...row, recoveryCodes: hashes });
        return codes;
      }),

    removeSecondFactor: (account) => tables.transaction((inside) => removeIn(inside, account)),
  };
};
