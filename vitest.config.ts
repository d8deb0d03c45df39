import { defineConfig } from 'vitest/config';

/** Beside the code, but longer than whoever checks a change wants to wait. */
const slow = ['packages/*/src/**/*-faults.test.ts', 'services/standalone/src/demo/**/*.test.ts'];

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
          exclude: [...slow],
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
          include: ['tests/integration/**/*.test.ts', 'services/standalone/src/demo/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts', 'packages/*/src/**/*-faults.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
