// A worker thread does not inherit the loader that runs TypeScript source where Node has none of its own, and to load one takes seconds
// of a core: what a thread runs is compiled once, and kept by the content of all sources where packages are found from.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = join(root, 'node_modules/.cache/zakup');
/** Milliseconds after which what was compiled of other sources, or broken off, is nobody's any more. */
const keptFor = 3_600_000;

const sourcesIn = (path) =>
  readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => join(path, name));
const workspaces = () =>
  ['packages', 'services'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => join(root, kind, name, 'src')),
  );

const fingerprint = (entry) => {
  const hash = createHash('sha256').update(entry);
  for (const source of [join(root, 'domain/src'), ...workspaces()].filter(existsSync).flatMap(sourcesIn))
    hash.update(source).update(readFileSync(source));
  return hash.digest('hex').slice(0, 16);
};

const removeOld = () => {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('thread-'))) {
    const age = Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > keptFor) rmSync(join(folder, name), { force: true });
  }
};

/** Workspaces are taken in, packages stay where they are; a source still finds what lies beside it. */
const fromSources = {
  name: 'from sources',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@zakup/') ? undefined : { path, external: true },
    );
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }));
  },
};

/** Runs the worker of this source in the present thread. */
export const runSource = async (url) => {
  const entry = fileURLToPath(url);
  const compiled = join(folder, `thread-${basename(entry, '.ts')}-${fingerprint(entry)}.mjs`);
  if (!existsSync(compiled)) {
    const { build } = createRequire(createRequire(import.meta.url).resolve('tsx/package.json'))('esbuild');
    const own = `${compiled}.${process.pid}.${threadId}`;
    mkdirSync(folder, { recursive: true });
    await build({
      entryPoints: [entry],
      outfile: own,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      plugins: [fromSources],
      sourcemap: 'inline',
      logLevel: 'error',
    });
    // Threads and processes may compile at once: each for itself, and whoever comes last puts the same in its place.
    renameSync(own, compiled);
    removeOld();
  }
  await import(pathToFileURL(compiled).href);
};
