import { join } from 'node:path';
import { build } from 'vite';

/**
 * Every thread of a process reads zod anew, which is some hundred files with texts in fifty languages that nobody asks for: what is
 * used of it lies in the chunks. What describes the calls knows its schemas by being of the same copy.
 */
const takenIn = ['zod', '@asteasolutions/zod-to-openapi'];

/**
 * Bundles programs of this repository for Node, one file per entry name and what they share in chunks beside them. Workspaces are
 * taken in, packages of `node_modules` stay where they are, but for those of `takenIn`. Paths from `root`; `outDir` is emptied first.
 */
export async function bundle(root: string, outDir: string, entries: Readonly<Record<string, string>>): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: [/^@zakup\//, ...takenIn] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: join(root, outDir),
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
