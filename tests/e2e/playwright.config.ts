import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { chromiumPath } from '../../scripts/test-run/chromium.ts';

const chromium = chromiumPath(process.env, existsSync);

/** Stories in a real Chromium against the single-process edition; each file starts its own. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  workers: 1,
  timeout: 240_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  outputDir: '../../test-results',
  use: {
    actionTimeout: 10_000,
    viewport: { width: 1440, height: 900 },
    locale: 'ru-RU',
    timezoneId: 'America/New_York',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(chromium === null ? {} : { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
