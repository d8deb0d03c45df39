/** One entry of `packages` in a version 3 lock file, as far as this script reads or writes it. */
export interface LockEntry {
  readonly version?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A version 3 `package-lock.json`. Keys of `packages` are paths from the root, `''` is the root itself. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

export interface MissingEntry {
  /** Path of the locked package that asks. */
  readonly parent: string;
  readonly name: string;
  /** The version it asks for, as written there. */
  readonly wanted: string;
  readonly dev: boolean;
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

function resolvedPath(lock: Lock, from: string, name: string): string | null {
  for (let folder = from; ; ) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (folder === '') return null;
    const cut = folder.lastIndexOf('node_modules/');
    folder = cut <= 0 ? '' : folder.slice(0, cut - 1);
  }
}

/** Optional dependencies of locked packages for which the lock has no entry, in the lock's order. */
export function missingOptionalDependencies(lock: Lock): readonly MissingEntry[] {
  const missing = new Map<string, MissingEntry>();
  for (const [parent, entry] of Object.entries(lock.packages)) {
    for (const [name, wanted] of Object.entries(entry.optionalDependencies ?? {})) {
      if (resolvedPath(lock, parent, name) !== null) continue;
      const earlier = missing.get(name);
      if (earlier !== undefined && earlier.wanted !== wanted) {
        throw new Error(`${name} is wanted as ${earlier.wanted} and as ${wanted}: run npm install first`);
      }
      missing.set(name, { parent, name, wanted, dev: entry.dev === true && (earlier?.dev ?? true) });
    }
  }
  return [...missing.values()];
}

/** The platform that a prebuilt package's name tells; members that the name does not tell are absent. */
export function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/@-]/);
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(libc === undefined || os !== 'linux' ? {} : { libc: [libc] }),
    ...(os === undefined ? {} : { os: [os] }),
  };
}

/**
 * The same lock with an entry for every missing optional dependency, so that `npm ci` accepts it on every platform.
 * Throws where a version range or a name without a platform would have to be guessed.
 */
export function completedLock<L extends Lock>(lock: L): L {
  const added: [string, LockEntry][] = missingOptionalDependencies(lock).map(({ name, wanted, dev }) => {
    const platform = platformOf(name);
    if (!exactVersion.test(wanted)) throw new Error(`${name}: "${wanted}" is not an exact version`);
    if (platform.os === undefined && platform.cpu === undefined) throw new Error(`${name}: no platform in its name`);
    return [`node_modules/${name}`, { version: wanted, ...(dev ? { dev: true } : {}), ...platform, optional: true }];
  });
  const sorted = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}
