import { dirname, join } from 'node:path/posix';
import { importsOf, rooms } from '../../tests/architecture/import-rules.ts';
import { textOf } from '../../tests/architecture/repository-files.ts';
import type { Arrows } from './circles.ts';
import type { Source } from './sources.ts';

/** What the package of a folder exports: file by subpath, `*` for any; those without a list export their sources by name. */
const exportsOf = (folder: string): readonly (readonly [subpath: string, file: string])[] => {
  const { exports = {} } = JSON.parse(textOf(`${folder}/package.json`)) as {
    exports?: Readonly<Record<string, string>>;
  };
  return Object.entries({ ...exports, './*': './src/*' }).map(([subpath, file]) => [subpath, join(folder, file)]);
};
const exportsOfRooms = new Map(Object.entries(rooms).map(([name, { folder }]) => [name, exportsOf(folder)]));

/** The file that a specifier of ours names; null = it is another's, or no source. */
const targetOf = (from: string, specifier: string, paths: ReadonlySet<string>): string | null => {
  if (specifier.startsWith('.')) {
    const path = join(dirname(from), specifier);
    return paths.has(path) ? path : null;
  }
  const [scope = '', workspace = '', ...rest] = specifier.split('/');
  const subpath = `./${rest.join('/')}`;
  const candidates = (exportsOfRooms.get(`${scope}/${workspace}`) ?? []).flatMap(([exported, file]) => {
    if (exported === subpath) return [file];
    const [start = '', end] = exported.split('*');
    return end !== undefined && subpath.startsWith(start) ? [file.replace('*', subpath.slice(start.length))] : [];
  });
  return candidates.flatMap((path) => [path, `${path}.ts`, `${path}.tsx`]).find((path) => paths.has(path)) ?? null;
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
