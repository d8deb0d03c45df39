import { repositoryFiles, textOf } from '../../tests/architecture/repository-files.ts';

/** A file of TypeScript or styles. */
export interface Source {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Whether it only tests, or serves what does. */
  readonly isTest: boolean;
}

const productionFolders = /^(?:domain|packages|services|web|scripts)\//;
const testFolders = /^(?:tests|bench)\//;
const onlyForTests = /\.test\.tsx?$|-suite\.ts$|\/testing\//;

/** Every source that is written by hand, in the order of paths. */
export const sources = (): readonly Source[] =>
  repositoryFiles()
    .filter((path) => /\.(?:tsx?|css)$/.test(path) && (productionFolders.test(path) || testFolders.test(path)))
    .toSorted()
    .map((path) => ({ path, text: textOf(path), isTest: testFolders.test(path) || onlyForTests.test(path) }));

/** Lines that hold anything but blanks. */
export const linesOf = ({ text }: Pick<Source, 'text'>): number =>
  text.split('\n').filter((line) => line.trim() !== '').length;
