import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumArgs } from './chromium-args.ts';

const nearTests = createRequire(createRequire(import.meta.url).resolve('@playwright/test/package.json'));
const playwright = dirname(nearTests.resolve('playwright-core/package.json'));

test('RUN-6 whatever Playwright switches off in Chromium stays off', () => {
  const source = readFileSync(join(playwright, 'lib/coreBundle.js'), 'utf8');
  const list = /disabledFeatures = \[(.*?)\]\.filter/su.exec(source)?.[1] ?? '';
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gmu)].map(([, name = '']) => name);
  expect(theirs.length).toBeGreaterThan(10);
  const lists = chromiumArgs.filter((arg) => arg.startsWith('--disable-features='));
  expect(lists).toHaveLength(1);
  expect(lists[0]?.slice('--disable-features='.length).split(',')).toEqual(expect.arrayContaining(theirs));
});
