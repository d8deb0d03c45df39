import { fileURLToPath } from 'node:url';
import { bundle } from './start/bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const [, , outDir] = process.argv;
if (outDir === undefined) throw new Error('A folder to build into is wanted');
await bundle(root, outDir, {
  main: 'services/standalone/src/main.ts',
  demo: 'services/demo/src/main.ts',
  command: 'services/command/src/main.ts',
  projector: 'services/projector/src/main.ts',
  gateway: 'services/gateway/src/main.ts',
  rebuild: 'services/standalone/src/rebuild/main.ts',
  verify: 'services/standalone/src/verify/main.ts',
  backup: 'services/standalone/src/backup/main.ts',
  restore: 'services/standalone/src/restore/main.ts',
  recover: 'services/standalone/src/recover/main.ts',
  support: 'services/standalone/src/support/main.ts',
  'admin-reset': 'services/standalone/src/admin-reset/main.ts',
  // The event store, the credentials, the single process, the gateway and the demo start their threads from a file beside their own code.
  'writer-worker': 'packages/event-store/src/sqlite/writer-worker.ts',
  'hashing-worker': 'packages/credentials/src/hashing/hashing-worker.mjs',
  'reading-worker': 'services/standalone/src/reading/reading-worker.ts',
  'servers-reading-worker': 'services/gateway/src/reading-thread/servers-reading-worker.ts',
  'projecting-worker': 'services/standalone/src/projecting/projecting-worker.ts',
  'teller-worker': 'services/demo/src/seeding/seeding-worker.ts',
});
