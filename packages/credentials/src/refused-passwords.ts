import { dictionary } from '@zxcvbn-ts/language-common';

/** Why a password may not be set: it is among the 3,000 commonest, or hardly more than a word of the person's own (AUTH-80). */
export type PasswordFault = 'common' | 'own_word';

const common: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, 3000));

const fewestLetters = 4;
const mostBeside = 3;

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

/** Words of a name, or of what stands before the @ of an address: each, all of them with and without what parts them, and the address. */
const wordsOf = (text: string): readonly string[] => {
  const address = folded(text).trim();
  const whole = address.replace(/(?<=.)@.*$/u, '').replace(/^@/u, '');
  const parts = whole.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [address, whole, parts.join(''), ...parts].filter(
    (word) => (word.match(/\p{L}/gu) ?? []).length >= fewestLetters,
  );
};

/**
 * Null when the password may be set. `own`: names, addresses and handles of the person and the team. Case does not count; a password that
 * merely contains an own word is as good as any other.
 */
export const faultOf = (password: string, own: readonly string[]): PasswordFault | null => {
  const given = folded(password);
  if (common.has(given)) return 'common';
  const isOwn = own.flatMap(wordsOf).some((word) => given.includes(word) && given.length - word.length <= mostBeside);
  return isOwn ? 'own_word' : null;
};
