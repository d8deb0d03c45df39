import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromiumPath } from './test-run/chromium.ts';
import {
  leftToDeep,
  listedStories,
  playwrightCounts,
  playwrightFailures,
  standInPassed,
  sumOf,
  summaryLine,
  vitestCounts,
  vitestFailures,
  type Counts,
} from './test-run/counts.ts';
import { deepFiles, isDeep } from './test-run/deep.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { resolve: pathOf } = createRequire(import.meta.url);
const reports = await mkdtemp(join(tmpdir(), 'zakup-test-'));
const oneFailure: Counts = { passed: 0, failed: 1, skipped: 0 };

interface Runner {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly report: string;
  readonly countsOf: (report: unknown) => Counts;
  readonly failuresOf: (report: unknown) => string[];
}

/** Tests that have met a stand-in because they must. */
let onStandIns = 0;
/** Tests of Vitest that were left to a deep run, by themselves or in the edition that is marked. */
let left = 0;
/** What failed in all runs: said again at the end, as the output of a run is long. */
const failures: string[] = [];

/** Runs it and counts by its report; a missing report, or a failing exit with no failed test, counts as one failure and is said. */
async function countsOfRun({ name, script, args, env, report, countsOf, failuresOf }: Runner): Promise<Counts> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  let counts: Counts;
  try {
    const read: unknown = JSON.parse(await readFile(report, 'utf8'));
    counts = countsOf(read);
    failures.push(...failuresOf(read));
    if (countsOf === vitestCounts) {
      onStandIns += standInPassed(read);
      left += leftToDeep(read);
    }
  } catch (error) {
    failures.push(`${name}: отчёта нет или он не читается (${error instanceof Error ? error.message : String(error)})`);
    return oneFailure;
  }
  if (code === 0 || counts.failed > 0) return counts;
  failures.push(`${name}: завершился с кодом ${code ?? 'сигнала'}, хотя упавших тестов нет`);
  return { ...counts, failed: 1 };
}

const playwrightReport = join(reports, 'playwright.json');
const playwright = [pathOf('@playwright/test/cli'), 'test', '-c', 'tests/e2e/playwright.config.ts'] as const;

/** How many browser tests a deep run has and no other; null where they cannot be listed, which must not take the summary along. */
const deepStories = async (): Promise<number | null> => {
  const env = { ...process.env, DEEP: '1' };
  const args = [...playwright, '--list', '--reporter=list', '--grep=@deep'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env, maxBuffer: 2 ** 24 });
    return listedStories(stdout);
  } catch {
    return null;
  }
};

/** `workers`: how many files run at once; what promises something about the time on the wall needs the machine for itself. */
const vitestRun = (name: string, projects: readonly string[], workers: 1 | 3): Promise<Counts> => {
  const report = join(reports, `${name}.json`);
  return countsOfRun({
    name: `vitest ${name}`,
    script: join(dirname(pathOf('vitest/package.json')), 'vitest.mjs'),
    args: [
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      `--maxWorkers=${workers}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    env: {},
    report,
    countsOf: vitestCounts,
    failuresOf: vitestFailures,
  });
};

const all = [
  // One run, so that no core waits for the last file of a part; a third of the files waits for processes, servers and back-off.
  await vitestRun('beside others', ['unit', 'web', 'screens', 'contract', 'long', 'integration', 'measured'], 3),
  // Its files are all left to a deep run.
  ...(isDeep ? [await vitestRun('alone', ['alone'], 1)] : []),
];

const chromium = chromiumPath(process.env, existsSync);
if (chromium !== null) {
  all.push(
    await countsOfRun({
      name: 'playwright',
      script: playwright[0],
      args: [...playwright.slice(1), '--reporter=list,json'],
      env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
      report: playwrightReport,
      countsOf: playwrightCounts,
      failuresOf: playwrightFailures,
    }),
  );
} else if (process.env['CI'] === 'true') {
  failures.push(
    'Chromium не найден, а с CI=true браузерные тесты обязательны. Установите его или задайте CHROMIUM_PATH.',
  );
  all.push(oneFailure);
} else {
  console.warn(
    'ПРОПУЩЕНО: браузерные тесты (tests/e2e). Chromium не найден; установите его или задайте CHROMIUM_PATH.',
  );
}

await rm(reports, { recursive: true, force: true });
const sum = sumOf(all);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
for (const failure of failures) console.error(`УПАЛО: ${failure}`);
console.log(`Из пройденных ${onStandIns} всегда идут на подставных серверах: файлы *.standin.test.ts.`);
if (!isDeep)
  console.log(
    `Оставлено глубокому прогону (DEEP=1 npm test): файлов ${deepFiles.length}, ещё тестов ${left}, в браузере ${(await deepStories()) ?? 'неизвестно сколько'}; docs/reference/tests.md говорит, что их заменяет.`,
  );
console.log(summaryLine(sum));
