import type { LicenseWire, PersonWire } from '@zakup/contracts/wire-entities';
import { presentLicense, presentPerson } from '@zakup/contracts/to-wire';
import type { EmployeeRow, LicenceRow } from '@zakup/contracts/read-models';
import type { CodeCipher } from '@zakup/credentials/code-cipher';

/** The licence with its key and the owner's code as they are told: the read models hold them hidden (AUTH-95). */
export const withCodes = (codes: CodeCipher, row: LicenceRow): LicenceRow => {
  const shown = (member: 'licenseKey' | 'ceoLoginCode', code: string): string =>
    codes.show({ licenceId: row.id, member }, code);
  return {
    ...row,
    licenseKey: shown('licenseKey', row.licenseKey),
    ceoLoginCode: row.ceoLoginCode === null ? null : shown('ceoLoginCode', row.ceoLoginCode),
  };
};

export const showLicense = (
  codes: CodeCipher,
  row: LicenceRow,
  view: { readonly now: string; readonly reveal: boolean },
): LicenseWire => presentLicense(withCodes(codes, row), view);

/** `showCode`: as `presentPerson`. */
export const showPerson = (codes: CodeCipher, row: EmployeeRow, licenceId: string, showCode: boolean): PersonWire =>
  presentPerson(
    showCode ? { ...row, authCode: codes.show({ licenceId, member: 'authCode' }, row.authCode) } : row,
    licenceId,
    showCode,
  );
