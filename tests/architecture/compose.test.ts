import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { envExample, readConfig } from '@zakup/service-kit/config';
import { healthRoutes, readiness } from '@zakup/service-kit/health';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { answering, parsedCaddyfile, upstreamOf } from './caddyfile.ts';
import { isIgnored, stagesOf } from './dockerfile.ts';
import { repositoryRoot, textOf } from './repository-files.ts';

interface Service {
  readonly image: string;
  readonly build?: {
    readonly context: string;
    readonly target: string;
    readonly args?: Readonly<Record<string, string>>;
  };
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart: string;
  readonly init: boolean;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt: readonly string[];
  readonly mem_limit: string;
  readonly pids_limit: number;
  readonly logging: { readonly options: Readonly<Record<string, string>> };
  readonly profiles?: readonly string[];
  readonly container_name?: string;
  readonly network_mode?: string;
}

interface Compose {
  readonly version?: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const composeText = textOf('docker-compose.yml');
const compose = parse(composeText, { merge: true }) as Compose;
const tls = parse(textOf('deploy/tls.yml'), { merge: true }) as Pick<Compose, 'services'>;
const witness = parse(textOf('deploy/seal-witness.yml'), { merge: true }) as Pick<Compose, 'services' | 'networks'>;
const entries = Object.entries(compose.services);
const stages = stagesOf(textOf('Dockerfile'));
const stageNames = stages.map(({ name }) => name);
const dockerignore = textOf('.dockerignore');
const caddyfile = parsedCaddyfile(textOf('deploy/Caddyfile'));
const site = caddyfile.find(({ words }) => words[0]?.startsWith('http://') === true);
const { version } = JSON.parse(textOf('package.json')) as { version: string };

const initText = textOf('deploy/init.mjs');
/** The folder in `init.mjs` that each volume of secrets is. */
const madeIn: Readonly<Record<string, string>> = {
  secrets: 'app',
  'admin-secrets': 'admin',
  'seal-secrets': 'seal',
  'codes-secrets': 'codes',
  'mongo-secrets': 'mongo',
  'eventstore-secrets': 'events',
  'authority-secrets': 'authority',
  'test-secrets': 'test',
};

/** Processes of ours that the settings' schema describes. */
const ours = ['command', 'projector', 'gateway'] as const;

function service(name: string): Service {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`No service ${name}`);
  return found;
}

/** `${NAME:-default}` as it is with nothing set. */
const byDefault = (value: string): string =>
  value.replaceAll(/\$\{[A-Z_]+(?::-([^}]*))?\}/gu, (_, preset: string | undefined) => preset ?? '');

const environmentOf = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(service(name).environment ?? {}).map(([setting, value]) => [setting, byDefault(value)]),
  );

const imageOf = ({ image }: Service): string => byDefault(image);

/** Named volumes of a service: where each is mounted, and whether only to be read. */
const mountsOf = ({ volumes = [] }: Service) =>
  volumes.map((volume) => {
    const [source = '', target = '', mode] = volume.split(':');
    return { source, target, isReadOnly: mode === 'ro' };
  });

/** Not of the schema, and where each is described. */
const knownElsewhere: Readonly<Record<string, readonly string[]>> = {
  // ClusterVNodeOptions of KurrentDB 26.0.3; it refuses to start with an option that it does not know.
  eventstore: [
    'KURRENTDB_CLUSTER_SIZE',
    'KURRENTDB_RUN_PROJECTIONS',
    'KURRENTDB_CERTIFICATE_FILE',
    'KURRENTDB_CERTIFICATE_PRIVATE_KEY_FILE',
    'KURRENTDB_TRUSTED_ROOT_CERTIFICATES_PATH',
    'KURRENTDB_TELEMETRY_OPTOUT',
  ],
  // The image sets it to a place for the shell's own files.
  mongo: ['HOME'],
  // scripts/test.ts and tests/support.
  test: ['CI', 'REQUIRE_SERVERS'],
};

