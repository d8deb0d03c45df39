import { describe, expect, test } from 'vitest';
import { chromiumPath } from './chromium.ts';
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
} from './counts.ts';

describe('counts of a test run', () => {
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((each) => ({ status: each })),
  });

  test('RUN-1 a file that could not be loaded is a failure', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed'), file('failed')],
    };
    expect(vitestCounts(report)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });

  test('RUN-3510 what is left to a deep run is told by itself, and counted as nothing else', () => {
    const told = (fullName: string, status: string) => ({ fullName, status });
    const assertionResults = [
      told('a flood in @deep three processes A-1 ends', 'skipped'),
      told('A-2 ends late @deep', 'skipped'),
      told('A-3 is deeply marked', 'skipped'),
      told('A-4 was run @deep', 'passed'),
    ];
    const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 3, numTodoTests: 0 };
    const report = { ...counts, testResults: [{ status: 'passed', assertionResults }] };
    expect(leftToDeep(report, false)).toBe(2);
    expect(vitestCounts(report, false)).toEqual({ passed: 1, failed: 0, skipped: 1 });
  });

  test('RUN-3720 a deep run leaves nothing to one: what it has not run is skipped, marked or not', () => {
    const assertionResults = [{ fullName: 'it ends late @deep', status: 'skipped' }];
    const counts = { numPassedTests: 4, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };
    const report = { ...counts, testResults: [{ status: 'passed', assertionResults }] };
    expect(leftToDeep(report, true)).toBe(0);
    expect(vitestCounts(report, true)).toEqual({ passed: 4, failed: 0, skipped: 1 });
  });

  test('RUN-3721 browser tests are counted by the last line of their list; without one nobody knows how many there are', () => {
    expect(listedStories('  a.e2e.ts:1:1 › E2E-1\nTotal: 129 tests in 60 files\n')).toBe(129);
    expect(listedStories('Total: 1 test in 1 file\n')).toBe(1);
    expect(listedStories('Error: no tests found\n')).toBeNull();
  });

  test('RUN-20 what has met a stand-in whatever server was given is counted by the names of the files', () => {
    const named = (name: string, ...tests: string[]) => ({ name, ...file('passed', ...tests) });
    const testResults = [
      named('/a/plans.standin.test.ts', 'passed', 'passed', 'skipped'),
      named('/a/commands.test.ts', 'passed'),
      named('/a/away.standin.test.ts', 'passed', 'failed'),
    ];
    expect(standInPassed({ testResults })).toBe(3);
  });

  test('RUN-2 flaky tests and errors outside of tests are failures', () => {
    const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 };
    expect(playwrightCounts({ stats, errors: [{ message: 'no server' }] })).toEqual({
      passed: 4,
      failed: 3,
      skipped: 2,
    });
  });

  test.each([null, [], {}, { testResults: [] }, { testResults: [], numPassedTests: '3' }])(
    'RUN-3 a report without its numbers is refused: %j',
    (report) => {
      expect(() => vitestCounts(report)).toThrow(/is not an? (object|list|count)/);
      expect(() => playwrightCounts(report)).toThrow(/is not an? (object|list|count)/);
    },
  );

  test('RUN-4 the last line', () => {
    const sum = sumOf([
      { passed: 5, failed: 0, skipped: 0 },
      { passed: 7, failed: 1, skipped: 0 },
    ]);
    expect(summaryLine(sum)).toBe('12 passed, 1 failed');
    expect(summaryLine({ ...sum, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped');
  });
});

describe('names of what failed', () => {
  test('RUN-9 each failed test with the first line of its reason, and a file that could not be loaded', () => {
    const failed = { status: 'failed', fullName: 'goes away', failureMessages: ['took 9 s\nat line 3'] };
    const testResults = [
      { name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
      { name: 'b.test.ts', status: 'failed', assertionResults: [{ status: 'passed' }, failed] },
      { name: 'c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    ];
    expect(vitestFailures({ testResults })).toEqual(['b.test.ts: goes away: took 9 s', 'c.test.ts: no such module']);
  });

  test('RUN-10 unexpected and flaky stories at every depth, and errors outside of them', () => {
    const spec = (title: string, status: string) => ({ file: 'a.e2e.ts', title, tests: [{ status }] });
    const suites = [
      {
        specs: [spec('E2E-1', 'expected')],
        suites: [{ specs: [spec('E2E-2', 'flaky'), spec('E2E-3', 'unexpected')] }],
      },
    ];
    expect(playwrightFailures({ suites, errors: [{ message: 'no server' }] })).toEqual([
      'a.e2e.ts: E2E-2',
      'a.e2e.ts: E2E-3',
      'no server',
    ]);
    expect(playwrightFailures({ suites: [], errors: [] })).toEqual([]);
  });
});

describe('finding Chromium', () => {
  test('RUN-5 a named one is taken or nothing; else the first that exists', () => {
    const only = (path: string) => (each: string) => each === path;
    expect(chromiumPath({ CHROMIUM_PATH: '/opt/c' }, only('/opt/c'))).toBe('/opt/c');
    expect(chromiumPath({ CHROMIUM_PATH: '/opt/c' }, only('/usr/bin/chromium'))).toBeNull();
    expect(chromiumPath({ PATH: '/a:/b' }, only('/b/google-chrome'))).toBe('/b/google-chrome');
    expect(chromiumPath({}, () => false)).toBeNull();
  });
});
