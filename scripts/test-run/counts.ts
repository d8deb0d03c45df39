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

/** From vitest's JSON report. A file that failed without a failed test (it could not be loaded) counts as one failure. */
export function vitestCounts(report: unknown): Counts {
  const whole = members(report, 'report');
  const brokenFiles = list(whole['testResults'], 'testResults').filter((result) => {
    const file = members(result, 'testResults[]');
    const tests = list(file['assertionResults'], 'assertionResults').map((test) => members(test, 'assertionResults[]'));
    return file['status'] === 'failed' && tests.every((test) => test['status'] !== 'failed');
  });
  return {
    passed: count(whole, 'numPassedTests'),
    failed: count(whole, 'numFailedTests') + brokenFiles.length,
    skipped: count(whole, 'numPendingTests') + count(whole, 'numTodoTests'),
  };
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

export const sumOf = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** `12 passed, 0 failed`, and `, 3 skipped` where some were. */
export const summaryLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
