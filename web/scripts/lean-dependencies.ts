import type { Plugin } from 'vite';

/**
 * Blueprint draws an icon by its name too, and has a list of all names and paths for that. Here every icon is a component of its own
 * (ARCH-2620), so nothing looks for one by name.
 */
export const withoutIconsByName: Plugin = {
  name: 'without-icons-by-name',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/@blueprintjs/icons/lib/esm/iconLoader.js')
      ? 'export class Icons { static getPaths() {} static async load() {} }'
      : null,
};

/** React Router has a build without the warnings for who develops, but no export leads to it. */
export const productionRouter: Plugin = {
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/^react-router(?:\/|$)/u.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') };
  },
};