describe('docker-compose.yml', () => {
  test('DEP-12 every setting that is passed exists', () => {
    const inSchema = [...envExample().matchAll(/^# ([A-Z_]+)=/gmu)].map(([, name]) => name);
    const inInit = [...textOf('deploy/init.mjs').matchAll(/given\('([A-Z_]+)'/gu)].map(([, name]) => name);
    const inWeb = `${textOf('deploy/Caddyfile')}${textOf('scripts/deploy/caddy-headers.ts')}`;
    for (const [name, { environment = {} }] of entries) {
      const known = [...(ours.some((one) => one === name) ? inSchema : []), ...(knownElsewhere[name] ?? [])];
      const isKnown = (setting: string): boolean =>
        name === 'init'
          ? inInit.includes(setting)
          : name === 'web'
            ? inWeb.includes(`{env.${setting}}`) || inWeb.includes(`{$${setting}}`)
            : known.includes(setting);
      expect({ name, unknown: Object.keys(environment).filter((setting) => !isKnown(setting)) }).toEqual({
        name,
        unknown: [],
      });
    }
    expect(Object.keys(tls.services['web']?.environment ?? {}).filter((setting) => !inWeb.includes(setting))).toEqual(
      [],
    );
  });

  test.each(ours)(
    'DEP-13 %s starts with what it is given, its secrets from files that init makes for its user',
    (name) => {
      const read: string[] = [];
      const readText = (path: string): string => {
        read.push(path);
        if (path.endsWith('seal-key') || path.endsWith('access-codes-key')) return 's'.repeat(43);
        if (path.endsWith('eventstoredb-url'))
          return 'esdb://admin:secret@eventstore:2113?tls=true&tlsCAFile=/secrets/x';
        return path.endsWith('-url') ? 'mongodb://zakup:secret@mongo:27017/zakup?replicaSet=rs0' : 's'.repeat(64);
      };
      const needs = name === 'projector' ? (['SEAL_KEY'] as const) : (['ACCESS_CODES_KEY'] as const);
      const result = readConfig(environmentOf(name), { edition: 'service', needs, readText });
      expect(result).toMatchObject({
        kind: 'ok',
        config: { port: 3000, host: '0.0.0.0', trustProxy: 1, publicUrl: 'http://localhost:3000' },
      });

      const mounts = mountsOf(service(name));
      expect(mounts.every(({ isReadOnly }) => isReadOnly)).toBe(true);
      const made = mounts.flatMap(({ source, target }) => {
        const folder = madeIn[source] ?? '-';
        return [...initText.matchAll(new RegExp(`\\(${folder}, '([\\w-]+)'`, 'gu'))].map(
          ([, file]) => `${target}/${file}`,
        );
      });
      expect(read.filter((path) => !made.includes(path))).toEqual([]);
      expect(read.length).toBeGreaterThanOrEqual(3);
      expect(read.some((path) => path.endsWith('/access-codes-key'))).toBe(name !== 'projector');
      // Who cannot sign cannot be made to; who lets no administrator in need not know the password.
      expect(read.some((path) => path.endsWith('/seal-key'))).toBe(name === 'projector');
      expect(read.some((path) => path.endsWith('/admin-password'))).toBe(name === 'command');
      expect(service(name).user).toBe('node');
    },
  );

  test('DEP-14 the stores read only secrets that init makes for them', () => {
    const wanted = `${textOf('deploy/mongo/health.js')}${service('mongo').command?.join(' ')}`;
    const made = [...initText.matchAll(/[([]mongo, '([\w.-]+)'/gu)].map(([, file]) => file);
    const asked = [...wanted.matchAll(/(?:secret\('|\/secrets\/)([\w.-]+)/gu)].map(([, file]) => file);
    expect(new Set(asked)).toEqual(new Set([...made, 'server.pem']));
    expect(mountsOf(service('mongo'))).toContainEqual({
      source: 'mongo-secrets',
      target: '/secrets',
      isReadOnly: true,
    });
    for (const [volume, folder] of Object.entries(madeIn)) {
      const target = mountsOf(service('init')).find(({ source }) => source === volume)?.target;
      expect([volume, target]).toEqual([volume, `/secrets/${folder}`]);
      expect([volume, environmentOf('init')[`${folder.toUpperCase()}_SECRETS`]]).toEqual([volume, target]);
    }
  });

  test('DEP-1422 each secret is in a volume that only its reader mounts', () => {
    const readers = (volume: string): readonly string[] =>
      entries.filter(([, one]) => mountsOf(one).some(({ source }) => source === volume)).map(([name]) => name);
    expect(Object.fromEntries(Object.keys(madeIn).map((volume) => [volume, readers(volume)]))).toEqual({
      secrets: ['init', 'command', 'projector', 'gateway'],
      'admin-secrets': ['init', 'command'],
      'seal-secrets': ['init', 'projector'],
      'codes-secrets': ['init', 'command', 'gateway'],
      'mongo-secrets': ['init', 'mongo'],
      'eventstore-secrets': ['init', 'eventstore'],
      'authority-secrets': ['init'],
      'test-secrets': ['init', 'test'],
    });
  });

  test('DEP-1423 both stores are reached over TLS, by users with passwords, and by nobody without', () => {
    expect(service('mongo').command).toEqual(
      expect.arrayContaining([
        '--tlsMode=requireTLS',
        '--tlsCertificateKeyFile=/secrets/server.pem',
        '--tlsCAFile=/secrets/authority.pem',
        '--keyFile=/secrets/keyfile',
      ]),
    );
    const { environment = {}, entrypoint = [], volumes } = service('eventstore');
    expect(environment['KURRENTDB_INSECURE']).toBeUndefined();
    const read = [...Object.values(environment), entrypoint.join(' ')].flatMap((text) =>
      [...text.matchAll(/\/secrets\/([\w.-]+)/gu)].map(([, file]) => file),
    );
    expect(read).toEqual(['node.crt', 'node.key', 'roots', 'admin-password', 'ops-password']);
    expect(read.filter((file) => !initText.includes(`'${file}'`))).toEqual([]);
    expect(volumes).toContain('eventstore-secrets:/secrets:ro');
    // No environment of a container, which `docker inspect` shows, holds a password.
    const shown = entries.flatMap(([, one]) => Object.entries(one.environment ?? {}));
    expect(
      shown.filter(([name]) => /PASSWORD|SECRET|KEY/u.test(name)).filter(([, value]) => !value.startsWith('/')),
    ).toEqual([]);
    expect(composeText).not.toMatch(/tls=false|INSECURE/u);
  });

  test('DEP-1424 every image of somebody else may be given by its digest, the same one wherever it is used', () => {
    const variables = {
      KURRENTDB_IMAGE: [] as string[],
      MONGO_IMAGE: [] as string[],
      NODE_IMAGE: [] as string[],
      CADDY_IMAGE: [] as string[],
    };
    for (const [, name = '', preset = ''] of composeText.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/gu))
      variables[name as keyof typeof variables].push(preset);
    for (const [, name = '', preset = ''] of textOf('Dockerfile').matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gmu))
      variables[name as keyof typeof variables].push(preset);
    expect(Object.values(variables).map((presets) => new Set(presets).size)).toEqual([1, 1, 1, 1]);
    expect(stages.map(({ from }) => from).filter((from) => from.includes('$'))).toEqual([]);
    // Who builds with the stage gets what was chosen.
    for (const [name, { build }] of entries) {
      if (build === undefined) continue;
      const wanted = build.target === 'web' ? ['NODE_IMAGE', 'CADDY_IMAGE'] : ['NODE_IMAGE'];
      expect([name, Object.keys(build.args ?? {})]).toEqual([name, wanted]);
    }
    const page = textOf('docs/how-to/deploy.md');
    for (const name of Object.keys(variables)) expect(page).toContain(`\`${name}\``);
  });

  test('DEP-3358 the projector has no way out; a second file gives one to it alone, and asks for the witness that it is for', () => {
    const isClosed = (name: string): boolean => compose.networks[name]?.internal === true;
    expect((service('projector').networks ?? []).filter((name) => !isClosed(name))).toEqual([]);
    const [added = ''] = Object.keys(witness.networks);
    expect(Object.keys(witness.services)).toEqual(['projector']);
    expect(witness.services['projector']).toEqual({
      networks: [...(service('projector').networks ?? []), added],
      environment: { SEAL_WITNESS: expect.stringMatching(/^\$\{SEAL_WITNESS:\?/u) },
    });
    expect(entries.filter(([, { networks = [] }]) => networks.includes(added))).toEqual([]);
    expect(textOf('docs/how-to/deploy.md')).toContain('-f deploy/seal-witness.yml');
  });

  test('DEP-1428 the image, .nvmrc and README recommend one Node; the types are of the oldest that is supported', () => {
    const { engines, devDependencies } = JSON.parse(textOf('package.json')) as {
      readonly engines: { readonly node: string };
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const [, recommended] = /^ARG NODE_IMAGE=node:(\d+)\./mu.exec(textOf('Dockerfile')) ?? [];
    expect(textOf('.nvmrc').trim()).toBe(recommended);
    const [, oldest = ''] = /^>=(\d+\.\d+)$/u.exec(engines.node) ?? [];
    // What is typed is there in the oldest.
    expect(devDependencies['@types/node']?.split('.')[0]).toBe(oldest.split('.')[0]);
    for (const page of ['README.md', 'docs/how-to/deploy.md'])
      expect([page, textOf(page).includes(`Node ${recommended}`)]).toEqual([page, true]);
    expect(textOf('README.md')).toContain(
      `Node ${recommended} is recommended, as in the image; ${oldest} and 22 do as well`,
    );
  });

  test('DEP-15 every image is pinned to a patch, ours to the version of the product', () => {
    const foreign = [...entries.map(([, one]) => imageOf(one)), ...stages.map(({ from }) => from)].filter(
      (image) => !image.startsWith('zakup-') && !stageNames.includes(image),
    );
    expect(foreign.length).toBeGreaterThan(4);
    expect(foreign.filter((image) => !/^[a-z/]+:\d+\.\d+\.\d+(?:-[a-z0-9-]+)?$/u.test(image))).toEqual([]);
    for (const [name, { image, build }] of entries) {
      expect({ name, isOurs: byDefault(image).startsWith('zakup-') }).toEqual({ name, isOurs: build !== undefined });
    }
    expect(entries.flatMap(([, { image, build }]) => (build === undefined ? [] : image))).toEqual(
      entries.flatMap(([, { build }]) => (build === undefined ? [] : `zakup-${build.target}:${version}`)),
    );
    expect(compose.version).toBeUndefined();
  });

  test('DEP-16 everything that is built or mounted is there and in the context', () => {
    const targets = entries.flatMap(([, { build }]) => build?.target ?? []);
    expect(targets.filter((target) => !stageNames.includes(target))).toEqual([]);
    const copied = stages.flatMap((stage) => stage.copied);
    const mounted = entries.flatMap(([, one]) => mountsOf(one).map(({ source }) => source));
    const paths = [...copied, ...mounted.filter((source) => source.startsWith('.'))].map((path) =>
      path.replace(/^\.\//u, ''),
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(repositoryRoot, path)) || isIgnored(dockerignore, path))).toEqual(
      [],
    );
    const named = mounted.filter((source) => !source.startsWith('.'));
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
    const earlier = stages.flatMap(({ taken }, index) =>
      taken.filter(({ stage }) => !stageNames.slice(0, index).includes(stage)),
    );
    expect(earlier).toEqual([]);
    for (const secret of [
      '.env',
      '.git/config',
      'data/keys/jwt-secret',
      'web/node_modules/x',
      'services/standalone/dist/main.js',
    ])
      expect({ secret, isIgnored: isIgnored(dockerignore, secret) }).toEqual({ secret, isIgnored: true });
    expect(isIgnored(dockerignore, '.env.example')).toBe(false);
  });

  test('DEP-17 the images are installed from the lock without scripts, from the package.json of every workspace', () => {
    const { workspaces } = JSON.parse(textOf('package.json')) as { workspaces: readonly string[] };
    const manifests = stages.find(({ name }) => name === 'manifests')?.copied ?? [];
    const wanted = [
      ...workspaces.map((folder) => `${folder}/package.json`),
      'package.json',
      'package-lock.json',
      '.npmrc',
    ];
    expect([...manifests].sort()).toEqual(wanted.sort());
    const installs = stages.flatMap(({ runs }) => runs).filter((run) => /\bnpm (?:ci|i|install)\b/u.test(run));
    expect(installs).toHaveLength(2);
    expect(installs.filter((run) => !run.startsWith('npm ci --ignore-scripts'))).toEqual([]);
  });

  test('DEP-18 the processes are node, on files that the build of the server makes', () => {
    const built = textOf('scripts/build-server.ts');
    for (const name of ours) {
      const [program, file = '', ...rest] = service(name).command ?? [];
      expect([program, rest]).toEqual(['node', []]);
      expect(file).toBe(`services/standalone/dist/${name}.js`);
      expect(built).toContain(`${name}: 'services/${name}/src/main.ts'`);
      expect(service(name).build?.target).toBe('server');
    }
    const server = stages.find(({ name }) => name === 'server');
    expect(server?.taken).toContainEqual({ stage: 'build', path: '/app/services/standalone/dist' });
    expect(stages.find(({ name }) => name === 'init')?.copied).toEqual(['deploy/init.mjs', 'deploy/certificates.mjs']);
  });

  test('DEP-19 whoever is waited for can be: healthy has a check, completed ends', () => {
    const waits = entries.flatMap(([name, { depends_on = {} }]) =>
      Object.entries(depends_on).map(([on, { condition }]) => ({ name, on, condition })),
    );
    expect(waits.length).toBeGreaterThan(8);
    const ends = (name: string, condition: string): boolean =>
      condition === 'service_healthy'
        ? service(name).healthcheck?.test[0] === 'CMD'
        : condition === 'service_completed_successfully' && service(name).restart === 'no';
    expect(waits.filter(({ on, condition }) => !ends(on, condition))).toEqual([]);
    for (const name of [...ours, 'test'])
      expect(Object.keys(service(name).depends_on ?? {})).toEqual(['init', 'eventstore', 'mongo']);
    expect(Object.keys(service('web').depends_on ?? {})).toEqual(['command', 'gateway']);
  });

  test('DEP-20 only web has a port outside, by default for this machine alone', () => {
    const published = entries.filter(([, { ports = [] }]) => ports.length > 0).map(([name]) => name);
    expect(published).toEqual(['web']);
    expect(service('web').ports?.map(byDefault)).toEqual(['127.0.0.1:3000:3000']);
    expect(compose.networks['back']?.internal).toBe(true);
    for (const name of ['eventstore', 'mongo', 'projector', 'test']) expect(service(name).networks).toEqual(['back']);
    expect(service('web').networks).toEqual(['front']);
  });

  test('DEP-21 nothing forbids a second copy of command, projector and gateway', () => {
    for (const name of ours) {
      const { ports, container_name, networks, volumes } = service(name);
      expect({ name, ports, container_name }).toEqual({ name, ports: undefined, container_name: undefined });
      expect(networks).toContain('back');
      expect(volumes?.every((volume) => volume.endsWith(':ro'))).toBe(true);
    }
  });

  test('DEP-22 every container is locked in and limited', () => {
    for (const [name, one] of entries) {
      expect(one).toMatchObject({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        init: true,
        logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
        restart: ['init', 'test'].includes(name) ? 'no' : 'unless-stopped',
      });
      expect(one.mem_limit).toMatch(/^\d+[mg]$/u);
      expect(one.pids_limit).toBeGreaterThan(0);
      // init gives files to their owners; what the event store and the tests write is not told beforehand.
      expect({ name, isRoot: one.user === undefined || /^(?:root|0)/u.test(one.user) }).toEqual({
        name,
        isRoot: name === 'init',
      });
      expect({ name, readOnly: one.read_only === true }).toEqual({
        name,
        readOnly: !['eventstore', 'test'].includes(name),
      });
      expect({ name, added: one.cap_add ?? [] }).toEqual({
        name,
        added: name === 'init' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'] : [],
      });
    }
    expect(service('init').network_mode).toBe('none');
  });

  test('DEP-23 the health checks ask ports and paths that are served', async () => {
    const app = express().use(healthRoutes(readiness({})));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const name of ours) {
      const [, program, , code = ''] = service(name).healthcheck?.test ?? [];
      const [, asked, path = ''] = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/u.exec(code) ?? [];
      expect([program, asked]).toEqual(['node', environmentOf(name)['PORT']]);
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
      expect(status).toBe(200);
    }
    server.close();
    expect(service('web').healthcheck?.test.at(-1)).toBe('http://127.0.0.1:3000/');
    expect(service('eventstore').healthcheck?.test.at(-1)).toBe('https://localhost:2113/health/live');
    expect(initText).toContain('@eventstore:2113?tls=true');
    const script = service('mongo').healthcheck?.test.at(-1);
    expect(mountsOf(service('mongo'))).toContainEqual({
      source: './deploy/mongo/health.js',
      target: script,
      isReadOnly: true,
    });
  });

  test('DEP-24 the tests of the profile need both real servers and a Chromium', () => {
    expect(service('test').profiles).toEqual(['test']);
    expect(environmentOf('test')).toEqual({
      CI: 'true',
      REQUIRE_SERVERS: 'eventstoredb,mongodb',
    });
    expect(service('test').command?.at(-1)).toMatch(
      /^MONGODB_URL="\$\$\(cat \/secrets\/mongodb-url\)" EVENTSTOREDB_URL="\$\$\(cat \/secrets\/eventstoredb-url\)" exec npm test\s*$/u,
    );
    expect(stages.find(({ name }) => name === 'test')?.runs.join()).toContain('chromium');
    expect(entries.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name)).toEqual(['test']);
  });

  test('DEP-25 every variable and every volume is told in the page on deploying', () => {
    const page = textOf('docs/how-to/deploy.md');
    const variables = [...`${composeText}${textOf('deploy/tls.yml')}`.matchAll(/\$\{([A-Z_]+)/gu)].map(
      ([, name = '']) => name,
    );
    expect(variables.length).toBeGreaterThan(5);
    expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(Object.keys(compose.volumes).filter((name) => !page.includes(`\`zakup_${name}\``))).toEqual([]);
  });

  test('DEP-3709 the page on traces names those settings of them that reach the containers', () => {
    const sentence = /With docker compose, `\.env` passes on ([^:]+), and no others/u.exec(
      textOf('docs/how-to/follow-a-request.md'),
    );
    const named = [...(sentence?.[1] ?? '').matchAll(/`(\w+)`/gu)].map(([, name]) => name);
    for (const name of ours)
      expect(Object.keys(service(name).environment ?? {}).filter((one) => one.startsWith('OTEL_'))).toEqual(named);
  });
});

describe('deploy/Caddyfile', () => {
  const upstream = (method: string, path: string): string | null => {
    if (site === undefined) throw new Error('No site');
    return upstreamOf(answering(site, { method, path }));
  };

  test.each([
    ['GET', '/api/campaigns', 'gateway:3000'],
    ['HEAD', '/api/campaigns', 'gateway:3000'],
    ['GET', '/api', 'gateway:3000'],
    ['POST', '/api/campaigns', 'command:3000'],
    ['PUT', '/api/users/1', 'command:3000'],
    ['PATCH', '/api/placements/1', 'command:3000'],
    ['DELETE', '/api/placements/1', 'command:3000'],
    ['OPTIONS', '/api/placements/1', 'command:3000'],
    ['POST', '/anything', 'command:3000'],
    ['GET', '/socket.io/', 'gateway:3000'],
    ['POST', '/socket.io/', 'gateway:3000'],
    ['GET', '/readyz', 'gateway:3000'],
    ['GET', '//campaigns', 'gateway:3000'],
    ['GET', '/', null],
    ['GET', '/campaigns/1', null],
    ['GET', '/assets/app-1.js', null],
    ['GET', '/apiary', null],
    ['GET', '/healthz', null],
    ['GET', '/metrics', null],
    ['GET', '//metrics', null],
    ['POST', '/metrics', null],
  ])('DEP-26 %s %s goes to %s', (method, path, expected) => {
    expect(upstream(method, path)).toBe(expected);
  });

  test('DEP-30 sends to the port that the services listen on', () => {
    for (const [method, name] of [
      ['GET', 'gateway'],
      ['POST', 'command'],
    ] as const)
      expect(upstream(method, '/api/x')).toBe(`${name}:${environmentOf(name)['PORT']}`);
  });

  test('DEP-27 serves health and metrics to nobody, the page for every other path', () => {
    if (site === undefined) throw new Error('No site');
    const words = (path: string) => answering(site, { method: 'GET', path })?.words;
    for (const path of ['/healthz', '/metrics', '//healthz'])
      expect(words(path)).toEqual(['respond', '@inside', '404']);
    for (const path of ['/', '/login', '/apiary', '/favicon.svg']) expect(words(path)).toEqual(['handle']);
    const page = answering(site, { method: 'GET', path: '/' })?.block.map((line) => line.words.join(' '));
    expect(page).toEqual([
      'import headers.caddy',
      'encode zstd gzip',
      'header Cache-Control no-cache',
      'try_files {path} /index.html',
      'file_server',
    ]);
    const assets = answering(site, { method: 'GET', path: '/assets/a.js' })?.block.map((line) => line.words.join(' '));
    expect(assets).toContain('header @built Cache-Control public, max-age=31536000, immutable');
    expect(assets).not.toContain('try_files {path} /index.html');
  });

  test('DEP-28 listens where the container is published, with and without a domain name', () => {
    expect(site?.words).toEqual(['http://:3000', '{$ZAKUP_SITE}']);
    const options = Object.fromEntries(caddyfile[0]?.block.map(({ words }) => [words[0], words[1]]) ?? []);
    expect(tls.services['web']?.ports).toEqual([`80:${options['http_port']}`, `443:${options['https_port']}`]);
    for (const name of ['init', ...ours, 'web'])
      expect(tls.services[name]?.environment?.['PUBLIC_URL']).toMatch(/^https:\/\/\$\{ZAKUP_SITE/u);
  });

  test('DEP-29 says what the services say when one of them is away', () => {
    const errors = site?.block.find(({ words }) => words[0] === 'handle_errors');
    const away = errors?.block.find(({ words }) => words.join(' ') === 'handle @away');
    const [, body = '', status] = away?.block.find(({ words }) => words[0] === 'respond')?.words ?? [];
    expect(status).toBe('503');
    expect(JSON.parse(body.replace(/^\\/u, ''))).toMatchObject({ success: false, code: 'UNAVAILABLE', status: 503 });
  });
});
