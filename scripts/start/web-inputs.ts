import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the web app is built from, from the root of the repository. */
export const webInputs: readonly string[] = [
  'web/src',
  'web/public',
  'web/scripts',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'domain/src',
  'packages/contracts/src',
  'package-lock.json',
];

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

async function filesUnder(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTDIR') return [path];
    if (code === 'ENOENT') return [];
    throw error;
  }
}

/** Hex SHA-256 over names and contents of the inputs; tests do not count, times neither. */
export async function fingerprint(root: string, inputs: readonly string[] = webInputs): Promise<string> {
  const found = await Promise.all(inputs.map((input) => filesUnder(join(root, input))));
  const paths = found.flat().filter((path) => !isTest(path));
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  const lines = paths.map((path, index) => {
    const content = contents[index] ?? '';
    return `${path.slice(root.length).replaceAll('\\', '/')} ${createHash('sha256').update(content).digest('hex')}`;
  });
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
