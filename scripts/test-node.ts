/**
 * `npm run test:node -- 22`: the tests that need neither servers nor a quiet machine, and one start of the built single process, on
 * another Node. It is fetched by npm into the user's cache, never into this folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childRun } from './start/child-run.ts';
import { serverDist } from './start/server-build.ts';
import { type Counts, summaryLine, vitestCounts, vitestFailures } from './test-run/counts.ts';
import { nodeRelease } from './test-run/node-release.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const { resolve: pathOf } = createRequire(import.meta.url);
const projects = ['unit', 'web', 'screens', 'contract'];

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const { spec, folder, program } = nodeRelease(process.argv[2], {
  platform: process.platform,
  arch: process.arch,
  cache,
});
/** Tests start programs of their own by the name `node` as well. */
const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env['PATH'] ?? ''}` };

const fetched = async (): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await childRun(root, npm, ['install', ...options, spec], `npm не поставил ${spec}`);
  const child = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return said.toString('utf8').trim();
};

/** Counts by the report; what failed is said. */
const tested = async (work: string): Promise<Counts> => {
  const report = join(work, 'vitest.json');
  const runner = join(dirname(pathOf('vitest/package.json')), 'vitest.mjs');
  const wanted = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(program, [runner, 'run', ...wanted, '--maxWorkers=2', ...reporters], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  const read: unknown = JSON.parse(await readFile(report, 'utf8'));
  for (const failure of vitestFailures(read)) console.error(`УПАЛО: ${failure}`);
  const counts = vitestCounts(read);
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
};

/** Milliseconds. */
const longestStart = 120_000;

/** Milliseconds from the start of the built single process to its first `/readyz` with 200; it is then ended. */
const started = async (work: string): Promise<number> => {
  await childRun(root, program, ['--import', 'tsx', 'scripts/build.ts'], 'Сборка не прошла');
  const began = performance.now();
  const child = spawn(program, [join(root, serverDist, 'main.js')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: env.PATH, DATA_DIR: join(work, 'data'), PORT: '0', LOG_LEVEL: 'error' },
    // One that is never ready, or whose answer failed, is left behind by nobody.
    timeout: longestStart,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let said = '';
  for await (const chunk of child.stdout) {
    said += (chunk as Buffer).toString('utf8');
    const address = /готов: (http:\/\/\S+)/u.exec(said)?.[1];
    if (address === undefined) continue;
    const { status } = await fetch(`${address}/readyz`);
    const ready = Math.round(performance.now() - began);
    child.kill('SIGTERM');
    const [code] = await ended;
    if (status !== 200 || code !== 0) throw new Error(`/readyz ответил ${status}, процесс завершился с кодом ${code}`);
    return ready;
  }
  throw new Error(`Процесс завершился раньше, чем был готов: ${said}`);
};

const version = await fetched();
const work = await mkdtemp(join(tmpdir(), 'zakup-test-node-'));
try {
  const counts = await tested(work);
  const ready = await started(work);
  if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
  console.log(`Node ${version}: ${summaryLine(counts)} (${projects.join(', ')}); собран и готов через ${ready} мс`);
} finally {
  await rm(work, { recursive: true, force: true });
}
