import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alone } from './alone.ts';
import { fingerprint } from './web-inputs.ts';

/** A build that is made only when what it is made from has changed. Paths from the root of the repository. */
export interface BuildOf {
  readonly inputs: readonly string[];
  /** Folder of the build. */
  readonly dist: string;
  /** Files of `dist` without which there is no build. */
  readonly files: readonly string[];
  /** Fills `outDir`, which is absent before. */
  readonly build: (root: string, outDir: string) => Promise<void>;
}

/** Beside the build it tells what it was built from. */
const stampName = '.built-from';

async function builtFrom(dist: string, files: readonly string[]): Promise<string | null> {
  try {
    await Promise.all(files.map((file) => access(join(dist, file))));
    return await readFile(join(dist, stampName), 'utf8');
  } catch {
    return null;
  }
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/**
 * Builds unless what is there was built from the same inputs. Answers whether it was built now; rejects when the build fails, and what was
 * there stays. Of several at once, in whatever processes, one builds and the others wait for it: nobody finds half a build.
 */
export async function freshBuild(root: string, { inputs, dist, files, build }: BuildOf): Promise<'built' | 'fresh'> {
  const folder = join(root, dist);
  const isFresh = async (wanted: string): Promise<boolean> => (await builtFrom(folder, files)) === wanted;
  if (await isFresh(await fingerprint(root, inputs))) return 'fresh';
  return alone(`${folder}.lock`, async () => {
    const wanted = await fingerprint(root, inputs);
    if (await isFresh(wanted)) return 'fresh';
    const [made, before] = [`${dist}.new`, `${folder}.old`];
    await Promise.all([remove(join(root, made)), remove(before)]);
    await build(root, made);
    await writeFile(join(root, made, stampName), wanted);
    await rename(folder, before).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
    await rename(join(root, made), folder);
    await remove(before);
    return 'built';
  });
}
