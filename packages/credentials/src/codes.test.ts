import { randomBytes } from 'node:crypto';
import { assert, integer, property, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';
import {
  makeActivationCode,
  makeLicenceKey,
  makeLoginCode,
  makeTemporaryPassword,
  type RandomBytes,
  temporaryPasswordBits,
} from './codes.ts';

const random: RandomBytes = (count) => randomBytes(count);
const rounds = Array.from({ length: 300 });

it('CRD-42 login codes are 12 characters that cannot be mistaken for each other', () => {
  for (const code of rounds.map(() => makeLoginCode(random))) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{12}$/);
});

it('CRD-43 licence keys are LICENSE and four groups of four', () => {
  for (const key of rounds.map(() => makeLicenceKey(random))) expect(key).toMatch(/^LICENSE(-[A-Z2-9]{4}){4}$/);
});

it('CRD-44 activation codes are 6 digits, leading zeros too', () => {
  for (const code of rounds.map(() => makeActivationCode(random))) expect(code).toMatch(/^\d{6}$/);
  expect(makeActivationCode((count) => new Uint8Array(count))).toBe('000000');
});

it('CRD-45 temporary passwords are readable and hold at least 40 bits', () => {
  for (const password of rounds.map(() => makeTemporaryPassword(random))) {
    expect(password).toMatch(/^[a-z]{3,9}-[2-9]{2}-[a-z]{3,9}-[2-9]{2}-[a-z]{3,9}-[2-9]{2}$/);
  }
  expect(temporaryPasswordBits).toBeGreaterThanOrEqual(40);
});

it('CRD-46 over every byte each character comes equally often', () => {
  let next = 0;
  const everyByte: RandomBytes = (count) => Uint8Array.from({ length: count }, () => next++ % 256);
  const seen = new Map<string, number>();
  // 248 of 256 bytes are usable for 31 characters; 31 codes of 12 and one byte cycle thrown away draw whole cycles.
  for (let code = 0; code < 62; code += 1) {
    for (const character of makeLoginCode(everyByte)) seen.set(character, (seen.get(character) ?? 0) + 1);
  }
  expect(new Set(seen.values())).toEqual(new Set([24]));
});

it('CRD-47 equal bytes make equal codes', () => {
  assert(
    property(uint8Array({ minLength: 64, maxLength: 64 }), integer({ min: 0, max: 3 }), (bytes, which) => {
      const make = [makeLoginCode, makeLicenceKey, makeActivationCode, makeTemporaryPassword][which] ?? makeLoginCode;
      const replay = (): RandomBytes => {
        let at = 0;
        return (count) => Uint8Array.from({ length: count }, () => ((bytes[at++ % 64] ?? 0) + at) % 256);
      };
      expect(make(replay())).toBe(make(replay()));
    }),
  );
});
