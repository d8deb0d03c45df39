import { isShown } from '@zakup/domain/limits';
import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { baseRevision, email, limits, rate, roubles, salaryType, text } from './fields.ts';

/** People of a licence (PPL-1, PPL-4, PPL-5); members stand in the order of the checks. */

const name = text(messages.userNameInvalid, 2, limits.name, messages.textTooLong).refine(isShown, {
  error: messages.userNameInvalid,
  // What is wrong with it is said once.
  when: ({ issues }) => issues.length === 0,
});
const role = z.enum(['CEO', 'ANALYTIC', 'TEAM_LEAD', 'MEDIA_BUYER', 'CBDO'], { error: messages.roleInvalid });
const authCode = z
  .string({ error: messages.authCodeInvalid })
  .trim()
  .toUpperCase()
  .min(4, { error: messages.authCodeInvalid })
  .max(limits.code, { error: messages.textTooLong, abort: true })
  .regex(/^\P{C}*$/u, { error: messages.authCodeInvalid });
const mostFlags = 40;
/** How many members it has is asked first: the rest of a hostile object is not looked at. */
const flags = z.preprocess(
  (value, context) => {
    const few = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (few && Object.keys(value).length <= mostFlags) return value;
    context.addIssue({ code: 'custom', message: messages.permissionsInvalid });
    return z.NEVER;
  },
  z.record(z.string().max(40), z.boolean()),
);
/** An object of flags, or the same as a JSON text; null, empty or unparsable as ROLE-3 says. */
const permissions = z.union([flags, z.string().max(4000, { error: messages.permissionsInvalid }), z.null()], {
  error: messages.permissionsInvalid,
});
const terms = {
  salaryType: salaryType.nullable(),
  salaryRate: rate.nullable(),
  performanceThreshold: roubles(messages.thresholdInvalid).nullable(),
};
const password = z
  .string({ error: messages.passwordTooShort })
  .min(8, { error: messages.passwordTooShort })
  .max(256, { error: messages.textTooLong });

export const createEmployeeRequest = z
  .object({ name, email, authCode, role, password, permissions, ...terms })
  .partial({
    authCode: true,
    password: true,
    permissions: true,
    salaryType: true,
    salaryRate: true,
    performanceThreshold: true,
  });
export const changeUserRequest = z
  .object({
    baseRevision,
    name,
    email,
    role,
    permissions,
    isActive: z.boolean({ error: messages.statusInvalid }),
    ...terms,
  })
  .partial();
