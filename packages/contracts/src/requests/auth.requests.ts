import { messages } from '@zakup/domain/messages';
import { features } from '@zakup/domain/permissions';
import { z } from 'zod';
import { baseRevision, email, instantOrDay, limits, roubles, text } from './fields.ts';

/** Signing in, activation, the licence and the admin realm. */

const required = z
  .string({ error: messages.fieldsRequired })
  .trim()
  .min(1, { error: messages.fieldsRequired })
  .max(256, { error: messages.fieldsRequired });
const secret = z
  .string({ error: messages.fieldsRequired })
  .min(1, { error: messages.fieldsRequired })
  .max(256, { error: messages.fieldsRequired });
const code = required.toUpperCase();
const licenseKey = z
  .string({ error: messages.licenceKeyInvalid })
  .trim()
  .toUpperCase()
  .regex(/^LICENSE-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/u, { error: messages.licenceKeyInvalid });
const newPassword = z
  .string({ error: messages.passwordTooShort })
  .min(8, { error: messages.passwordTooShort })
  .max(256, { error: messages.textTooLong });
const endOldest = z.boolean({ error: messages.bodyInvalid }).optional();
const flag = z.boolean({ error: messages.textInvalid });

export const loginCodeRequest = z.object({ authCode: code, endOldest });
export const employeeLoginRequest = z.object({ authCode: code, password: secret, endOldest });
export const ceoLoginRequest = z.object({ loginCode: code, password: secret, endOldest });
export const refreshRequest = z.object({ refreshToken: secret });
export const changePasswordRequest = z
  .object({ currentPassword: secret, newPassword })
  // As the letters are, however they were typed.
  .refine((body) => body.currentPassword.normalize('NFC') !== body.newPassword.normalize('NFC'), {
    error: messages.passwordUnchanged,
    path: ['newPassword'],
  });

/** Six digits of an authenticator, or a recovery code, as people type them. */
const secondFactorCode = z
  .string({ error: messages.secondFactorWrong })
  .trim()
  .regex(/^[A-Za-z\d -]{6,20}$/u, { error: messages.secondFactorWrong });
export const secondFactorRequest = z.object({ code: secondFactorCode, endOldest });
export const beginSecondFactorRequest = z.object({ currentPassword: secret });
export const confirmSecondFactorRequest = z.object({ code: secondFactorCode });
/** What only who has both secrets may do. */
export const provenRequest = z.object({ currentPassword: secret, code: secondFactorCode });

export const requestCodeRequest = z.object({ licenseKey });
export const activateStep1Request = z.object({
  licenseKey,
  twoFactorCode: z
    .string({ error: messages.activationCodeInvalid })
    .trim()
    .regex(/^\d{6}$/u, { error: messages.activationCodeInvalid }),
});
export const activateStep2Request = z
  .object({
    licenseKey,
    password: newPassword,
    passwordConfirm: z.string({ error: messages.passwordsDiffer }).max(256, { error: messages.passwordsDiffer }),
  })
  .refine((body) => body.password === body.passwordConfirm, {
    error: messages.passwordsDiffer,
    path: ['passwordConfirm'],
  });
export const activateRequest = z.object({ licenseKey, password: secret, endOldest });

export const licenceSettingsRequest = z
  .object({
    baseRevision,
    buyersEditAll: flag,
    earningsVisible: flag,
    codeOnlyLogin: flag,
    secondFactorForAll: flag,
    changeGivenPasswords: flag,
    countZeroLeads: flag,
    leadValue: roubles(messages.leadValueInvalid),
  })
  .partial();

export const closeLicenceRequest = z.object({ reason: text(messages.textInvalid, 0, limits.text).nullish() });

export const adminLoginRequest = z.object({ login: required, password: secret });
const ownerText = text(messages.nameInvalid, 1, 120);
const ownerName = text(messages.userNameInvalid, 2, 120, messages.textTooLong);
const expiresAt = instantOrDay(messages.dateInvalid);
export const issueLicenceRequest = z.object({
  ownerName,
  ownerEmail: email,
  ownerTelegram: ownerText,
  teamName: ownerText.optional(),
  expiresAt: expiresAt.optional(),
  maxConcurrentSessions: z
    .number({ error: messages.sessionsInvalid })
    .int({ error: messages.sessionsInvalid })
    .min(1, { error: messages.sessionsInvalid })
    .max(10_000, { error: messages.sessionsInvalid })
    .optional(),
  features: z
    .array(z.enum(features, { error: messages.textInvalid }), { error: messages.textInvalid })
    .max(features.length, { error: messages.textInvalid })
    .optional(),
});
export const renewLicenceRequest = z.object({ expiresAt });
export const suspendLicenceRequest = z.object({ reason: text(messages.textInvalid, 1, 500) });
