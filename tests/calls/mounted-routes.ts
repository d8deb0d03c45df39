/** What the framework keeps of what is mounted; its own types do not tell. */
interface Layer {
  readonly slash?: boolean;
  readonly match: (path: string) => boolean;
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string | readonly string[]; readonly methods: Readonly<Record<string, boolean>> };
}

export interface Mounted {
  /** `GET /placements/{id}`. */
  readonly keys: readonly string[];
  /** What could answer without being a route, in words. */
  readonly unclear: readonly string[];
}

const bracesOf = (path: string): string => path.replaceAll(/:(\w+)/gu, '{$1}');

/** The first part of each path: where a router may be mounted. */
const prefixesOf = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map((path) => `/${path.split('/')[1]}`)),
];

/**
 * Every route below a router. Where a nested router is mounted is not kept, so it is asked which of the known paths' beginnings it takes:
 * exactly one must fit. Handlers that are no routes are unclear, but for one that only lets through, at the very top.
 */
export const mountedIn = (router: object, knownPaths: readonly string[]): Mounted => {
  const keys: string[] = [];
  const unclear: string[] = [];

  const walk = (layers: readonly Layer[], prefix: string, gates: number): void => {
    let left = gates;
    for (const layer of layers) {
      const { route, handle } = layer;
      if (route !== undefined) {
        for (const path of [route.path].flat())
          for (const method of Object.keys(route.methods))
            keys.push(`${method.toUpperCase()} ${prefix}${bracesOf(path)}`);
      } else if (handle.stack !== undefined) {
        const at = layer.slash === true ? [''] : prefixesOf(knownPaths).filter((one) => layer.match(one));
        const [own] = at;
        if (own === undefined || at.length > 1)
          unclear.push(`a router below ${prefix || '/'} that takes ${at.join(', ')}`);
        else walk(handle.stack, prefix + own, 0);
      } else if (layer.slash === true && left > 0) left -= 1;
      else unclear.push(`a handler below ${prefix || '/'}`);
    }
  };
  walk((router as { readonly stack: readonly Layer[] }).stack, '', 1);
  return { keys: keys.toSorted(), unclear };
};
