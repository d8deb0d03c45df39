import { createHash } from 'node:crypto';
import type { CodeCipher } from '@zakup/credentials/code-cipher';

/** As logs were written before codes were hidden in them: the hash of a request as it was, values by a hash that anybody can make. */
export const plainCodes: CodeCipher = {
  hide: (_place, code) => code,
  show: (_place, stored) => stored,
  hash: (text) => (/^[0-9a-f]{64}$/u.test(text) ? text : createHash('sha256').update(text).digest('hex')),
};

/** Codes that stand plainly at first, and are hidden from a moment on. */
export const hiddenLater = (later: CodeCipher): CodeCipher & { hideFromNowOn(): void } => {
  let now = plainCodes;
  return {
    hide: (place, code) => now.hide(place, code),
    show: (place, stored) => now.show(place, stored),
    hash: (text) => now.hash(text),
    hideFromNowOn() {
      now = later;
    },
  };
};
