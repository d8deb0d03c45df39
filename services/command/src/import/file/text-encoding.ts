import { createYielder } from '@zakup/async/yielder';
import type { Table } from './table.ts';
import { UnsupportedFile } from './unsupported-file.ts';

type Encoding = Exclude<Table['encoding'], null>;

const pieceLength = 256 * 1024;

const startsWith = (file: Buffer, ...bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => file[index] === byte);

/** Of UTF-16 without a mark every other byte of Latin letters, digits and separators is 0. */
const markless = (file: Buffer): 'utf-16le' | 'utf-16be' | null => {
  const looked = file.subarray(0, 4096);
  if (looked.length < 4 || file.length % 2 === 1) return null;
  let even = 0;
  let odd = 0;
  for (const [index, byte] of looked.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const enough = looked.length / 20;
  if (odd > enough && even === 0) return 'utf-16le';
  return even > enough && odd === 0 ? 'utf-16be' : null;
};

/** What no text has: control characters but tab and line ends. */
const unreadable = /(?![\t\n\v\f\r\u0080-\u009f\u007f])\p{Cc}/u;

/** `null` = it is not of this encoding. Throws `UnsupportedFile`. */
const decoded = async (file: Buffer, encoding: Encoding, fatal: boolean): Promise<string | null> => {
  const yieldIfDue = createYielder();
  const decoder = new TextDecoder(encoding, { fatal });
  let text = '';
  try {
    for (let at = 0; at < file.length; at += pieceLength) {
      const piece = decoder.decode(file.subarray(at, at + pieceLength), { stream: true });
      if (unreadable.test(piece)) throw new UnsupportedFile('No text');
      text += piece;
      await yieldIfDue();
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof UnsupportedFile) throw error;
    return null;
  }
};

/** The text of a file and how it is written: by its mark, else UTF-8 when it is that, else windows-1251. Throws `UnsupportedFile`. */
export const readText = async (file: Buffer): Promise<{ readonly encoding: Encoding; readonly text: string }> => {
  const given = ((): Encoding | null => {
    if (startsWith(file, 0xef, 0xbb, 0xbf)) return 'utf-8';
    if (startsWith(file, 0xff, 0xfe)) return 'utf-16le';
    if (startsWith(file, 0xfe, 0xff)) return 'utf-16be';
    return markless(file);
  })();
  const tried = given === null ? (['utf-8', 'windows-1251'] as const) : ([given] as const);
  for (const encoding of tried) {
    const text = await decoded(file, encoding, given === null && encoding === 'utf-8');
    if (text === null) continue;
    return { encoding, text };
  }
  throw new UnsupportedFile('No text');
};
