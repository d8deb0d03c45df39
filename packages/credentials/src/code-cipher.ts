import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** Where a code stands: its licence, and the member of events and documents that holds it. */
export interface CodePlace {
  readonly licenceId: string;
  readonly member: string;
}

/**
 * What opens something to whoever has it, and must be shown again: access codes and licence keys. In the log and whatever is made of it they
 * stand hidden; who has not the key reads neither what they are nor whether one that he guesses is right.
 */
export interface CodeCipher {
  /** `enc:1:<nonce, text and tag in base64url>`, the same whenever it is the same code in the same place; one that is hidden already as it is. */
  readonly hide: (place: CodePlace, code: string) => string;
  /** The code. One that stands plainly, of before codes were hidden, as it is. Throws `CodeNotReadable` for one of another key or place. */
  readonly show: (place: CodePlace, stored: string) => string;
  /** 64 hex digits by which the same text is found again. */
  readonly hash: (text: string) => string;
}

/** Was hidden with another key, for another place, by a newer version, or is damaged. */
export class CodeNotReadable extends Error {
  override readonly name = 'CodeNotReadable';
  constructor({ licenceId, member }: CodePlace) {
    super(`The ${member} of licence ${licenceId} was hidden with another key`);
  }
}

const hidden = 'enc:';
const version = `${hidden}1:`;
const [nonceLength, tagLength] = [12, 16];

/** Nobody's code: those that people choose are in capitals. */
export const isHidden = (stored: string): boolean => stored.startsWith(hidden);

/**
 * AES-256-GCM with the place as associated data. The nonce is a keyed hash of place and code: it is used for nothing else, and a command
 * that is decided once more says the same.
 */
export const codeCipher = (key: Uint8Array): CodeCipher => {
  if (key.length !== 32) throw new RangeError('The key of the access codes must have 32 bytes');
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `zakup access codes: ${purpose}`, 32));
  const [cipherKey, nonceKey, hashKey] = [derived('cipher'), derived('nonce'), derived('hash')];
  const placed = ({ licenceId, member }: CodePlace): string => JSON.stringify([licenceId, member]);

  return {
    hide(place, code) {
      if (isHidden(code)) return code;
      const nonce = createHmac('sha256', nonceKey)
        .update(JSON.stringify([placed(place), code]))
        .digest()
        .subarray(0, nonceLength);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce).setAAD(Buffer.from(placed(place)));
      const sealed = [nonce, cipher.update(code, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${version}${Buffer.concat(sealed).toString('base64url')}`;
    },

    show(place, stored) {
      if (!isHidden(stored)) return stored;
      const bytes = Buffer.from(stored.slice(version.length), 'base64url');
      if (!stored.startsWith(version) || bytes.length < nonceLength + tagLength) throw new CodeNotReadable(place);
      try {
        const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, nonceLength), {
          authTagLength: tagLength,
        })
          .setAAD(Buffer.from(placed(place)))
          .setAuthTag(bytes.subarray(-tagLength));
        return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new CodeNotReadable(place);
      }
    },

    hash: (text) => createHmac('sha256', hashKey).update(text).digest('hex'),
  };
};
