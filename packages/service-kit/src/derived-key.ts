import { hkdfSync } from 'node:crypto';

/** 32 bytes made of the shared secret for one purpose: the same in every process, and of no use for any other purpose. */
export const derivedKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `zakup ${purpose}`, 32));
