import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childRun } from '../../scripts/start/child-run.ts';
import { fingerprint } from '../../scripts/start/web-inputs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Programs that tests start as processes, and their sources. */
export const programs = {
  main: 'services/standalone/src/main.ts',
  command: 'services/command/src/main.ts',
  projector: 'services/projector/src/main.ts',
  gateway: 'services/gateway/src/main.ts',
  rebuild: 'services/standalone/src/rebuild/main.ts',
  backup: 'services/standalone/src/backup/main.ts',
  restore: 'services/standalone/src/restore/main.ts',
  recover: 'services/standalone/src/recover/main.ts',
  'admin-reset': 'services/standalone/src/admin-reset/main.ts',
  'standin-eventstoredb': 'scripts/standin-eventstoredb.ts',
  'standin-mongodb': 'scripts/standin-mongodb.ts',
  // The event store, the credentials, the single process and the gateway start their threads from a file beside their own code.
  'writer-worker': 'packages/event-store/src/sqlite/writer-worker.ts',
  'hashing-worker': 'packages/credentials/src/hashing/hashing-worker.mjs',
  'reading-worker': 'services/standalone/src/reading/reading-worker.ts',
  'servers-reading-worker': 'services/gateway/src/reading-thread/servers-reading-worker.ts',
  'projecting-worker': 'services/standalone/src/projecting/projecting-worker.ts',
} as const;
export type Program = Exclude<
  keyof typeof programs,
  'writer-worker' | 'hashing-worker' | 'reading-worker' | 'servers-reading-worker' | 'projecting-worker'
>;

const inputs = [
  'domain/src',
  ...[
    'contracts',
    'sqlite',
    'event-store',
    'read-store',
    'credentials',
    'projections',
    'seals',
    'service-kit',
    'async',
    'mongodb',
  ].map((name) => `packages/${name}/src`),
  ...['command', 'projector', 'gateway', 'standalone'].map((name) => `services/${name}/src`),
  'tests/support/eventstoredb-standin',
  'tests/support/mongodb-standin',
  'tests/support/built-programs.ts',
  'scripts/standin-eventstoredb.ts',
  'scripts/standin-mongodb.ts',
  'scripts/standin',
  'scripts/start/bundle.ts',
  'package-lock.json',
];

/** As deep as the built server, from where the web app is looked for. */
const folder = 'tests/dist';
/** Milliseconds after which builds of other sources are nobody's any more. */
const stale = 3_600_000;

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const removeStale = async (): Promise<void> => {
  for (const name of await readdir(join(root, folder))) {
    const path = join(root, folder, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > stale) await rm(path, { recursive: true, force: true });
  }
};

const built = async (): Promise<string> => {
  const name = (await fingerprint(root, inputs)).slice(0, 16);
  const wanted = join(root, folder, name);
  if (await isThere(wanted)) return wanted;
  // Test files run side by side and may build at once: each for itself, and the first to be done is taken.
  const own = `${folder}/${name}.${process.pid}`;
  await childRun(
    root,
    process.execPath,
    ['--import', 'tsx', 'tests/support/build-programs.ts', own],
    'The programs under test do not build',
  );
  await rename(join(root, own), wanted).catch(async (error: unknown) => {
    if (!(await isThere(wanted))) throw error;
    await rm(join(root, own), { recursive: true, force: true });
  });
  await removeStale();
  return wanted;
};

let building: Promise<string> | undefined;

/**
 * Path of a program as plain JavaScript, as production runs it, built from the sources as they are: it starts in a third of the time that
 * the sources themselves take.
 */
export const programPath = async (program: Program): Promise<string> => {
  building ??= built();
  return join(await building, `${program}.js`);
};
