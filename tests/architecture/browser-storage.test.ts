import { expect, it } from 'vitest';
import { repositoryFiles, textOf } from './repository-files.ts';

/** What signs in: without its tokens nothing works, so that what has no room for them is told and not passed over. */
const tokens = ['web/src/shared/api/tokens.ts', 'web/src/features/admin/admin-api.tsx'];

it('VIW-2572 what the browser remembers is put there by keepItem, which does without where there is no room', () => {
  const writing = repositoryFiles()
    .filter((path) => /^web\/src\/.*\.tsx?$/u.test(path) && !/\.test\.|\/testing\//u.test(path))
    .filter((path) => /\.setItem\(/u.test(textOf(path)));
  expect(writing.toSorted()).toEqual([...tokens, 'web/src/shared/storage/keep-item.ts'].toSorted());
});
