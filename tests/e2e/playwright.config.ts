import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { chromiumArgs } from '../../scripts/test-run/chromium-args.ts';
import { chromiumPath } from '../../scripts/test-run/chromium.ts';
import { keepFilesInMemory } from '../../scripts/test-run/memory-folder.ts';
import { isDeep } from './support/deep.ts';

keepFilesInMemory(process.env);

const chromium = chromiumPath(process.env, existsSync);

/** Stories in a real Chromium against the single-process edition, which each worker starts for itself. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  // What `docs/reference/tests.md` names, each with what stands for it.
  ...(isDeep ? {} : { grepInvert: /@deep\b/u }),
  globalSetup: './support/build.ts',
  workers: 2,
  // Patience with a busy machine, no promises: those are held where time is counted.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  outputDir: '../../test-results',
  use: {
    actionTimeout: 20_000,
    viewport: { width: 1440, height: 900 },
    locale: 'ru-RU',
    timezoneId: 'America/New_York',
    // A button that still moves may slip away between the press and the release of a slow machine; what moves is looked at by its own test.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium === null ? {} : { executablePath: chromium }),
      args: [...chromiumArgs],
    },
  },
});
