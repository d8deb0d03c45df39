import { messages } from './messages.ts';

export const maxNickLength = 64;

export type ParsedNick =
  | {
      readonly kind: 'nick';
      /** What nicks are compared by: lower case, without `@`. */
      readonly nick: string;
      /** `@` and the nick as it was spelled. */
      readonly adminUsername: string;
    }
  | { readonly kind: 'empty'; readonly message: string }
  | { readonly kind: 'invalid'; readonly message: string };

const prefix = /^(?:https:\/\/|http:\/\/|t\.me\/|telegram\.me\/|@)\s*/iu;

/** A contractor's nick as typed or pasted, a link included (NICKS-1). */
export const parseNick = (text: string): ParsedNick => {
  let spelling = text.normalize('NFKC').trim();
  while (prefix.test(spelling)) spelling = spelling.replace(prefix, '');
  spelling = spelling.replace(/[/?].*$/su, '').trim();
  if (spelling === '') return { kind: 'empty', message: messages.nickRequired };
  // Control and invisible characters would make two nicks that look alike.
  if (/[\s\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(spelling))
    return { kind: 'invalid', message: messages.nickInvalid };
  if (Array.from(spelling).length > maxNickLength) return { kind: 'invalid', message: messages.nickTooLong };
  return { kind: 'nick', nick: spelling.toLowerCase().normalize('NFKC'), adminUsername: `@${spelling}` };
};
