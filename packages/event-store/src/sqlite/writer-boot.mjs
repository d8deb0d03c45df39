// A worker thread does not inherit the loader that runs TypeScript source where Node has none of its own, and to load one for each log
// takes longer than most tests: the writer is compiled once, and kept by the content of its sources where packages are found from.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const sourcesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(folder, name));

const hash = createHash('sha256');
for (const source of [at('.'), at('..'), at('../../../sqlite/src')].flatMap(sourcesIn))
  hash.update(readFileSync(source));
const folder = at('../../../../node_modules/.cache/zakup');
/** Milliseconds after which a writer of other sources, or one whose compiling was broken off, is nobody's any more. */
const keptFor = 3_600_000;
const removeOldWriters = () => {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('writer-'))) {
    const age = Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > keptFor) rmSync(join(folder, name), { force: true });
  }
};
const compiled = join(folder, `writer-${hash.digest('hex').slice(0, 16)}.mjs`);

if (!existsSync(compiled)) {
  const { buildSync } = createRequire(createRequire(import.meta.url).resolve('tsx/package.json'))('esbuild');
  const own = `${compiled}.${process.pid}.${threadId}`;
  mkdirSync(folder, { recursive: true });
  buildSync({
    entryPoints: [at('./writer-worker.ts')],
    outfile: own,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@photostructure/sqlite'],
    sourcemap: 'inline',
    logLevel: 'error',
  });
  // Threads and processes may compile at once: each for itself, and whoever comes last puts the same in its place.
  renameSync(own, compiled);
  removeOldWriters();
}
await import(pathToFileURL(compiled).href);
