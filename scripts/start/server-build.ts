import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOf, freshBuild } from './fresh-build.ts';
import { childRun } from './child-run.ts';

/** Where the built server lies, from the root of the repository. */
export const serverDist = 'services/standalone/dist';

/** The programs in it: all in one process, the same with a demo, the services, the rebuild, the comparison with the log, the backup, its way back and the repair of a log, the admin's new password, and the threads of the event store, of the credentials, of costly answers, embedded and on servers, of projecting and of the demo. */
export const serverFiles: readonly string[] = [
  'main.js',
  'demo.js',
  'command.js',
  'projector.js',
  'gateway.js',
  'rebuild.js',
  'verify.js',
  'backup.js',
  'restore.js',
  'recover.js',
  'admin-reset.js',
  'writer-worker.js',
  'hashing-worker.js',
  'reading-worker.js',
  'servers-reading-worker.js',
  'projecting-worker.js',
  'teller-worker.js',
];

const runBuild = (root: string, outDir: string): Promise<void> =>
  childRun(root, process.execPath, ['--import', 'tsx', 'scripts/build-server.ts', outDir], 'Сборка сервера не удалась');

/** Every workspace's sources except the web app's: which of them the server needs is the bundler's to find. */
async function serverInputs(root: string): Promise<readonly string[]> {
  const groups = await Promise.all(
    ['packages', 'services'].map(async (group) =>
      (await readdir(join(root, group))).map((name) => `${group}/${name}/src`),
    ),
  );
  return ['domain/src', ...groups.flat(), 'scripts/build-server.ts', 'scripts/start/bundle.ts', 'package-lock.json'];
}

/** Builds the server unless what is there was built from the same inputs. Answers whether it was built now. */
export const freshServerBuild = async (root: string, build: BuildOf['build'] = runBuild): Promise<'built' | 'fresh'> =>
  freshBuild(root, {
    inputs: await serverInputs(root),
    dist: serverDist,
    files: serverFiles,
    build,
  });
