import { dirname, join } from 'node:path/posix';
import { parseSync } from 'vite';

/** What a package.json says that matters here. */
export interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Room {
  /** Folder from the root of the repository. */
  readonly folder: string;
  /** Rooms it may import, by name. */
  readonly rooms: readonly string[];
  /** npm packages it may import; absent = any it declares. */
  readonly npm?: readonly string[];
  /** Runs in browsers too: no Node. */
  readonly browser?: boolean;
}

/** Who may import whom: rooms that are workspaces. */
export const rooms: Readonly<Record<string, Room>> = {
  '@zakup/domain': { folder: 'domain', rooms: [], npm: ['zod'], browser: true },
  '@zakup/contracts': {
    folder: 'packages/contracts',
    rooms: ['@zakup/domain'],
    npm: ['zod', '@noble/hashes'],
    browser: true,
  },
  '@zakup/async': { folder: 'packages/async', rooms: [] },
  '@zakup/driver-patches': { folder: 'packages/driver-patches', rooms: [] },
  '@zakup/mongodb': { folder: 'packages/mongodb', rooms: ['@zakup/driver-patches'] },
  '@zakup/sqlite': { folder: 'packages/sqlite', rooms: [] },
  '@zakup/event-store': {
    folder: 'packages/event-store',
    rooms: ['@zakup/async', '@zakup/driver-patches', '@zakup/sqlite'],
  },
  '@zakup/read-store': { folder: 'packages/read-store', rooms: ['@zakup/async', '@zakup/mongodb', '@zakup/sqlite'] },
  '@zakup/credentials': { folder: 'packages/credentials', rooms: ['@zakup/async', '@zakup/mongodb', '@zakup/sqlite'] },
  '@zakup/seals': {
    folder: 'packages/seals',
    rooms: ['@zakup/async', '@zakup/event-store', '@zakup/mongodb', '@zakup/sqlite'],
  },
  '@zakup/projections': {
    folder: 'packages/projections',
    rooms: ['@zakup/async', '@zakup/domain', '@zakup/contracts', '@zakup/event-store', '@zakup/read-store'],
  },
  '@zakup/tracing': { folder: 'packages/tracing', rooms: ['@zakup/contracts'] },
  '@zakup/service-kit': {
    folder: 'packages/service-kit',
    rooms: [
      '@zakup/async',
      '@zakup/contracts',
      '@zakup/event-store',
      '@zakup/read-store',
      '@zakup/credentials',
      '@zakup/seals',
      '@zakup/tracing',
    ],
  },
  '@zakup/command': {
    folder: 'services/command',
    rooms: [
      '@zakup/async',
      '@zakup/domain',
      '@zakup/contracts',
      '@zakup/event-store',
      '@zakup/credentials',
      '@zakup/read-store',
      '@zakup/service-kit',
    ],
  },
  '@zakup/projector': {
    folder: 'services/projector',
    rooms: [
      '@zakup/async',
      '@zakup/contracts',
      '@zakup/event-store',
      '@zakup/read-store',
      '@zakup/projections',
      '@zakup/seals',
      '@zakup/service-kit',
    ],
  },
  '@zakup/gateway': {
    folder: 'services/gateway',
    rooms: [
      '@zakup/async',
      '@zakup/domain',
      '@zakup/contracts',
      '@zakup/read-store',
      '@zakup/event-store',
      '@zakup/projections',
      '@zakup/credentials',
      '@zakup/seals',
      '@zakup/service-kit',
    ],
  },
  '@zakup/web': { folder: 'web', rooms: ['@zakup/async', '@zakup/domain', '@zakup/contracts'], browser: true },
  '@zakup/standalone': {
    folder: 'services/standalone',
    rooms: [
      '@zakup/async',
      '@zakup/contracts',
      '@zakup/sqlite',
      '@zakup/event-store',
      '@zakup/read-store',
      '@zakup/credentials',
      '@zakup/seals',
      '@zakup/service-kit',
      '@zakup/projections',
      '@zakup/command',
      '@zakup/projector',
      '@zakup/gateway',
    ],
  },
  // Nobody may import it: what serves people knows no story.
  '@zakup/demo': {
    folder: 'services/demo',
    rooms: [
      '@zakup/domain',
      '@zakup/contracts',
      '@zakup/event-store',
      '@zakup/read-store',
      '@zakup/credentials',
      '@zakup/seals',
      '@zakup/service-kit',
      '@zakup/command',
      '@zakup/projector',
      '@zakup/standalone',
    ],
  },
};

/** Folders of the root package: they may import everything that any workspace may, by its name. */
export const rootFolders = ['tests', 'scripts', 'bench'] as const;

