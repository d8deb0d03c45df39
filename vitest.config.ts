import { defineConfig } from 'vitest/config';
import { deepFiles, isDeep, notDeep } from './scripts/test-run/deep.ts';
import { keepFilesInMemory } from './scripts/test-run/memory-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `DEEP=1`: runs of full length, of which `npm test` makes a part. */
    readonly isDeep: boolean;
  }
}

// Handed on to every worker, and to what that starts.
keepFilesInMemory(process.env);

/** Longer than whoever checks a change wants to wait, so that only `npm test` runs them. */
const slow = {
  /** In the test's own process, without a bound of time. */
  long: [
    'packages/credentials/src/made-up-tokens.test.ts',
    'packages/credentials/src/sqlite/sqlite-credentials.test.ts',
    'packages/event-store/src/sqlite/sqlite-followed.test.ts',
    'packages/projections/src/every-document.test.ts',
    'packages/projections/src/exact-under-faults.test.ts',
    'packages/projections/src/random-history.test.ts',
    'packages/read-store/src/sqlite/sqlite-read-store.test.ts',
    'packages/read-store/src/sqlite/sqlite-written-elsewhere.test.ts',
    'packages/seals/src/bundle.test.ts',
    'scripts/verify-history/recompute.test.ts',
    'services/command/src/auth/login-throttle.test.ts',
    'services/command/src/auth/telegram-bot.test.ts',
    'services/command/src/compensation/ended-process.test.ts',
    'services/command/src/compensation/lost-race.test.ts',
    'services/command/src/hostile-bodies.test.ts',
    'services/command/src/import/ended-import.test.ts',
    'services/command/src/pipeline/uniqueness.test.ts',
    'services/command/src/start-command.test.ts',
    'services/gateway/src/history/audit-page.test.ts',
    'services/gateway/src/http/limits/paused-readers.test.ts',
    'services/gateway/src/lineage/figure-history.test.ts',
    'services/gateway/src/live/earnings-reader.test.ts',
    'services/gateway/src/live/live-fuzz.test.ts',
    'services/gateway/src/live/live-gateway.test.ts',
    'services/gateway/src/live/many-sockets.test.ts',
    'services/gateway/src/live/silent-lines.test.ts',
    'services/gateway/src/start-gateway.test.ts',
    'services/projector/src/leased-projector.test.ts',
    'services/projector/src/start-projector.test.ts',
    'services/standalone/src/admin-reset/**/*.test.ts',
    'services/standalone/src/backup/**/*.test.ts',
    'services/standalone/src/hidden-codes.test.ts',
    'services/standalone/src/rebuild/**/*.test.ts',
    'services/standalone/src/recover/**/*.test.ts',
    'services/standalone/src/security-headers.test.ts',
    'services/standalone/src/support/**/*.test.ts',
    'services/standalone/src/verify/sealed-folder.test.ts',
    'services/standalone/src/verify/verify-stores.test.ts',
    'tests/calls/answers-by-thread.test.ts',
    'tests/calls/import-writing.test.ts',
    'tests/calls/lineage-oracle.test.ts',
    'tests/calls/lineage.test.ts',
    'tests/calls/predicted-placements.test.ts',
    'tests/calls/random-reads.test.ts',
    'tests/calls/read-leaks.test.ts',
    'tests/calls/role-matrix-closed.test.ts',
    'tests/calls/role-matrix.test.ts',
    'tests/calls/webhooks.test.ts',
    'tests/calls/who-may-watch.test.ts',
    'tests/faults/live-swap.test.ts',
    'tests/faults/long-past.test.ts',
    'tests/faults/read-oracle.test.ts',
    'tests/integration/damaged-document.test.ts',
    'tests/integration/licence-life.test.ts',
    'tests/integration/read-only.test.ts',
    'tests/integration/set-clock.test.ts',
    'tests/integration/signed-history.test.ts',
    'tests/monitoring/alerts.test.ts',
  ],
  /** Whole screens with all of their dialogs, in happy-dom. */
  screens: [
    'web/src/app/first-screen.test.tsx',
    'web/src/app/forms.test.tsx',
    'web/src/features/contractors/change-contractor.test.tsx',
    'web/src/features/contractors/contractor-dialog.test.tsx',
    'web/src/features/journal/journal-page.test.tsx',
    'web/src/features/placements/dialogs/add-more.test.tsx',
    'web/src/features/placements/placements-section.test.tsx',
    'web/src/features/settings/settings-page.test.tsx',
  ],
  /** They start processes or build programs. */
  integration: [
    'packages/event-store/src/sqlite/sqlite-faults.test.ts',
    'scripts/standin/command-line.test.ts',
    'scripts/start/server-build.test.ts',
    'services/demo/src/**/*.test.ts',
    'services/standalone/src/data-dir/**/*.test.ts',
    'tests/architecture/init.test.ts',
    'tests/faults/**/*.test.ts',
    'tests/integration/**/*.test.ts',
  ],
  /** They count memory, open files or how long the loop is held: each has a process of its own. */
  measured: [
    'tests/faults/held-turns.test.ts',
    'tests/faults/hostile-calls.test.ts',
    'tests/faults/hostile-files.test.ts',
    'tests/faults/hostile-readers.test.ts',
    'tests/faults/live-everybody.test.ts',
    'tests/faults/loop-holds.test.ts',
    'tests/faults/many-pasts.test.ts',
    'tests/faults/reading-thread.test.ts',
    'tests/faults/servers-reading-thread.test.ts',
    'tests/faults/withdrawn-rights.test.ts',
    'tests/integration/large-exports.test.ts',
  ],
  /** They promise something about what a clock on the wall shows; processor time is counted beside others. */
  alone: ['tests/integration/withdrawn-bundle.test.ts'],
};

