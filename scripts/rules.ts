import { writeFile } from 'node:fs/promises';
import { repositoryFiles, textOf } from '../tests/architecture/repository-files.ts';
import { readTestsOf, ruleTestsPage, ruleTestsPath } from './rules/rule-tests-page.ts';

const page = ruleTestsPage({
  spec: textOf('docs/spec.md'),
  testsOf: readTestsOf(textOf),
  files: repositoryFiles(),
  textOf,
});
await writeFile(new URL(`../${ruleTestsPath}`, import.meta.url), page);
console.log(`${ruleTestsPath} записан`);
