import { describe, expect, test } from 'vitest';
import { codeCipher } from './code-cipher.ts';

const key = new Uint8Array(32).fill(1);
const codes = codeCipher(key);
const place = { licenceId: '3f00', member: 'authCode' };
const code = 'ABCDEFGH2345';

describe('access codes as they are kept', () => {
  test('CT-1590 a code is read again with the key, in its place alone', () => {
    const kept = codes.hide(place, code);
    expect(kept).toMatch(/^enc:1:[\w-]{54}$/u);
    expect(codes.show(place, kept)).toBe(code);
    expect(codeCipher(key).show(place, kept)).toBe(code);
    const damaged = `${kept.slice(0, -1)}${kept.endsWith('A') ? 'B' : 'A'}`;
    for (const [of, cipher, text] of [
      [{ ...place, licenceId: '3f01' }, codes, kept],
      [{ ...place, member: 'ceoLoginCode' }, codes, kept],
      [place, codeCipher(new Uint8Array(32).fill(2)), kept],
      [place, codes, damaged],
      [place, codes, 'enc:1:AA'],
      [place, codes, kept.replace('enc:1:', 'enc:2:')],
    ] as const)
      expect(() => cipher.show(of, text)).toThrow('was hidden with another key');
  });

  test('CT-1591 one that stands plainly is read as it is; the same code is kept the same, another licence’s otherwise', () => {
    expect(codes.show(place, code)).toBe(code);
    expect(codes.show(place, '')).toBe('');
    const kept = codes.hide(place, code);
    expect(codes.hide(place, code)).toBe(kept);
    expect(codes.hide(place, kept)).toBe(kept);
    const others = [
      codes.hide({ ...place, licenceId: '3f01' }, code),
      codes.hide({ ...place, member: 'ceoLoginCode' }, code),
      codes.hide(place, 'ABCDEFGH2346'),
    ];
    const nonces = [kept, ...others].map((text) => text.slice(0, 'enc:1:'.length + 16));
    expect(new Set(nonces).size).toBe(4);
  });

  test('CT-1592 what codes are found by needs the key, which has 32 bytes', () => {
    expect(codes.hash(code)).toMatch(/^[0-9a-f]{64}$/u);
    expect(codes.hash(code)).toBe(codeCipher(key).hash(code));
    expect(codes.hash(code)).not.toBe(codeCipher(new Uint8Array(32).fill(2)).hash(code));
    for (const length of [0, 31, 33]) expect(() => codeCipher(new Uint8Array(length))).toThrow('must have 32 bytes');
  });
});
