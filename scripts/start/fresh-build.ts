import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from './web-inputs.ts';

/** A build that is made only when what it is made from has changed. Paths from the root of the repository. */
export interface BuildOf {
  readonly inputs: readonly string[];
  /** Folder that the build empties and fills. */
  readonly dist: string;
  /** Files of `dist` without which there is no build. */
  readonly files: readonly string[];
  readonly build: (root: string) => Promise<void>;
}

/** Beside the build it tells what it was built from; a build empties its folder, so a broken one leaves none. */
const stampName = '.built-from';

async function builtFrom(dist: string, files: readonly string[]): Promise<string | null> {
  try {
    await Promise.all(files.map((file) => access(join(dist, file))));
    return await readFile(join(dist, stampName), 'utf8');
  } catch {
    return null;
  }
}

/** Builds unless what is there was built from the same inputs. Answers whether it was built now; rejects when the build fails. */
export async function freshBuild(root: string, { inputs, dist, files, build }: BuildOf): Promise<'built' | 'fresh'> {
  const folder = join(root, dist);
  const wanted = await fingerprint(root, inputs);
  if ((await builtFrom(folder, files)) === wanted) return 'fresh';
  await build(root);
  await writeFile(join(folder, stampName), wanted);
  return 'built';
}
