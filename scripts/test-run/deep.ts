/** `DEEP=1`: all that there is, as `docs/reference/tests.md` tells; for a nightly run and before a release. */
export const isDeep = process.env['DEEP'] === '1';

/** Files of Vitest that a deep run alone has. One test, or one of several editions, is marked by `@deep` in its title instead. */
export const deepFiles: readonly string[] = [
  'services/demo/src/seeding/seed-by-thread.test.ts',
  'tests/faults/loop-holds.test.ts',
  'tests/faults/servers-reading-thread.test.ts',
  'tests/integration/contractor-merge.test.ts',
  'tests/integration/time-travel.test.ts',
  'tests/integration/withdrawn-bundle.test.ts',
];

/** Full names of the tests of a run that is not deep. */
export const notDeep = /^(?!.*@deep\b)/su;
