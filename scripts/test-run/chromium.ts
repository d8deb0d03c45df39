import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

type Environment = Readonly<Record<string, string | undefined>>;

const foldersOf = (env: Environment): readonly string[] =>
  (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');

/** Chromium without what it draws around a page: the same engine of the same version, for a seventh less of the processor. */
const shellName = 'chromium-headless-shell';

/** Path of a Chromium: what `CHROMIUM_PATH` names, else the first of the common places and names; null when there is none. */
export function chromiumPath(env: Environment, exists: (path: string) => boolean): string | null {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return exists(named) ? named : null;
  const onPath = foldersOf(env).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, ...onPath].find(exists) ?? null;
}

/** Path of what the browser tests run in: what `CHROMIUM_PATH` names, else the headless shell, else any Chromium; null when there is none. */
export function testChromiumPath(env: Environment, exists: (path: string) => boolean): string | null {
  const isNamed = (env['CHROMIUM_PATH'] ?? '') !== '';
  const shell = foldersOf(env)
    .map((folder) => join(folder, shellName))
    .find(exists);
  return isNamed || shell === undefined ? chromiumPath(env, exists) : shell;
}
