import { expect, test } from 'vitest';
import { keepFilesInMemory } from './memory-folder.ts';

const gibibyte = 1024 ** 3;
const folderWith = (env: Record<string, string | undefined>, free: () => number): string | undefined => {
  keepFilesInMemory(env, free);
  return env['TMPDIR'];
};

test('RUN-3450 tests write into memory where it has room for them, and nowhere else than before where it has not or a folder was chosen', () => {
  expect(folderWith({}, () => 4 * gibibyte)).toBe('/dev/shm');
  expect(folderWith({}, () => 4 * gibibyte - 1)).toBeUndefined();
  expect(folderWith({ TMPDIR: '/elsewhere' }, () => 4 * gibibyte)).toBe('/elsewhere');
  const absent = (): number => {
    throw new Error('ENOENT');
  };
  expect(folderWith({}, absent)).toBeUndefined();
});