/**
 * Both only end what hangs: a promise about time stands in its test, and how long the rest takes depends on what else the machine does.
 * `hung`: milliseconds for a test; `patience`: for what it polls.
 */
const hung = 120_000;
const patience = { poll: { timeout: 30_000 } };

const provide = { isDeep };
/** What is left to a deep run. */
const left = isDeep ? [] : deepFiles;

/** Of what is drawn. */
const drawn = {
  environment: 'happy-dom',
  // React and what draws with it take seconds to load: once, rather than for each file.
  isolate: false,
  // MiB for what is new in the heap: documents and elements of a test are soon gone, and to copy those that live a moment longer out
  // of V8’s small default took a seventh of the processor time.
  execArgv: ['--max-semi-space-size=64'],
  testTimeout: hung,
  hookTimeout: hung,
  expect: patience,
  provide,
  setupFiles: ['web/src/shared/testing/setup.ts'],
};

/**
 * What `npm run check` runs (unit, web), and what only `npm test` adds: whole screens, adapters over the wire, what takes long, whole processes, and
 * what needs the machine for itself.
 */
export default defineConfig({
  test: {
    // The projects share most modules: each is transformed once, by its content, and not again by the next run.
    experimental: { fsModuleCache: true },
    ...(isDeep ? {} : { testNamePattern: notDeep }),
    projects: [
      {
        test: {
          name: 'unit',
          // Nothing here is kept between files, and a process for each of a hundred would take most of the time.
          isolate: false,
          testTimeout: hung,
          hookTimeout: hung,
          expect: patience,
          provide,
          include: [
            'domain/src/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'tests/architecture/**/*.test.ts',
            'tests/calls/**/*.test.ts',
            'tests/monitoring/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...Object.values(slow).flat(), ...left],
        },
      },
      {
        test: {
          ...drawn,
          name: 'web',
          include: ['web/src/**/*.test.ts', 'web/src/**/*.test.tsx'],
          exclude: slow.screens,
        },
      },
      {
        test: {
          ...drawn,
          name: 'screens',
          include: slow.screens,
        },
      },
      {
        test: {
          name: 'contract',
          // The drivers take seconds to load; each file has servers, or databases, of its own.
          isolate: false,
          include: ['tests/contract/**/*.test.ts'],
          exclude: [...left],
          testTimeout: hung,
          hookTimeout: hung,
          expect: patience,
          provide,
        },
      },
      {
        test: {
          name: 'long',
          isolate: false,
          include: slow.long,
          exclude: [...left],
          testTimeout: 300_000,
          hookTimeout: hung,
          expect: patience,
          provide,
        },
      },
      {
        test: {
          name: 'integration',
          include: slow.integration,
          exclude: [...slow.long, ...slow.measured, ...slow.alone, ...left],
          testTimeout: 300_000,
          hookTimeout: hung,
          expect: patience,
          provide,
        },
      },
      {
        test: {
          name: 'measured',
          include: slow.measured,
          exclude: [...left],
          testTimeout: 300_000,
          hookTimeout: hung,
          expect: patience,
          provide,
        },
      },
      {
        test: {
          name: 'alone',
          include: slow.alone,
          exclude: [...left],
          testTimeout: 300_000,
          hookTimeout: hung,
          expect: patience,
          provide,
        },
      },
    ],
  },
});
