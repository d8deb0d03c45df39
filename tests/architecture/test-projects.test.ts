import { existsSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { deepFiles, isDeep } from '../../scripts/test-run/deep.ts';
import config from '../../vitest.config.ts';
import { repositoryFiles, textOf } from './repository-files.ts';

interface Chosen {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const projects = (config.test?.projects ?? []).map((project): Chosen => {
  const { test: chosen } = project as { readonly test: Partial<Chosen> & { readonly name: string } };
  return { name: chosen.name, include: chosen.include ?? [], exclude: chosen.exclude ?? [] };
});

/** Milliseconds that a machine busy with other things gets for what ends by itself. */
const leastPatience = 30_000;

describe('test projects', () => {
  const files = repositoryFiles().filter((path) => /\.test\.tsx?$/u.test(path));
  // Most of them name one file; a pattern takes a hundred times as long to compare.
  const among = (path: string, globs: readonly string[]): boolean =>
    globs.some((glob) => (glob.includes('*') ? matchesGlob(path, glob) : path === glob));

  test('TPR-1 each test file is run by exactly one of them, what is left to a deep run by one there and by none here', () => {
    expect(files.length).toBeGreaterThan(200);
    const runBy = (path: string): readonly string[] =>
      projects.filter(({ include, exclude }) => among(path, include) && !among(path, exclude)).map(({ name }) => name);
    const left = isDeep ? [] : deepFiles;
    const wrong = files.filter((path) => runBy(path).length !== (left.includes(path) ? 0 : 1));
    expect(wrong.map((path) => [path, runBy(path)])).toEqual([]);
  });

  test('TPR-3722 every project is started by `npm test`, and what stands alone, which the gate does not start, is left to a deep run', () => {
    const started = textOf('scripts/test.ts');
    expect(projects.filter(({ name }) => !started.includes(`'${name}'`))).toEqual([]);
    expect(started).toContain("isDeep ? [await vitestRun('alone', ['alone'], 1)] : []");
    const alone = projects.filter(({ name }) => name === 'alone').flatMap(({ include }) => include);
    expect(alone.length).toBeGreaterThan(0);
    expect(alone.filter((path) => !deepFiles.includes(path))).toEqual([]);
  });

  test('TPR-2 every file that they name by itself is there', () => {
    const named = projects.flatMap(({ include }) => include).filter((glob) => !glob.includes('*'));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
  });

  test('TPR-3 a busy machine gets its time everywhere: for a test, for a hook, and for what is polled', () => {
    const given = (config.test?.projects ?? []).map((project) => {
      const { test: chosen } = project as {
        readonly test: {
          readonly testTimeout?: number;
          readonly hookTimeout?: number;
          readonly expect?: { readonly poll?: { readonly timeout?: number } };
        };
      };
      return Math.min(chosen.testTimeout ?? 0, chosen.hookTimeout ?? 0, chosen.expect?.poll?.timeout ?? 0);
    });
    expect(given.map((least) => least >= leastPatience)).toEqual(projects.map(() => true));
  });

  test('TPR-4 no test has less patience by itself: a promise about time is an assertion', () => {
    const short = (path: string): readonly string[] =>
      [...readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').matchAll(/\btimeout(?::| =) ([\d_]+)/gu)]
        .filter(([, number = '']) => Number(number.replaceAll('_', '')) < leastPatience)
        .map(([found]) => `${path}: ${found}`);
    const suites = repositoryFiles().filter((path) => path.endsWith('suite.ts'));
    expect(suites.length).toBeGreaterThan(5);
    expect([...files, ...suites].flatMap(short)).toEqual([]);
  });

  test('TPR-5 no test puts another module in the place of one: files share what is loaded, and the next would get it', () => {
    const replaced = (path: string): boolean =>
      /\bvi\.(?:mock|doMock)\(/u.test(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
    expect(files.filter(replaced)).toEqual([]);
  });

  test('TIM-2991 what is said to be left to `npm test` is run there, and not by `npm run check`', () => {
    const [, after = ''] = textOf('docs/reference/tests.md').split('### What `npm run check` leaves to `npm test`\n');
    const [section = ''] = after.split('\n## ');
    const said = [...section.matchAll(/\]\(\.\.\/\.\.\/(\S+\.test\.tsx?)\)/gu)].map(([, path = '']) => path);
    expect(said.length).toBeGreaterThan(5);
    const long = projects.filter(({ name }) => ['screens', 'long'].includes(name)).flatMap(({ include }) => include);
    expect(said.filter((path) => !among(path, long))).toEqual([]);
    const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    expect(scripts['check']).toContain('vitest run --project unit --project web ');
    for (const name of ['screens', 'long']) expect(textOf('scripts/test.ts')).toContain(`'${name}'`);
  });
});
