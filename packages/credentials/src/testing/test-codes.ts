import { codeCipher } from '../code-cipher.ts';

export const testCodesKey: Uint8Array = new Uint8Array(32).fill(9);
export const testCodes = codeCipher(testCodesKey);
