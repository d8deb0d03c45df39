import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { messages } from './messages.ts';
import { parseNick } from './nick.ts';

test.each([
  ['durov', 'durov', '@durov'],
  ['@durov', 'durov', '@durov'],
  ['  @Durov  ', 'durov', '@Durov'],
  ['@@durov', 'durov', '@durov'],
  ['@ durov', 'durov', '@durov'],
  ['https://t.me/Durov', 'durov', '@Durov'],
  ['HTTP://T.ME/durov', 'durov', '@durov'],
  ['t.me/durov/123', 'durov', '@durov'],
  ['t.me/durov?start=1', 'durov', '@durov'],
  ['https://telegram.me/@durov', 'durov', '@durov'],
  ['https://https://t.me/t.me/@durov', 'durov', '@durov'],
  ['＠ｄｕｒｏｖ', 'durov', '@durov'],
  ['\u00a0durov\u00a0', 'durov', '@durov'],
  ['Канал_Мемов', 'канал_мемов', '@Канал_Мемов'],
  ['durov /post', 'durov', '@durov'],
  ['@مطبخ_سريع', 'مطبخ_سريع', '@مطبخ_سريع'],
  ['t.me/מטבח', 'מטבח', '@מטבח'],
])('NICK-1 %j is the nick %s', (text, nick, adminUsername) => {
  expect(parseNick(text)).toEqual({ kind: 'nick', nick, adminUsername });
});

test.each(['', '   ', '@', '@@ ', 'https://', 'https://t.me/', 't.me/?start=1', '/durov', '?'])(
  'NICK-2 %j is empty',
  (text) => {
    expect(parseNick(text)).toEqual({ kind: 'empty', message: messages.nickRequired });
  },
);

test.each([
  'du rov',
  'du\u00a0rov',
  '@du\trov',
  'du\u200brov',
  'du\u0000rov',
  'du\u3164rov',
  'du\ud800rov',
  '\u202edurov',
  'durov\u200f',
  '\u2067durov\u2069',
  'du\u00adrov',
])('NICK-3 %j has a blank or something invisible inside', (text) => {
  expect(parseNick(text)).toEqual({ kind: 'invalid', message: messages.nickInvalid });
});

test('NICK-4 a nick has at most 64 characters, prefixes aside', () => {
  expect(parseNick(`https://t.me/${'a'.repeat(64)}`).kind).toBe('nick');
  expect(parseNick('a'.repeat(65))).toEqual({ kind: 'invalid', message: messages.nickTooLong });
});

test('NICK-5 a nick reads back as itself, spelled or in lower case', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('@A', 't.me/Б', 'ＡＢ'));
  fc.assert(
    fc.property(text, (typed) => {
      const first = parseNick(typed);
      if (first.kind !== 'nick') return;
      expect(parseNick(first.adminUsername)).toEqual(first);
      const lower = parseNick(first.nick);
      expect(lower.kind === 'nick' && lower.nick).toBe(first.nick);
    }),
    { numRuns: 2000 },
  );
});
