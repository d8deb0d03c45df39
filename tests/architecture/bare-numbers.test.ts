import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './repository-files.ts';

/** Whose texts stand on screens. */
const speaking = /^(?:web\/src|packages\/contracts\/src)\/.+\.tsx?$/u;

/** How many there are, said to a person as the digits stand: before its word, after a colon, or alone in an element. */
const bare = [
  /\$\{[\w.?]*(?:length|count|Count|days|number)\} \$\{plural\(/u,
  /[а-яё]:? \$\{[\w.?]*(?:\.length|count|Count)\}[`,. ]/u,
  /> *\{[\w.?]*(?:length|count|Count)(?: - \w+)?\}</u,
];

test('RU-1159 a count has its thousands apart wherever a person reads it', () => {
  const found = repositoryFiles()
    .filter((path) => speaking.test(path) && !/\.test\.tsx?$/u.test(path))
    .flatMap((path) =>
      textOf(path)
        .split('\n')
        .filter((line) => bare.some((pattern) => pattern.test(line)))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
