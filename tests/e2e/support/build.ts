import { fileURLToPath } from 'node:url';
import { freshWebBuild } from '../../../scripts/start/web-build.ts';
import { programPath } from '../../support/built-programs.ts';

/** Before all workers, so that none finds half a build: the web app and the server, each only when its sources have changed. */
export default async (): Promise<void> => {
  const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
  await Promise.all([freshWebBuild(root), programPath('main')]);
};
