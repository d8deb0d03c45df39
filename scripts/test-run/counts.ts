import { isDeep } from './deep.ts';

/** Tests that a runner's own report counts. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type Members = Readonly<Record<string, unknown>>;

function members(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is not an object`);
  return value as Members;
}

function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${name} is not a list`);
  return value;
}

function count(from: Members, name: string): number {
  const value = from[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw new Error(`${name} is not a count`);
  return value;
}

const filesOf = (report: unknown): readonly Members[] =>
  list(members(report, 'report')['testResults'], 'testResults').map((file) => members(file, 'testResults[]'));

const testsOf = (file: Members): readonly Members[] =>
  list(file['assertionResults'], 'assertionResults').map((test) => members(test, 'assertionResults[]'));

/**
 * Tests that a run which is not deep has left to one, by vitest's JSON report: those with the mark `@deep` that were not run. A deep run leaves
 * none: what it has not run is skipped as any other test.
 */
export const leftToDeep = (report: unknown, inDeepRun = isDeep): number =>
  inDeepRun
    ? 0
    : filesOf(report)
        .flatMap(testsOf)
        .filter(
          ({ status, fullName }) => !['passed', 'failed'].includes(String(status)) && /@deep\b/u.test(String(fullName)),
        ).length;

/** Tests by what Playwright prints for `--list`; null where it does not say. */
export const listedStories = (output: string): number | null => {
  const [, total] = /^Total: (\d+) tests?\b/mu.exec(output) ?? [];
  return total === undefined ? null : Number(total);
};

/**
 * From vitest's JSON report. A file that failed without a failed test (it could not be loaded) counts as one failure. What is left to a deep run
 * is not skipped: it is told by itself.
 */
export function vitestCounts(report: unknown, inDeepRun = isDeep): Counts {
  const whole = members(report, 'report');
  const brokenFiles = filesOf(report).filter(
    (file) => file['status'] === 'failed' && testsOf(file).every((test) => test['status'] !== 'failed'),
  );
  return {
    passed: count(whole, 'numPassedTests'),
    failed: count(whole, 'numFailedTests') + brokenFiles.length,
    skipped: count(whole, 'numPendingTests') + count(whole, 'numTodoTests') - leftToDeep(report, inDeepRun),
  };
}

/** Tests among those that passed, by vitest's JSON report, that meet a stand-in whatever server is given: their files are named so. */
export function standInPassed(report: unknown): number {
  return filesOf(report)
    .filter(({ name }) => typeof name === 'string' && name.endsWith('.standin.test.ts'))
    .flatMap(testsOf)
    .filter(({ status }) => status === 'passed').length;
}

/** From Playwright's JSON report. A flaky test counts as failed, and so does each error outside of a test. */
export function playwrightCounts(report: unknown): Counts {
  const whole = members(report, 'report');
  const stats = members(whole['stats'], 'stats');
  return {
    passed: count(stats, 'expected'),
    failed: count(stats, 'unexpected') + count(stats, 'flaky') + list(whole['errors'], 'errors').length,
    skipped: count(stats, 'skipped'),
  };
}

const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((each): each is string => typeof each === 'string');

/** Names of what failed by vitest's JSON report: `file: test`, with the first line of the reason; a broken file by its name. */
export function vitestFailures(report: unknown): string[] {
  return filesOf(report).flatMap((file) => {
    const failed = testsOf(file).filter((test) => test['status'] === 'failed');
    const name = String(file['name']);
    if (failed.length === 0) return file['status'] === 'failed' ? [`${name}: ${String(file['message'])}`] : [];
    return failed.map((test) => {
      const reason = strings(test['failureMessages'])[0]?.split('\n')[0] ?? 'no reason';
      return `${name}: ${String(test['fullName'])}: ${reason}`;
    });
  });
}

/** Names of what failed by Playwright's JSON report: `file: test` of each unexpected or flaky one, and errors outside of tests. */
export function playwrightFailures(report: unknown): string[] {
  const whole = members(report, 'report');
  const errors = list(whole['errors'], 'errors').map((error) => String(members(error, 'errors[]')['message']));
  const within = (value: unknown): string[] => {
    const suite = members(value, 'suites[]');
    const specs = list(suite['specs'] ?? [], 'specs').map((spec) => members(spec, 'specs[]'));
    const failed = specs.filter((spec) =>
      list(spec['tests'] ?? [], 'tests').some((test) =>
        ['unexpected', 'flaky'].includes(String(members(test, 'tests[]')['status'])),
      ),
    );
    const names = failed.map((spec) => `${String(spec['file'])}: ${String(spec['title'])}`);
    return [...names, ...list(suite['suites'] ?? [], 'suites').flatMap(within)];
  };
  return [...list(whole['suites'] ?? [], 'suites').flatMap(within), ...errors];
}

export const sumOf = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** `12 passed, 0 failed`, and `, 3 skipped` where some were. */
export const summaryLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
