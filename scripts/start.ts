import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshServerBuild, serverDist } from './start/server-build.ts';
import { freshWebBuild } from './start/web-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const settings = `${root}/.env`;
if (existsSync(settings)) process.loadEnvFile(settings);
const problem = await Promise.all([freshWebBuild(root), freshServerBuild(root)]).then(
  () => null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
if (problem === null) {
  // In this process, so that signals reach the services and a second start costs no second runtime.
  await import(pathToFileURL(`${root}/${serverDist}/main.js`).href);
} else {
  console.error(problem);
  process.exitCode = 1;
}
