import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { readTestsOf, ruleTestsPage, ruleTestsPath } from '../../scripts/rules/rule-tests-page.ts';
import { isTestFile, type Rule, rulesIn, testIdsIn } from '../../scripts/rules/rules.ts';
import { repositoryFiles, repositoryRoot, textOf } from './repository-files.ts';

const files = repositoryFiles();
const pages = files.filter((path) => /^(?:README|CHANGELOG)\.md$|^docs\/.*\.md$/.test(path));

/** Links of a page out of code, with their text. */
const linksIn = (text: string): readonly { readonly text: string; readonly target: string }[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\[([^\]\n]*)\]\(([^)\s]+)\)/g)].map(
    ([, words = '', target = '']) => ({ text: words, target }),
  );

const isOutside = (target: string): boolean => /^[a-z]+:/.test(target);
const fileOf = (page: string, target: string): string => normalize(join(dirname(page), target.replace(/#.*$/, '')));

/** What a heading is called in an address. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
const anchorsIn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const brokenIn = (page: string, text: string): readonly string[] =>
  linksIn(text)
    .filter(({ target }) => !isOutside(target))
    .filter(({ target }) => {
      const file = target.startsWith('#') ? page : fileOf(page, target);
      if (!existsSync(join(repositoryRoot, file))) return true;
      const anchor = /#(.+)$/.exec(target)?.[1];
      return anchor !== undefined && !anchorsIn(file).includes(anchor);
    })
    .map(({ target }) => `${page}: ${target}`);

const testFiles = files.filter((path) => isTestFile(path));
const testIds = testFiles.flatMap((path) => testIdsIn(textOf(path)));
const doubled = (ids: readonly string[]): readonly string[] => ids.filter((id, index) => ids.indexOf(id) !== index);

const steps = [
  'First light',
  'The full system',
  'The whole domain and every call',
  'Who you are and what you may',
  'The read side',
  'Every screen of the product',
  'a step of its own',
];
const states = new Set(['built', ...steps.map((step) => `later: ${step}`)]);
type TestsOf = Readonly<Record<string, string>>;

/** What is wrong with the states and tests of rules, in words. */
const faultsIn = (rules: readonly Rule[], testsOf: TestsOf): readonly string[] => {
  const known = new Set(testIds);
  const ofRule = ({ id, state }: Rule): readonly string[] => {
    const named = (testsOf[id] ?? '').split(' ').filter((one) => one !== '');
    return [
      ...(states.has(state) ? [] : [`${id}: state ${state}`]),
      ...(named.length === 0 && state === 'built' ? [`${id}: built without a test`] : []),
      ...named.filter((one) => !known.has(one)).map((one) => `${id}: no test ${one}`),
    ];
  };
  const ids = new Set(rules.map(({ id }) => id));
  const strange = Object.keys(testsOf).filter((id) => !ids.has(id));
  return [...rules.flatMap(ofRule), ...strange.map((id) => `${id}: tests of no rule`)];
};

const numberOf = (record: string): number => Number(/^docs\/adr\/(\d{4})-[a-z0-9-]+\.md$/.exec(record)?.[1]);

/** Of a record, without its number. */
const titleOf = (text: string): string | undefined => /^# \d+\. (.+)$/m.exec(text)?.[1];

/** Where a record is not in the form of Nygard. */
const formFaults = (path: string, text: string): readonly string[] => {
  const [title, , date] = text.split('\n');
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading).join(', ');
  return [
    ...(title?.startsWith(`# ${numberOf(path)}. `) === true ? [] : [`${path}: title`]),
    ...(/^Date: \d{4}-\d{2}-\d{2}$/.test(date ?? '') ? [] : [`${path}: date`]),
    ...(headings === 'Status, Context, Decision, Consequences' ? [] : [`${path}: headings ${headings}`]),
  ];
};

const spec = textOf('docs/spec.md');
const rules = rulesIn(spec);
const testsOf = readTestsOf(textOf);

describe('docs', () => {
  test('DOC-1 every link in README, CHANGELOG and docs leads to a file, and to a heading of it', () => {
    expect(pages).toContain('README.md');
    expect(pages.flatMap((page) => brokenIn(page, textOf(page)))).toEqual([]);
  });

  test('DOC-2 a link that leads nowhere is found', () => {
    expect(brokenIn('docs/spec.md', 'See [this](nowhere.md), [that](../README.md#nowhere).')).toEqual([
      'docs/spec.md: nowhere.md',
      'docs/spec.md: ../README.md#nowhere',
    ]);
  });

  test('DOC-3 every rule has one id and a state, and what is built has tests that there are', () => {
    expect(rules.length).toBeGreaterThan(200);
    expect(doubled(rules.map(({ id }) => id))).toEqual([]);
    expect(faultsIn(rules, testsOf)).toEqual([]);
  });

  test('DOC-4 a rule that names a missing test, or is built without any, is found', () => {
    const page = [
      '| XX-1 | One. | built |',
      '| XX-2 | Two. | built |',
      '| XX-3 | Three. | someday |',
      '| XX-4 | Four. | later: a step of its own |',
      '| XX-5 | Five \\| six. | built |',
    ].join('\n');
    const [real = ''] = testIds;
    expect(faultsIn(rulesIn(page), { 'XX-1': 'PL-999', 'XX-3': real, 'XX-5': real, 'XX-6': real })).toEqual([
      'XX-1: no test PL-999',
      'XX-2: built without a test',
      'XX-3: state someday',
      'XX-6: tests of no rule',
    ]);
  });

  test('DOC-21 the page of tests by rule is what npm run rules makes', () => {
    expect(textOf(ruleTestsPath)).toBe(ruleTestsPage({ spec, testsOf, files, textOf }));
    expect(textOf(ruleTestsPath)).toMatch(/^\| AUTH-2 \| \[LP-1\]\(\.\.\/\.\.\/web\/[a-z/.-]+\) /mu);
  });

  test('DOC-5 decisions on architecture have numbers of their own and the form of Nygard', () => {
    const records = files.filter((path) => path.startsWith('docs/adr/') && path !== 'docs/adr/README.md');
    const numbers = records.map((path) => numberOf(path));
    expect(records).not.toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
    // The index has each once, under one subject and by its title.
    const listed = linksIn(textOf('docs/adr/README.md')).map(({ text, target }) => `docs/adr/${target}: ${text}`);
    expect(listed.toSorted()).toEqual(records.map((path) => `${path}: ${titleOf(textOf(path))}`).toSorted());
    expect(records.flatMap((path) => formFaults(path, textOf(path)))).toEqual([]);
  });

  test('DOC-6 the reference lists every setting and every script, and README leads to it', () => {
    const settingsPage = textOf('docs/reference/settings.md');
    const settings = [...textOf('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(settings.filter((name) => !settingsPage.includes(`\`${name}\``))).toEqual([]);
    const commandsPage = textOf('docs/reference/commands.md');
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
    const isNamed = (name: string): boolean =>
      [`npm run ${name}`, `npm ${name}`, name].some((command) => commandsPage.includes(`\`${command}\``));
    expect(Object.keys(scripts).filter((name) => !isNamed(name))).toEqual([]);
    const linked = linksIn(textOf('README.md')).map(({ target }) => target);
    expect(linked).toEqual(
      expect.arrayContaining(['commands', 'settings', 'data-folder'].map((name) => `docs/reference/${name}.md`)),
    );
  });

  test('DOC-20 the reference lists no setting and no script that there is not', () => {
    const listed = [...textOf('docs/reference/settings.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    const example = textOf('.env.example');
    expect(listed).not.toEqual([]);
    expect(listed.filter((name) => !example.includes(`# ${name}=`))).toEqual([]);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
    const commandRows = [...textOf('docs/reference/commands.md').matchAll(/^\| (`npm [^|]+) \|/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/`(?:npm run |npm )?([a-z:]+)`/g)].map(([, name = '']) => name),
    );
    expect(commandRows).not.toEqual([]);
    expect(commandRows.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('DOC-7 every test has an id that no other has', () => {
    expect(testFiles.length).toBeGreaterThan(50);
    expect(doubled(testIds)).toEqual([]);
    const titled = (number: number): string => `it('XX-${number} is so')`;
    expect(doubled(testIdsIn([titled(1), titled(2), titled(1)].join()))).toEqual(['XX-1']);
  });
});
