import { join } from 'node:path';
import { type BuildOf, freshBuild } from './fresh-build.ts';
import { childRun } from './child-run.ts';
import { webInputs } from './web-inputs.ts';

const runBuild = (root: string, outDir: string): Promise<void> => {
  const npm = process.env['npm_execpath'];
  const [command, first]: [string, readonly string[]] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const quietly = ['--outDir', join(root, outDir), '--logLevel', 'warn'];
  const args = [...first, 'run', 'build', '-w', '@zakup/web', '--silent', '--', ...quietly];
  console.log('Собирается веб-приложение…');
  return childRun(root, command, args, 'Сборка веб-приложения не удалась');
};

/** Builds the web app unless what is there was built from the same inputs. Answers whether it was built now. */
export const freshWebBuild = (root: string, build: BuildOf['build'] = runBuild): Promise<'built' | 'fresh'> =>
  freshBuild(root, { inputs: webInputs, dist: 'web/dist', files: ['index.html'], build });
