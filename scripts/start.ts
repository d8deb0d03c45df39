import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freshWebBuild } from './start/web-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const settings = `${root}.env`;
if (existsSync(settings)) process.loadEnvFile(settings);
const problem = await freshWebBuild(root.replace(/[\\/]$/, '')).then(
  () => null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
if (problem === null) {
  // In this process, so that signals reach the services and a second start costs no second runtime.
  await import(new URL('../services/standalone/src/main.ts', import.meta.url).href);
} else {
  console.error(problem);
  process.exitCode = 1;
}
