import { defineConfig } from 'vitest/config';

/** Beside the code, but longer than whoever checks a change wants to wait: they start processes, count seconds, or try very much. */
const slow = {
  integration: [
    'packages/credentials/src/made-up-tokens.test.ts',
    'scripts/standin/command-line.test.ts',
    'scripts/start/server-build.test.ts',
    'services/command/src/auth/telegram-bot.test.ts',
    'services/command/src/start-command.test.ts',
    'services/gateway/src/start-gateway.test.ts',
    'services/projector/src/start-projector.test.ts',
    'services/standalone/src/admin-reset/**/*.test.ts',
    'services/standalone/src/data-dir/**/*.test.ts',
    'services/standalone/src/demo/**/*.test.ts',
    'services/standalone/src/rebuild/**/*.test.ts',
    'services/standalone/src/verify/verify-stores.test.ts',
  ],
  faults: [
    'packages/*/src/**/*-faults.test.ts',
    'packages/projections/src/random-history.test.ts',
    'services/command/src/ended-process.test.ts',
    'services/command/src/hostile-input.test.ts',
    'services/command/src/lost-race.test.ts',
    'services/gateway/src/live/live-fuzz.test.ts',
  ],
};

/** What `npm run check` runs (unit, web), and what only `npm test` adds: adapters over the wire, whole processes, faults. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Nothing here is kept between files, and a process for each of a hundred would take most of the time.
          isolate: false,
          include: [
            'domain/src/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/calls/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...slow.integration, ...slow.faults],
        },
      },
      {
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['web/src/**/*.test.ts', 'web/src/**/*.test.tsx'],
          setupFiles: ['web/src/shared/testing/setup.ts'],
        },
      },
      {
        test: {
          name: 'contract',
          include: ['tests/contract/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', ...slow.integration],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts', ...slow.faults],
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
