import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An address that no route has. */
export const unknownPath = '/nowhere';

const sourceOf = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../web/src/app/${name}`, import.meta.url)), 'utf8');

interface Section {
  readonly key: string;
  readonly path: string;
  readonly name: string;
}

/** The sections of the signed-in part, read from their source. */
export const sections = (): readonly Section[] => {
  const found = [...sourceOf('sections.ts').matchAll(/(\w+): \{ path: '([^']+)', name: '([^']+)'/gu)];
  if (found.length === 0) throw new Error('No section was found');
  return found.map(([, key = '', path = '', name = '']) => ({ key, path, name }));
};

/** Every path of the web app's own table of routes, read from its source, and the sign-in, which stands before all of them. */
export const routePaths = (): readonly string[] => {
  const source = sourceOf('routes.tsx');
  const known = sections();
  const named = [...source.matchAll(/\bpath: '([^']+)'/gu)].map(([, path = '']) => (path === '*' ? unknownPath : path));
  const guarded = [...source.matchAll(/\bguarded\(\s*sections\.(\w+)/gu)].map(([, name = '']) => {
    const section = known.find(({ key }) => key === name);
    if (section === undefined) throw new Error(`There is no section ${name}`);
    return section.path;
  });
  const index = /\bindex: true/u.test(source) ? ['/'] : [];
  return [...new Set(['/login', ...index, ...named, ...guarded])].sort();
};