/** Drivers, and the one kind of folder that may import each. */
const driverFolders: Readonly<Record<string, string>> = {
  '@zakup/mongodb': 'mongodb',
  '@zakup/sqlite': 'sqlite',
  '@photostructure/sqlite': 'sqlite',
  'node:sqlite': 'sqlite',
  '@eventstore/db-client': 'eventstoredb',
  mongodb: 'mongodb',
};
const adapterImport = /^@zakup\/(?:event-store|read-store|credentials|seals)\/(?:sqlite|eventstoredb|mongodb)\//;

/** Where every process opens its stores on servers. */
const serverStores = 'packages/service-kit/src/stores/server-stores.ts';

/** Carries out the commands of whatever there is, and knows none of it. */
const pipeline = 'services/command/src/pipeline/';

const sharedFolder = 'web/src/shared/';

/** Layers of `web/src/shared`, the highest first: a folder imports from its own layer and from those below. */
export const sharedLayers: readonly { readonly name: string; readonly folders: readonly string[] }[] = [
  {
    name: 'subjects',
    folders: [
      'charts',
      'contractor',
      'explanations',
      'history',
      'import',
      'kept',
      'licence',
      'salary',
      'time-travel',
      'undo',
    ],
  },
  { name: 'connection', folders: ['live', 'predictions', 'session'] },
  { name: 'parts', folders: ['campaign', 'day', 'dialogs', 'form', 'load', 'moment', 'table'] },
  { name: 'elements', folders: ['ui'] },
  { name: 'ground', folders: ['api', 'export', 'lists', 'money', 'outbox', 'replica', 'storage', 'theme', 'toasts'] },
];

const roomOf = (path: string): string | null =>
  Object.entries(rooms).find(([, { folder }]) => path.startsWith(`${folder}/`))?.[0] ??
  rootFolders.find((folder) => path.startsWith(`${folder}/`)) ??
  (path.includes('/') ? null : 'root');

const isRoot = (room: string): boolean => !room.startsWith('@');
/** Tests, the contract suites that adapters' tests run, and what only tests use. */
const isTest = (path: string): boolean => /(?:\.test\.tsx?|-suite\.ts)$/.test(path) || path.includes('/testing/');
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const featureOf = (path: string): string | null => /^web\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
/** The folder of `web/src/shared` that a file lies in; null = in none. */
export const sharedFolderOf = (path: string): string | null => /^web\/src\/shared\/([^/]+)\//.exec(path)?.[1] ?? null;
const layerOf = (folder: string): number => sharedLayers.findIndex(({ folders }) => folders.includes(folder));

function literal(node: unknown): string | null {
  if (typeof node !== 'object' || node === null || !('value' in node)) return null;
  return typeof node.value === 'string' ? node.value : null;
}

type Parsed = ReturnType<typeof parseSync>;

/** By a walk through all nodes: also `import()` of a literal in values and in types, `export {} from`, and what a declared module imports. */
function importsInNodes(program: Parsed['program']): readonly string[] {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && typeof node.type === 'string' && /^(Import|Export|TSImport)/.test(node.type)) {
      const specifier = 'source' in node ? literal(node.source) : null;
      if (specifier !== null) found.add(specifier);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return [...found];
}

/** By the parser's own list of statements, in their order; making a tree of a file takes several times as long as parsing it. */
function importsInStatements({ staticImports, staticExports }: Parsed['module']): readonly string[] {
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
  ];
  const inOrder = requests.toSorted((a, b) => a.start - b.start);
  return [...new Set(inOrder.map(({ value }) => value))];
}

