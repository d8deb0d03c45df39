import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

/** Without a slash at its end. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Made by tools or kept by a person: what git ignores, and git itself. */
const notOurs = new Set([
  '.git',
  'node_modules',
  'dist',
  'data',
  'data-demo',
  'coverage',
  'test-results',
  'playwright-report',
  '.env',
]);

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name) || entry.name.endsWith('.tsbuildinfo')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Paths of all files of the repository from its root, with `/`. */
export const repositoryFiles = (): readonly string[] => filesIn('.');

export const textOf = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
