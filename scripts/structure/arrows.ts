import { dirname, join } from 'node:path/posix';
import { importsOf, rooms } from '../../tests/architecture/import-rules.ts';
import type { Arrows } from './circles.ts';
import type { Source } from './sources.ts';

/** The file that a specifier of ours names; null = it is another's, or no source. */
const targetOf = (from: string, specifier: string, paths: ReadonlySet<string>): string | null => {
  if (specifier.startsWith('.')) {
    const path = join(dirname(from), specifier);
    return paths.has(path) ? path : null;
  }
  const [scope, workspace, ...rest] = specifier.split('/');
  const folder = rooms[`${scope ?? ''}/${workspace ?? ''}`]?.folder;
  if (folder === undefined) return null;
  const base = `${folder}/src/${rest.join('/')}`;
  return [`${base}.ts`, `${base}.tsx`, base].find((path) => paths.has(path)) ?? null;
};

/** Who imports whom, edges of types counted. */
export const arrowsOf = (all: readonly Source[]): Arrows => {
  const code = all.filter(({ path }) => !path.endsWith('.css'));
  const paths = new Set(code.map(({ path }) => path));
  return new Map(
    code.map(({ path, text }) => [
      path,
      importsOf(path, text).flatMap((specifier) => targetOf(path, specifier, paths) ?? []),
    ]),
  );
};
