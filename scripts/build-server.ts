import { fileURLToPath } from 'node:url';
import { bundle } from './start/bundle.ts';
import { serverDist } from './start/server-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
// The event store starts its writer thread from a file beside its own code.
await bundle(root, serverDist, {
  main: 'services/standalone/src/main.ts',
  'writer-worker': 'packages/event-store/src/sqlite/writer-worker.ts',
});
