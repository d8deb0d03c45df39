import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './repository-files.ts';

/** Whose texts are read by people: on screens, in files and messages. The stories of the demo tell of what teams advertise. */
const speaking = /^(?:web|domain|packages\/[^/]+|services\/(?!demo\/)[^/]+)\/src\/.+\.tsx?$/u;

test('RU-3141 what a buyer has on top of the pay is a bonus in every text: one thing has one word', () => {
  const paths = repositoryFiles().filter((path) => speaking.test(path));
  expect(paths.length).toBeGreaterThan(1_000);
  expect(paths.filter((path) => /преми(?:[яию]|ей|ям|ях|ями)(?![а-яё])/iu.test(textOf(path)))).toEqual([]);
  expect(paths.some((path) => textOf(path).includes('Бонус'))).toBe(true);
});
