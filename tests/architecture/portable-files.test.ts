import { describe, expect, test } from 'vitest';
import { repositoryFiles, repositoryRoot, textOf } from './repository-files.ts';

const binary = /\.(?:png|jpe?g|gif|ico|webp|woff2?|ttf|otf|pdf|sqlite|db|zip|gz|xlsx)$/i;

/** A root of one segment (`/app`) also occurs in ordinary addresses, so it cannot be looked for. */
const rootIsTelling = repositoryRoot.split(/[\\/]/).filter((segment) => segment !== '').length > 1;

/** What ties a text to one machine or one network, by the name of the fault. */
function faultsIn(text: string): readonly string[] {
  const patterns: readonly (readonly [string, RegExp | string])[] = [
    ...(rootIsTelling ? [['path of this clone', repositoryRoot] as const] : []),
    ['home folder', /(?:^|[^\w.])\/(?:home|root|Users)\/\w/m],
    ['Windows path', /\b[A-Z]:\\Users\\/],
    ['registry address', /registry\.(?:npmjs|npmmirror|yarnpkg)\.\w/],
    ['registry setting', /^\s*(?:@[\w-]+:)?registry\s*=/m],
  ];
  return patterns
    .filter(([, pattern]) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)))
    .map(([name]) => name);
}

/** Where a text leans on a page that this repository has not got: by its name, by a section or by a decision's number. */
const foreignCitations = (text: string): readonly string[] =>
  [
    /(?<![\w-])(?:decisions|contract|goals|design|libraries|look)\.md\b/,
    /\u00A7\s*\d/,
    /\bdecisions?(?:\.md)? \d+/i,
  ].flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

describe('files that work everywhere', () => {
  test('ARCH-6 no file names a machine path or a registry', () => {
    const found = repositoryFiles()
      .filter((path) => !binary.test(path))
      .flatMap((path) => faultsIn(textOf(path)).map((fault) => `${path}: ${fault}`));
    expect(found).toEqual([]);
  });

  test.each([
    [['', 'home', 'anna', 'zakup'].join('/'), 'home folder'],
    [['https://registry', 'npmjs', 'org/zod'].join('.'), 'registry address'],
    [['registry', 'https://mirror.example.org'].join('='), 'registry setting'],
  ])('ARCH-7 %s is found', (text, fault) => {
    expect(faultsIn(text)).toContain(fault);
  });

  test('ARCH-8 ordinary texts are not', () => {
    expect(faultsIn('GET /api/users/home/x, ./data, /usr/bin/chromium, http://localhost:3000')).toEqual([]);
  });

  test('ARCH-9 no file cites a page that is not in this repository', () => {
    const found = repositoryFiles()
      .filter((path) => !binary.test(path))
      .flatMap((path) => foreignCitations(textOf(path)).map((cited) => `${path}: ${cited}`));
    expect(found).toEqual([]);
  });

  test.each([
    [['(goals', 'md)'].join('.'), ['goals', 'md'].join('.')],
    [['as spec.md \u00A7', 'says'].join('5 '), '\u00A75'],
    [['by decision', '26'].join(' '), 'decision'],
  ])('ARCH-10 %s is found', (text, cited) => {
    expect(foreignCitations(text).join()).toContain(cited);
    expect(foreignCitations('docs/spec.md, add-a-design.md, ADD-6, the decision of 2026')).toEqual([]);
  });
});
