import { reasons } from './reasons.ts';

/** Reads a file of the repository by its path from the root; null where there is none. */
export type ReadText = (path: string) => string | null;

interface Manifest {
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
}

export interface Direct {
  readonly name: string;
  /** Workspaces that name it, `.` for the root. */
  readonly by: readonly string[];
  /** Whether it runs in production, not only where the product is built and tested. */
  readonly isRun: boolean;
  readonly licence: string;
}

const manifestAt = (readText: ReadText, folder: string): Manifest => {
  const text = readText(folder === '.' ? 'package.json' : `${folder}/package.json`);
  return text === null ? {} : (JSON.parse(text) as Manifest);
};

const isOurs = (name: string): boolean => name.startsWith('@zakup/');

const installedLicence = (readText: ReadText, name: string, by: readonly string[]): string => {
  const folders = ['.', ...by].map((folder) => (folder === '.' ? '' : `${folder}/`));
  for (const folder of folders) {
    const { license } = manifestAt(readText, `${folder}node_modules/${name}`);
    if (license !== undefined) return license;
  }
  return 'не указана';
};

/** Packages that a `package.json` of the repository names, ours left out, in the order of their names. */
export const directDependencies = (readText: ReadText): readonly Direct[] => {
  const named = new Map<string, { readonly by: Set<string>; isRun: boolean }>();
  const folders = ['.', ...(manifestAt(readText, '.').workspaces ?? [])];
  for (const folder of folders) {
    const { devDependencies = {}, ...other } = manifestAt(readText, folder);
    const run = { ...other.dependencies, ...other.optionalDependencies, ...other.peerDependencies };
    for (const name of [...Object.keys(run), ...Object.keys(devDependencies)]) {
      if (isOurs(name)) continue;
      const known = named.get(name) ?? { by: new Set<string>(), isRun: false };
      known.by.add(folder);
      if (name in run) known.isRun = true;
      named.set(name, known);
    }
  }
  return [...named]
    .map(([name, { by, isRun }]) => ({
      name,
      by: [...by],
      isRun,
      licence: installedLicence(readText, name, [...by]),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

const rowOf = ({ name, by, licence }: Direct): string =>
  `| \`${name}\` | ${reasons[name] ?? '–'} | ${licence} | ${by.map((folder) => (folder === '.' ? 'root' : folder)).join(', ')} |`;

const tableOf = (direct: readonly Direct[]): readonly string[] => [
  '| package | why | licence | named by |',
  '|---|---|---|---|',
  ...direct.map(rowOf),
];

/** `docs/reference/dependencies.md`. */
export const dependenciesPage = (readText: ReadText): string => {
  const direct = directDependencies(readText);
  return [
    '# Dependencies',
    '',
    'Every package that a `package.json` of the repository names, why it is there, and its licence as the installed package says it. Versions are exact and stand in the `package.json` files, those of what they need in turn in `package-lock.json`. `npm run dependencies` writes this page from [the reasons](../../scripts/dependencies/reasons.ts); [a test](../../tests/architecture/dependencies.test.ts) finds a package without a reason, a reason without a package, and a licence that nobody has looked at.',
    '',
    'Everything that runs in production, with what it needs in turn, is listed by `npm run -s sbom > sbom.cdx.json`: CycloneDX 1.6, made from `package-lock.json`, without a network.',
    '',
    '## In production',
    '',
    ...tableOf(direct.filter(({ isRun }) => isRun)),
    '',
    '## Where it is built and tested',
    '',
    'Of these, parts of `vite` and the subset that `subset-font` makes of `inter-ui` are in what is delivered.',
    '',
    ...tableOf(direct.filter(({ isRun }) => !isRun)),
    '',
  ].join('\n');
};
