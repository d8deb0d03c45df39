import { randomUUID } from 'node:crypto';

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** `package-lock.json`, as far as it is needed here. */
export interface LockedPackages {
  readonly packages: Readonly<Record<string, Locked>>;
}

export interface Component {
  readonly type: 'application' | 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: 'required' | 'optional';
  readonly purl: string;
  readonly licenses?: readonly ({ readonly license: { readonly id: string } } | { readonly expression: string })[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

const marker = 'node_modules/';
const nameAt = (path: string, { name }: Locked): string => name ?? path.slice(path.lastIndexOf(marker) + marker.length);

const algorithms: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha1: 'SHA-1' };
const hashesOf = (integrity: string): NonNullable<Component['hashes']> =>
  integrity.split(' ').map((one) => {
    const [algorithm = '', digest = ''] = one.split(/-(.*)/s);
    return { alg: algorithms[algorithm] ?? algorithm, content: Buffer.from(digest, 'base64').toString('hex') };
  });

const licencesOf = (licence: string): NonNullable<Component['licenses']> => [
  /^[\w.+-]+$/.test(licence) ? { license: { id: licence } } : { expression: licence },
];

/** In an older form, which npm does not copy into the lock. */
const saidOtherwise: Readonly<Record<string, string>> = { 'xmlhttprequest-ssl': 'MIT' };

const componentOf = (path: string, locked: Locked, type: Component['type']): Component => {
  const [name, version = '0.0.0'] = [nameAt(path, locked), locked.version];
  const licence = locked.license ?? saidOtherwise[name];
  return {
    type,
    'bom-ref': path === '' ? `${name}@${version}` : `${path}@${version}`,
    name,
    version,
    ...(type === 'library' && { scope: locked.optional === true ? 'optional' : 'required' }),
    purl: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
    // `UNLICENSED` of our own parts is no licence that the form knows.
    ...(licence !== undefined && licence !== 'UNLICENSED' && { licenses: licencesOf(licence) }),
    ...(locked.integrity !== undefined && { hashes: hashesOf(locked.integrity) }),
  };
};

/** Where a package is found by one that needs it: in its own folder, or in one above. */
const found = (lock: LockedPackages, from: string, name: string): string | null => {
  for (let folder = from; ; ) {
    const path = `${folder === '' ? '' : `${folder}/`}${marker}${name}`;
    const locked = lock.packages[path];
    if (locked !== undefined) return locked.link === true ? (locked.resolved ?? path) : path;
    if (folder === '') return null;
    const above = folder.lastIndexOf(`/${marker}`);
    folder = above === -1 ? '' : folder.slice(0, above);
  }
};

const neededBy = (lock: LockedPackages, path: string): readonly string[] => {
  const { dependencies, optionalDependencies, peerDependencies } = lock.packages[path] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => found(lock, path, name) ?? []);
};

/** What runs in production, by what is locked: from the root and the workspaces on, without their development dependencies. */
const reached = (lock: LockedPackages, starts: readonly string[]): readonly string[] => {
  const seen = new Set(starts);
  for (const path of seen) for (const needed of neededBy(lock, path)) seen.add(needed);
  return [...seen].filter((path) => path !== '').sort();
};

/** CycloneDX 1.6. */
export const softwareBill = (lock: LockedPackages, workspaces: readonly string[], now: Date) => {
  const paths = reached(lock, ['', ...workspaces]);
  const root = componentOf('', lock.packages[''] ?? {}, 'application');
  const components = new Map(paths.map((path) => [path, componentOf(path, lock.packages[path] ?? {}, 'library')]));
  const refOf = (path: string): string => components.get(path)?.['bom-ref'] ?? root['bom-ref'];
  const line = (path: string, needed: readonly string[]) => ({
    ref: refOf(path),
    dependsOn: [...new Set(needed.map(refOf))].sort(),
  });
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: now.toISOString(), component: root },
    components: [...components.values()],
    dependencies: [
      line('', [...neededBy(lock, ''), ...workspaces]),
      ...paths.map((path) => line(path, neededBy(lock, path))),
    ],
  };
};