/** What the list of statements leaves out may be there. */
const needsNodes = (source: string): boolean =>
  /\bimport\s*\(|\bexport\s*\{\s*\}|\bdeclare\s+(?:module|global)\b/u.test(source);

const known = new Map<string, { readonly source: string; readonly imports: readonly string[] }>();

/**
 * Everything a file imports: statements, re-exports, `import()` of a literal, in values and in types. Throws when it cannot be parsed.
 * Several rules ask for every file: each text is parsed once.
 */
export function importsOf(path: string, source: string): readonly string[] {
  const before = known.get(path);
  if (before?.source === source) return before.imports;
  const parsed = parseSync(path, source);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed`);
  const imports =
    parsed.module.dynamicImports.length > 0 || needsNodes(source)
      ? importsInNodes(parsed.program)
      : importsInStatements(parsed.module);
  known.set(path, { source, imports });
  return imports;
}

function sharedFault(path: string, target: string, specifier: string): string | null {
  if (featureOf(target) !== null) return `${specifier}: shared never imports a feature`;
  if (isTest(path)) return null;
  const [mine, theirs] = [sharedFolderOf(path), sharedFolderOf(target)];
  if (theirs === null) return `${specifier}: shared imports only what is shared`;
  if (mine === null || mine === theirs) return null;
  const outside = [mine, theirs].find((folder) => layerOf(folder) < 0);
  if (outside !== undefined) return `${outside}: has no layer, name it in sharedLayers`;
  return layerOf(theirs) < layerOf(mine) ? `${specifier}: ${theirs} lies above ${mine}` : null;
}

function relativeFault(path: string, room: string, specifier: string): string | null {
  const target = join(dirname(path), specifier);
  const targetRoom = roomOf(target);
  if (targetRoom !== room && !(isRoot(room) && targetRoom !== null && isRoot(targetRoom))) {
    return `${specifier}: leaves its room by a path, import it by the workspace's name`;
  }
  const [mine, theirs] = [featureOf(path), featureOf(target)];
  if (mine !== null && theirs !== null && mine !== theirs) return `${specifier}: features never import each other`;
  if (path.startsWith(pipeline) && !isTest(path) && !target.startsWith(pipeline))
    return `${specifier}: the pipeline imports nothing of the command service but itself`;
  return path.startsWith(sharedFolder) ? sharedFault(path, target, specifier) : null;
}

function workspaceFault(path: string, room: string, specifier: string, manifest: Manifest): string | null {
  const name = packageOf(specifier);
  if (rooms[name] === undefined) return `${specifier}: no such room`;
  if (isRoot(room)) return null;
  if (!rooms[room]?.rooms.includes(name)) return `${specifier}: ${room} may not import ${name}`;
  if (manifest.dependencies?.[name] === undefined) return `${specifier}: not declared in its package.json`;
  const driverFolder = driverFolders[name];
  if (driverFolder !== undefined && room !== '@zakup/standalone' && !path.includes(`/${driverFolder}/`)) {
    return `${specifier}: a driver, only for files in ${driverFolder}/`;
  }
  const choosesDrivers = room === '@zakup/standalone' || path === serverStores || isTest(path);
  if (adapterImport.test(specifier) && !choosesDrivers)
    return `${specifier}: only ${serverStores} and the single process choose adapters`;
  return null;
}

function packageFault(
  path: string,
  room: string,
  specifier: string,
  manifest: Manifest,
  root: Manifest,
): string | null {
  const rules = rooms[room];
  const driverFolder = driverFolders[packageOf(specifier)] ?? driverFolders[specifier];
  if (driverFolder !== undefined && !isRoot(room) && !path.includes(`/${driverFolder}/`)) {
    return `${specifier}: a driver, only for files in ${driverFolder}/`;
  }
  const inSource = path.startsWith(`${rules?.folder ?? ''}/src/`);
  if (specifier.startsWith('node:')) {
    return rules?.browser === true && inSource && !isTest(path) ? `${specifier}: this room runs in browsers` : null;
  }
  const name = packageOf(specifier);
  const ships = manifest.dependencies?.[name] !== undefined;
  const tools = { ...manifest.devDependencies, ...root.devDependencies };
  const declared = ships || ((isRoot(room) || isTest(path) || !inSource) && tools[name] !== undefined);
  if (!declared) return `${specifier}: not declared in its package.json`;
  if (rules?.npm !== undefined && !rules.npm.includes(name) && !isTest(path)) {
    return `${specifier}: ${room} may import only ${rules.npm.join(', ')}`;
  }
  return null;
}

/**
 * What a file imports against the rules, one sentence each. `path` is from the root with `/`; `manifestOf` answers the package.json of a
 * room, for a root folder everything that any package.json declares; `root` is the root's own.
 */
export function importFaults(
  path: string,
  source: string,
  manifestOf: (room: string) => Manifest,
  root: Manifest,
): readonly string[] {
  const room = roomOf(path);
  if (room === null) return [`${path}: belongs to no room`];
  const barrel = /(?:^|\/)index\.tsx?$/.test(path)
    ? ['index files are not wanted, name the file after what it holds']
    : [];
  const faults = importsOf(path, source).map((specifier) => {
    if (specifier.startsWith('.')) return relativeFault(path, room, specifier);
    const manifest = manifestOf(room);
    if (specifier.startsWith('@zakup/')) return workspaceFault(path, room, specifier, manifest);
    return packageFault(path, room, specifier, manifest, root);
  });
  return [...barrel, ...faults.filter((fault) => fault !== null)].map((fault) => `${path}: ${fault}`);
}
