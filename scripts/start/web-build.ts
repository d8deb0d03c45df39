import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from './web-inputs.ts';

/** Beside the build it tells what it was built from; vite empties `dist`, so a broken build leaves none. */
const stampOf = (root: string): string => join(root, 'web', 'dist', '.built-from');

async function built(root: string): Promise<string | null> {
  try {
    await access(join(root, 'web', 'dist', 'index.html'));
    return await readFile(stampOf(root), 'utf8');
  } catch {
    return null;
  }
}

async function runBuild(root: string): Promise<void> {
  const npm = process.env['npm_execpath'];
  const [command, first]: [string, readonly string[]] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const child = spawn(command, [...first, 'run', 'build', '--silent'], { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('Сборка веб-приложения не удалась');
}

/** Builds the web app unless what is there was built from the same inputs. Answers whether it was built now. */
export async function freshWebBuild(
  root: string,
  build: (root: string) => Promise<void> = runBuild,
): Promise<'built' | 'fresh'> {
  const wanted = await fingerprint(root);
  if ((await built(root)) === wanted) return 'fresh';
  await build(root);
  await writeFile(stampOf(root), wanted);
  return 'built';
}
