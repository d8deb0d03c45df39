import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshServerBuild, serverDist } from './start/server-build.ts';
import { freshWebBuild } from './start/web-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const settings = `${root}/.env`;
if (existsSync(settings)) process.loadEnvFile(settings);

/** A service to be started alone, which serves no web app; absent = all of them in this process. */
const [, , service] = process.argv;
const services: readonly string[] = ['command', 'projector', 'gateway'];
const builds = async (): Promise<void> => {
  if (service !== undefined && !services.includes(service))
    throw new Error(`Нет такой службы: ${service}. Есть ${services.join(', ')}`);
  await Promise.all([freshServerBuild(root), ...(service === undefined ? [freshWebBuild(root)] : [])]);
};
const problem = await builds().then(
  () => null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
if (problem === null) {
  // In this process, so that signals reach the services and a second start costs no second runtime.
  await import(pathToFileURL(`${root}/${serverDist}/${service ?? 'main'}.js`).href);
} else {
  console.error(problem);
  process.exitCode = 1;
}
