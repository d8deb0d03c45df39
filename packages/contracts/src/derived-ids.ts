import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Names a command of a person for ever; keys of different persons never meet. `commandId`: UUID in lower case. A person's id comes of the
 * licence, so keys of different licences never meet either. `part`: of one that is written part by part, each as a command of its own.
 */
export const commandKeyOf = (actorId: string, commandId: string, part?: string): string =>
  `${actorId}/${commandId}${part === undefined ? '' : `#${part}`}`;

/**
 * Id of what a command makes, as the server gives it and as whoever sends the command knows it before: the same for every repeat.
 * `purpose`: what it is made as, one thing for each. 24 hex digits, the first 96 bits of SHA-256 (CALL-14). It must not change: logs
 * hold ids that it gave, and a command may be sent again at any time.
 */
export const derivedId = (commandKey: string, purpose: string): string =>
  bytesToHex(sha256(utf8ToBytes(`${commandKey}/${purpose}`)).subarray(0, 12));
