import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { application } from './app.mjs';
import { openDatabase } from './database.mjs';
import { seed } from './seed.mjs';

// The application in a process of its own. DAY_FILE: its database; DAY_COMMITS: `single` or `group`; DAY_SEED: JSON to fill a new database with;
// PORT: 0 = a free one. Whoever forked it is told the address, may ask what it has used, and ends it by disconnecting.

const { DAY_FILE: file, DAY_COMMITS: commits = 'single', DAY_SEED: seeds, PORT: port = '0' } = process.env;
const db = openDatabase(file);
if (seeds !== undefined) seed(db, JSON.parse(readFileSync(seeds, 'utf8')));
const { server } = application(db, { secret: process.env.JWT_SECRET ?? randomBytes(32).toString('hex'), commits });
server.listen(Number(port), '127.0.0.1', () => {
  process.send?.({ address: `http://127.0.0.1:${server.address().port}` });
});
process.on('message', ({ collected }) => {
  if (collected) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ cpu: user + system, rss, heap: heapUsed + external });
});
process.on('disconnect', () => process.exit(0));
