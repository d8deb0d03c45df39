import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshServerBuild, serverDist } from './start/server-build.ts';
import { freshWebBuild } from './start/web-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const settings = `${root}/.env`;
if (existsSync(settings)) process.loadEnvFile(settings);

const problem = await Promise.all([freshServerBuild(root), freshWebBuild(root)]).then(
  () => null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
if (problem === null) await import(pathToFileURL(`${root}/${serverDist}/demo.js`).href);
else {
  console.error(problem);
  process.exitCode = 1;
}
