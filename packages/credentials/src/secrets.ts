import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './codes.ts';

/** 32 random bytes as base64url. */
export const makeToken = (random: RandomBytes): string => Buffer.from(random(32)).toString('base64url');

/** SHA-256 as base64url; enough for random tokens, which nobody can guess from it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** In the same time for equal and unequal texts. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/**
 * Seals a token with the one it replaces, and opens it again: only who holds the old token can read the new one, no key is kept, and
 * since a token seals exactly one other the mask is never used twice.
 */
const masked = (token: string, bytes: Uint8Array): Buffer => {
  const mask = createHmac('sha256', token).update('the refresh token that replaces this one').digest();
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)));
};

export const sealSuccessor = (token: string, successor: string): string =>
  masked(token, Buffer.from(successor, 'base64url')).toString('base64url');

export const openSuccessor = (token: string, sealed: string): string =>
  masked(token, Buffer.from(sealed, 'base64url')).toString('base64url');

const derivedKey = (key: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `zakup credentials: ${purpose}`, 32));

/** The salt of passwords that are typed with one access code: 16 bytes, of no use to whoever has not the key. */
export const saltOf = (key: Uint8Array, code: string): Uint8Array =>
  createHmac('sha256', derivedKey(key, 'salt of passwords')).update(code).digest().subarray(0, 16);

/** Of whom a sealed text is: an activation code of its licence, a second factor of its account. */
export type VaultPurpose = 'activation codes' | 'second factors';

/** What a server key is needed for: short codes, which a plain hash would not hide, and secrets that must be read again. */
export const codeVault = (key: Uint8Array, random: RandomBytes, purpose: VaultPurpose = 'activation codes') => {
  if (key.length < 32) throw new RangeError('The credential key must have at least 32 bytes');
  const hashKey = derivedKey(key, `hash of ${purpose}`);
  const cipherKey = derivedKey(key, `cipher of ${purpose}`);
  return {
    hash: (owner: string, code: string): string =>
      createHmac('sha256', hashKey)
        .update(JSON.stringify([owner, code]))
        .digest('base64url'),
    seal: (owner: string, code: string): string => {
      const nonce = random(12);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce).setAAD(Buffer.from(owner));
      return Buffer.concat([nonce, cipher.update(code, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      );
    },
    /** Null when it was sealed with another key or for another owner. */
    open: (owner: string, sealed: string): string | null => {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, 12), { authTagLength: 16 })
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(-16));
        return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
};
