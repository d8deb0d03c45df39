import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirRefused, systemReason } from './data-dir-refused.ts';
import { writeDurably } from './durable-file.ts';

export interface DataDirSecrets {
  /** Signs access tokens: 64 characters of base64url, made once. */
  readonly jwtSecret: string;
  /** 32 bytes that encrypt what the credential store must be able to show again. */
  readonly credentialsKey: Buffer;
  /** Signs the seals of the history: 32 bytes in base64url. */
  readonly sealKey: string;
  /** 32 bytes that hide access codes and licence keys in the log. */
  readonly accessCodesKey: Buffer;
}

/** Where the keys of a data folder lie. */
export const keyFiles = (dir: string) => {
  const folder = join(dir, 'keys');
  return {
    folder,
    jwtSecret: join(folder, 'jwt-secret'),
    credentialsKey: join(folder, 'credentials-key'),
    sealKey: join(folder, 'seal-key'),
    accessCodesKey: join(folder, 'access-codes-key'),
  };
};

/** Characters of a key file: a secret that somebody chose themselves may be long, and whoever has the folder may have written any number. */
const longestKey = 10_000;

/** Of 32 bytes or more, or of exactly so many bytes: some keys have one length only. */
const isWholeKey = (text: string, bytes: number | null): boolean =>
  text.length <= longestKey &&
  /^[\w-]{43,}$/u.test(text) &&
  (bytes === null || Buffer.from(text, 'base64url').length === bytes);

async function keptSecret(file: string, made: number, exactly: number | null = null): Promise<string> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (!isWholeKey(text, exactly)) {
      throw new DataDirRefused(
        file,
        `Файл ключа ${file} повреждён. Верните его из копии: с новым ключом прежние данные не прочесть.`,
      );
    }
    await chmod(file, 0o600);
    return text;
  } catch (error) {
    if (error instanceof DataDirRefused) throw error;
    if (systemReason(error) !== 'ENOENT') {
      throw new DataDirRefused(file, `Не удалось прочитать файл ключа ${file} (${systemReason(error)}).`, {
        cause: error,
      });
    }
  }
  const secret = randomBytes(made).toString('base64url');
  await writeDurably(file, secret);
  return secret;
}

/** Reads the keys kept in `<dir>/keys` (files of mode 0600), making the ones that are absent. Throws `DataDirRefused` for a damaged one. */
export async function dataDirSecrets(dir: string): Promise<DataDirSecrets> {
  const files = keyFiles(dir);
  await mkdir(files.folder, { recursive: true, mode: 0o700 });
  const jwtSecret = await keptSecret(files.jwtSecret, 48);
  const credentialsKey = Buffer.from(await keptSecret(files.credentialsKey, 32), 'base64url');
  const sealKey = await keptSecret(files.sealKey, 32, 32);
  const accessCodesKey = Buffer.from(await keptSecret(files.accessCodesKey, 32, 32), 'base64url');
  return { jwtSecret, credentialsKey, sealKey, accessCodesKey };
}
