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

/** Path of a Chromium: what `CHROMIUM_PATH` names, else the first of the common places and names; null when there is none. */
export function chromiumPath(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): string | null {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return exists(named) ? named : null;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = [...places, ...folders.flatMap((folder) => names.map((name) => join(folder, name)))];
  return found.find(exists) ?? null;
}
