import { randomBytes } from 'node:crypto';
import { type ServerName, serversSaid, type TestServers, testServers } from './test-servers.ts';
import { startZakup, temporaryDataDir, type ZakupProcess } from './zakup-process.ts';
import { type ServiceName, startZakupServices, type ZakupServices } from './zakup-services.ts';

/** What can be killed: the single process, one of the three services, or a stand-in for a server. */
export type Part = 'zakup' | ServiceName | ServerName;

/** An installation with data of its own, which outlive its processes. */
export interface Installation {
  /** The one address that a browser has; the same after every start. */
  readonly address: string;
  readonly services: readonly Part[];
  /** Of each service by itself, in their order. */
  addresses(): readonly string[];
  /** Stand-ins in processes of their own; none where servers are real or embedded. */
  readonly standIns: readonly ServerName[];
  /** Starts every service that does not run, or the one part; resolves when it is ready. `env`: for services that never ran. */
  start(options?: { readonly part?: Part; readonly env?: Readonly<Record<string, string>> }): Promise<void>;
  /** `kill -9` of one part, or of all services. */
  kill(part?: Part): Promise<void>;
  /** `SIGTERM` to all services; resolves with their exit codes. */
  stop(): Promise<readonly (number | null)[]>;
  /** Everything that the services have printed. */
  output(): string;
  /** Where the stores lie, as settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ends everything; the data are gone where they were the test's own. */
  remove(): Promise<void>;
}

export interface Edition {
  /** For titles: says what stands for the servers. */
  readonly name: string;
  readonly isOneProcess: boolean;
  install(): Promise<Installation>;
  /** Ends what its installations share: stand-ins. */
  end(): Promise<void>;
}

const installedAsOne = async (): Promise<Installation> => {
  const folder = await temporaryDataDir();
  let zakup: ZakupProcess | null = null;
  let address = '';
  let output = '';
  const ended = (): void => {
    output += zakup?.output() ?? '';
    zakup = null;
  };
  return {
    get address() {
      return address;
    },
    services: ['zakup'],
    addresses: () => [address],
    standIns: [],
    settings: { DATA_DIR: folder.path },
    async start({ env = {} } = {}) {
      const port = address === '' ? 0 : Number(new URL(address).port);
      zakup = await startZakup({ dataDir: folder.path, port, env });
      ({ address } = zakup);
    },
    async kill() {
      await zakup?.kill();
      ended();
    },
    async stop() {
      const code = (await zakup?.stop()) ?? null;
      ended();
      return [code];
    },
    output: () => output + (zakup?.output() ?? ''),
    async remove() {
      await zakup?.kill();
      await folder.remove();
    },
  };
};

const installedAsThree = async (servers: TestServers): Promise<Installation> => {
  const namespace = `t${randomBytes(6).toString('hex')}`;
  const mongoDbUrl = servers.mongoDbUrl(`zakup_${namespace}`);
  const { eventStoreDbUrl, standIns } = servers;
  let services: ZakupServices | null = null;
  let address = '';
  let output = '';
  const running = (): ZakupServices => {
    if (services === null) throw new Error('No service was started');
    return services;
  };
  const standInOf = (part: Part) => (part === 'eventstoredb' || part === 'mongodb' ? standIns[part] : null);
  const serviceOf = (part: Part) => {
    if (part === 'command' || part === 'projector' || part === 'gateway') return running()[part];
    throw new Error(`There is no ${part} here`);
  };
  const killAll = async (): Promise<void> => {
    if (services === null) return;
    const { command, projector, gateway } = services;
    await Promise.all([command.kill(), projector.kill(), gateway.kill()]);
  };
  return {
    get address() {
      return address;
    },
    services: serviceNames,
    addresses: () => serviceNames.map((name) => running()[name].address),
    standIns: (['eventstoredb', 'mongodb'] as const).filter((name) => standIns[name] !== null),
    settings: {
      EVENTSTOREDB_URL: eventStoreDbUrl,
      MONGODB_URL: mongoDbUrl,
      EVENTSTOREDB_NAMESPACE: namespace,
    },
    async start({ part, env = {} } = {}) {
      if (part !== undefined) return (standInOf(part) ?? serviceOf(part)).start();
      if (services !== null) {
        const { command, projector, gateway } = services;
        await Promise.all([command, projector, gateway].filter(({ pid }) => pid === 0).map((one) => one.start()));
        return;
      }
      const port = address === '' ? 0 : Number(new URL(address).port);
      services = await startZakupServices({ eventStoreDbUrl, mongoDbUrl, namespace, env, proxyPort: port });
      ({ address } = services);
    },
    async kill(part) {
      if (part === undefined) await killAll();
      else await (standInOf(part) ?? serviceOf(part)).kill();
    },
    async stop() {
      const codes = await running().stop();
      output += running().output();
      services = null;
      return [codes.command, codes.projector, codes.gateway];
    },
    output: () => output + (services?.output() ?? ''),
    async remove() {
      await killAll();
      await services?.stop();
    },
  };
};

const serviceNames = ['command', 'projector', 'gateway'] as const satisfies readonly ServiceName[];

export const oneProcess: Edition = {
  name: 'one process on embedded stores',
  isOneProcess: true,
  install: installedAsOne,
  end: () => Promise.resolve(),
};

/** Each installation has a namespace and a database of its own, on servers that they share. */
export const threeProcesses = (): Edition => {
  let servers: Promise<TestServers> | undefined;
  return {
    name: `three processes on ${serversSaid}`,
    isOneProcess: false,
    async install() {
      servers ??= testServers();
      return installedAsThree(await servers);
    },
    async end() {
      const ended = servers;
      // The next file of this process begins with servers of its own.
      servers = undefined;
      await (await ended)?.close();
    },
  };
};

/** Both, for `describe.each`. */
export const editions: readonly Edition[] = [oneProcess, threeProcesses()];

/** Both, the second one in a deep run alone: for what is decided above the stores, and differs in nothing but how they are reached. */
export const editionsOfDeep: readonly Edition[] = editions.map((edition) =>
  edition.isOneProcess ? edition : { ...edition, name: `@deep ${edition.name}` },
);
