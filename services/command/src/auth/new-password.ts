import type { Problem } from '@zakup/contracts/problems';
import { faultOf, type PasswordFault } from '@zakup/credentials/refused-passwords';
import type { Employee } from '@zakup/domain/employee/state';
import type { Licence } from '@zakup/domain/licence/state';
import { messages } from '@zakup/domain/messages';

const textOf = {
  common: messages.passwordCommon,
  own_word: messages.passwordOwnWord,
} as const satisfies Readonly<Record<PasswordFault, string>>;

/** Whom a password is set for. */
type Holder = Pick<Employee, 'name' | 'email'>;

/** The person as who the licence was issued to. */
export const ownerOf = ({ ownerName, ownerEmail, ownerTelegram }: Licence): readonly Holder[] => [
  { name: ownerName, email: ownerEmail },
  { name: ownerName, email: ownerTelegram },
];

/** 422 at the field of a password that anybody would try first (AUTH-80); null = it may be set. */
export const refusedPassword = (
  { field, password }: { readonly field: string; readonly password: string },
  holders: readonly Holder[],
  { teamName }: Pick<Licence, 'teamName'>,
): Problem | null => {
  const fault = faultOf(password, [teamName, ...holders.flatMap(({ name, email }) => [name, email])]);
  if (fault === null) return null;
  const message = textOf[fault];
  return { code: 'VALIDATION_FAILED', message, errors: [{ pointer: `/${field}`, detail: message }] };
};
