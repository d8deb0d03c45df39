import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryFiles, repositoryRoot, textOf } from './repository-files.ts';

const page = textOf('docs/security.md');
const rules = new Set([...textOf('docs/spec.md').matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, id]) => id));
const files = new Set(repositoryFiles());

/** Whether a file has a test whose title begins with the id. */
const hasTest = (path: string, id: string): boolean => files.has(path) && new RegExp(`['"\`]${id} `).test(textOf(path));

const fromRoot = (target: string): string =>
  target.startsWith('../') ? target.slice('../'.length) : `docs/${target}`.replace(/#.*$/, '');

/** What the page names and the repository does not have. */
const missingIn = (text: string): readonly string[] =>
  [...text.matchAll(/\[([^\]\n]+)\]\(([^)\s]+)\)/g)].flatMap(([, words = '', target = '']) => {
    if (target.startsWith('https:')) return [];
    if (!/^[A-Z][A-Z0-9]*-\d+$/.test(words)) return existsSync(join(repositoryRoot, fromRoot(target))) ? [] : [target];
    const isThere = target === 'spec.md' ? rules.has(words) : hasTest(fromRoot(target), words);
    return isThere ? [] : [words];
  });

const requirements = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| [^|]+ \| ([a-z ]+) \| ([^|]+) \|$/gm)].map(
  ([, number = '', state = '', where = '']) => ({ number, state, where }),
);

describe('security page', () => {
  test('SCP-1433 every test, rule and file that it names is there', () => {
    expect([...page.matchAll(/\]\(/g)].length).toBeGreaterThan(200);
    expect(missingIn(page)).toEqual([]);
  });

  test('SCP-1434 a test, a rule or a file that is not there is found', () => {
    const text = [
      '[AT-5](../packages/credentials/src/access-token.test.ts)',
      '[XX-999](../packages/credentials/src/access-token.test.ts)',
      '[AT-6](../packages/credentials/src/codes.test.ts)',
      '[AUTH-999](spec.md)',
      '[nothing.ts](../packages/nothing.ts)',
    ].join(' ');
    expect(missingIn(text)).toEqual(['XX-999', 'AT-6', 'AUTH-999', '../packages/nothing.ts']);
  });

  test('SCP-1435 every requirement stands once, in one of three states, and the page counts them', () => {
    const numbers = requirements.map(({ number }) => number);
    expect(numbers).toHaveLength([...page.matchAll(/^\| \d/gm)].length);
    expect(new Set(numbers).size).toBe(numbers.length);
    const count = (state: string): number => requirements.filter((one) => one.state === state).length;
    const [met, partly, not] = [count('met'), count('partly'), count('not met')];
    expect(met + partly + not).toBe(numbers.length);
    expect(page).toContain(`${numbers.length} requirements apply: ${met} met, ${partly} partly, ${not} not.`);
    // All seventeen chapters, also those of which nothing applies.
    const chapters = [...page.matchAll(/^## V(\d+) /gm)].map(([, chapter]) => Number(chapter));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
  });
});
