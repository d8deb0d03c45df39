import { fileURLToPath } from 'node:url';
import { rateLimit } from '@zakup/service-kit/rate-limit';
import { testStart } from '@zakup/service-kit/testing/started';
import { startStandalone } from '@zakup/standalone/standalone';

// The single-process edition with the built web app, in a process of its own; its limit of changes is raised. Its data folder is named by
// whoever forks it, and ends it by disconnecting.

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error('A data folder is to be named');
const { address, ready, shutdown } = await startStandalone({
  ...testStart({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' }),
  webDist: process.env['WEB_DIST'] ?? fileURLToPath(new URL('../../web/dist', import.meta.url)),
  changes: rateLimit({ now: () => performance.now(), perSecond: 1e6, burst: 1e6 }),
});
process.on('disconnect', () => {
  void shutdown.stop('done').then(() => process.exit(0));
});
await ready;
process.send?.({ address });
