import { defineConfig } from 'vitest/config';

/** Longer than whoever checks a change wants to wait, so that only `npm test` runs them. */
const slow = {
  /** In the test's own process, without a bound of time. */
  long: [
    'packages/projections/src/every-document.test.ts',
    'packages/projections/src/exact-under-faults.test.ts',
    'packages/projections/src/random-history.test.ts',
    'services/command/src/auth/telegram-bot.test.ts',
    'services/command/src/compensation/ended-process.test.ts',
    'services/command/src/hostile-bodies.test.ts',
    'services/command/src/compensation/lost-race.test.ts',
    'services/gateway/src/live/live-fuzz.test.ts',
    'tests/calls/role-matrix-closed.test.ts',
    'tests/calls/role-matrix.test.ts',
    'tests/faults/live-swap.test.ts',
    'tests/faults/long-past.test.ts',
    'tests/faults/read-oracle.test.ts',
    'tests/integration/licence-life.test.ts',
    'tests/integration/signed-history.test.ts',
  ],
  /** They start processes, build programs or count memory: each has a process of its own. */
  integration: [
    'packages/event-store/src/sqlite/sqlite-faults.test.ts',
    'scripts/standin/command-line.test.ts',
    'scripts/start/server-build.test.ts',
    'services/command/src/start-command.test.ts',
    'services/gateway/src/start-gateway.test.ts',
    'services/projector/src/start-projector.test.ts',
    'services/standalone/src/admin-reset/**/*.test.ts',
    'services/standalone/src/data-dir/**/*.test.ts',
    'services/standalone/src/demo/**/*.test.ts',
    'services/standalone/src/rebuild/**/*.test.ts',
    'services/standalone/src/verify/verify-stores.test.ts',
    // However long it takes; memory is counted in the test's own process.
    'tests/faults/kill-services.test.ts',
    'tests/faults/kill.test.ts',
    'tests/faults/many-pasts.test.ts',
    'tests/faults/replaced-log.standin.test.ts',
    'tests/faults/servers-away.standin.test.ts',
  ],
  /** They promise something about time, or load both cores themselves. */
  alone: ['packages/credentials/src/made-up-tokens.test.ts', 'tests/integration/withdrawn-bundle.test.ts'],
};

/**
 * Both only end what hangs: a promise about time stands in its test, and how long the rest takes depends on what else the machine does.
 * `hung`: milliseconds for a test; `patience`: for what it polls.
 */
const hung = 120_000;
const patience = { poll: { timeout: 30_000 } };

/**
 * What `npm run check` runs (unit, web), and what only `npm test` adds: adapters over the wire, what takes long, whole processes, and
 * what needs the machine for itself.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Nothing here is kept between files, and a process for each of a hundred would take most of the time.
          isolate: false,
          testTimeout: hung,
          hookTimeout: hung,
          expect: patience,
          include: [
            'domain/src/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/calls/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...slow.long, ...slow.integration, ...slow.alone],
        },
      },
      {
        test: {
          name: 'web',
          environment: 'happy-dom',
          // React and what draws with it take seconds to load: once, rather than for each file.
          isolate: false,
          testTimeout: hung,
          hookTimeout: hung,
          expect: patience,
          include: ['web/src/**/*.test.ts', 'web/src/**/*.test.tsx'],
          setupFiles: ['web/src/shared/testing/setup.ts'],
        },
      },
      {
        test: {
          name: 'contract',
          include: ['tests/contract/**/*.test.ts'],
          testTimeout: hung,
          hookTimeout: hung,
          expect: patience,
        },
      },
      {
        test: {
          name: 'long',
          isolate: false,
          include: slow.long,
          testTimeout: 300_000,
          hookTimeout: hung,
          expect: patience,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', ...slow.integration],
          exclude: [...slow.long, ...slow.alone],
          testTimeout: 300_000,
          hookTimeout: hung,
          expect: patience,
        },
      },
      {
        test: {
          name: 'alone',
          include: ['tests/faults/**/*.test.ts', ...slow.alone],
          exclude: [...slow.long, ...slow.integration],
          testTimeout: 300_000,
          hookTimeout: hung,
          expect: patience,
        },
      },
    ],
  },
});
