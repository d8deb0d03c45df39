/** One stage of a Dockerfile. */
export interface Stage {
  readonly name: string;
  /** An image with its tag, or the name of an earlier stage. */
  readonly from: string;
  /** Paths of the build's context that it copies. */
  readonly copied: readonly string[];
  /** What it copies from other stages. */
  readonly taken: readonly { readonly stage: string; readonly path: string }[];
  readonly runs: readonly string[];
  /** The last USER, null when the image's stays. */
  readonly user: string | null;
}

const stageOf = (from: string, name: string, lines: readonly string[]): Stage => {
  const copies = lines.filter((line) => line.startsWith('COPY ')).map((line) => line.split(/\s+/u).slice(1));
  const withoutOptions = (words: readonly string[]): readonly string[] =>
    words.filter((word) => !word.startsWith('--')).slice(0, -1);
  return {
    name,
    from,
    copied: copies.filter(([first]) => first?.startsWith('--from=') !== true).flatMap(withoutOptions),
    taken: copies.flatMap((words) => {
      const stage = /^--from=(.+)$/u.exec(words[0] ?? '')?.[1];
      return stage === undefined ? [] : withoutOptions(words).map((path) => ({ stage, path }));
    }),
    runs: lines.filter((line) => line.startsWith('RUN ')).map((line) => line.slice('RUN '.length)),
    user: lines.findLast((line) => line.startsWith('USER '))?.slice('USER '.length) ?? null,
  };
};

/** The stages of a Dockerfile in their order. */
export const stagesOf = (dockerfile: string): readonly Stage[] => {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gmu, '')
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n');
  const presets = new Map(
    lines.flatMap((line) => {
      const [, name, preset] = /^ARG ([A-Z_]+)=(\S+)$/u.exec(line) ?? [];
      return name === undefined || preset === undefined ? [] : [[name, preset] as const];
    }),
  );
  const byDefault = (image: string): string =>
    image.replaceAll(/\$\{([A-Z_]+)\}/gu, (all, name: string) => presets.get(name) ?? all);
  const starts = lines.flatMap((line, at) => (line.startsWith('FROM ') ? [at] : []));
  return starts.map((at, index) => {
    const [, from = '', name = ''] = /^FROM (\S+) AS (\S+)$/u.exec(lines[at] ?? '') ?? [];
    return stageOf(byDefault(from), name, lines.slice(at + 1, starts[index + 1]));
  });
};

/** Whether a `.dockerignore` of paths, and of names after two stars and a slash, leaves a path out of the build's context. */
export const isIgnored = (dockerignore: string, path: string): boolean => {
  const folders = path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'));
  return dockerignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .some((line) => {
      const anywhere = line.startsWith('**/');
      const name = (anywhere ? line.slice(3) : line).replaceAll('.', '\\.').replaceAll('*', '[^/]*');
      const pattern = new RegExp(anywhere ? `(?:^|/)${name}$` : `^${name}$`, 'u');
      return folders.some((folder) => pattern.test(folder));
    });
};
