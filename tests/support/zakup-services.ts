import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programPath } from './built-programs.ts';
import { startProxy } from './edition-proxy.ts';
import { adminLogin, adminPassword } from './zakup-process.ts';

export type ServiceName = 'command' | 'projector' | 'gateway';
const names: readonly ServiceName[] = ['command', 'projector', 'gateway'];

/** Shared by the three, as in every installation. */
export const jwtSecret = 'a-secret-of-tests-that-is-long-enough';
/** 32 bytes. */
export const sealKey = Buffer.alloc(32, 7).toString('base64url');

/** One service in a process of its own; it keeps its port when it is started again. */
export interface ServiceProcess {
  /** `http://127.0.0.1:<port>`. */
  readonly address: string;
  /** Of the process that runs now; 0 when none does. */
  readonly pid: number;
  /** Milliseconds from the start of the process to `/readyz` 200, of the last start. */
  readonly readyAfter: number;
  /** Everything printed so far, by all its processes. */
  output(): string;
  /** `SIGKILL`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** `SIGTERM`; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves when the present process has said that it is ready. */
  ready(): Promise<void>;
  /** After `kill` or `stop`: starts it again; resolves when it is ready, or with `ready: false` when it listens. */
  start(until?: { readonly ready: boolean }): Promise<void>;
}

export interface ZakupServices {
  /** Of the proxy before them: the one address that a browser would have. */
  readonly address: string;
  readonly command: ServiceProcess;
  readonly projector: ServiceProcess;
  readonly gateway: ServiceProcess;
  /** Milliseconds until all three were ready. */
  readonly readyAfter: number;
  /** Everything that the three have printed. */
  output(): string;
  /** Stops all three with `SIGTERM`, and the proxy; resolves with the exit codes. */
  stop(): Promise<Readonly<Record<ServiceName, number | null>>>;
}

export interface StartServicesOptions {
  readonly eventStoreDbUrl: string;
  readonly mongoDbUrl: string;
  readonly namespace?: string;
  /** For all three. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the built web app, served by the proxy. */
  readonly webDist?: string;
  /** Port of the proxy; default: a free one. */
  readonly proxyPort?: number;
  /** Default: until all three are ready; `listen`: as soon as all listen. */
  readonly until?: 'ready' | 'listen';
}

const gone = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
};

/** Starts one service and waits until it listens; `ready` waits for `/readyz`. */
const serviceProcess = async (name: ServiceName, env: Readonly<Record<string, string>>): Promise<ServiceProcess> => {
  let child: ChildProcess | null = null;
  let output = '';
  /** Where in the output the present process began. */
  let from = 0;
  let address = '';
  let began = 0;
  let readyAfter = 0;

  /** What the pattern catches in the present process' output, once it is there. */
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const of = child;
      if (of === null) throw new Error(`${name} does not run`);
      const look = (): void => {
        const found = pattern.exec(output.slice(from))?.[1];
        if (found !== undefined) resolve(found);
      };
      of.stdout?.on('data', look);
      of.once('exit', (code) => reject(new Error(`${name} ended with ${code} before ${String(pattern)}:\n${output}`)));
      look();
    });

  const launch = async (port: string): Promise<void> => {
    const program = await programPath(name);
    began = performance.now();
    from = output.length;
    child = spawn(process.execPath, [program], {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...env, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    address = await said(/слушает: (http:\/\/\S+)/u);
  };

  const ready = async (): Promise<void> => {
    await said(/готов: (http:\/\/\S+)/u);
    const { status } = await fetch(`${address}/readyz`);
    if (status !== 200) throw new Error(`${name} says that it is ready, /readyz answers ${status}`);
    readyAfter = performance.now() - began;
  };

  const ended = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    const of = child;
    child = null;
    if (of === null) return null;
    of.kill(signal);
    return gone(of);
  };

  await launch('0');
  return {
    get address() {
      return address;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    get readyAfter() {
      return readyAfter;
    },
    output: () => output,
    ready,
    async kill() {
      await ended('SIGKILL');
    },
    stop: () => ended('SIGTERM'),
    async start(until = { ready: true }) {
      if (child !== null) throw new Error(`${name} runs`);
      await launch(new URL(address).port);
      if (until.ready) await ready();
    },
  };
};

const settingsOf = ({ eventStoreDbUrl, mongoDbUrl, namespace, env }: StartServicesOptions) => ({
  EVENTSTOREDB_URL: eventStoreDbUrl,
  MONGODB_URL: mongoDbUrl,
  JWT_SECRET: jwtSecret,
  SEAL_KEY: sealKey,
  ADMIN_LOGIN: adminLogin,
  ADMIN_PASSWORD: adminPassword,
  TRUST_PROXY: '1',
  ...(namespace === undefined ? {} : { EVENTSTOREDB_NAMESPACE: namespace }),
  ...env,
});

/** Starts command, projector and gateway in processes of their own on the given servers, with the proxy before them. */
export const startZakupServices = async (options: StartServicesOptions): Promise<ZakupServices> => {
  const began = performance.now();
  const settings = settingsOf(options);
  const started = await Promise.allSettled(names.map((name) => serviceProcess(name, settings)));
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stopAll = () => Promise.all(running.map((one) => one.kill()));
  const [command, projector, gateway] = running;
  const failure: unknown = started.find((one) => one.status === 'rejected')?.reason;
  if (command === undefined || projector === undefined || gateway === undefined) {
    await stopAll();
    throw failure;
  }
  try {
    if (options.until !== 'listen') await Promise.all(running.map((one) => one.ready()));
  } catch (error) {
    await stopAll();
    throw error;
  }
  const readyAfter = performance.now() - began;
  const proxy = await startProxy({
    command: command.address,
    gateway: gateway.address,
    ...(options.webDist === undefined ? {} : { webDist: options.webDist }),
    ...(options.proxyPort === undefined ? {} : { port: options.proxyPort }),
  });
  return {
    address: proxy.address,
    command,
    projector,
    gateway,
    readyAfter,
    output: () => running.map((one) => one.output()).join('\n'),
    async stop() {
      const codes = await Promise.all([command.stop(), projector.stop(), gateway.stop()]);
      await proxy.close();
      return { command: codes[0], projector: codes[1], gateway: codes[2] };
    },
  };
};

/** Milliseconds that a refusal may take, however busy the machine. */
const refusalPatience = 120_000;

/** Starts one service where it must refuse: its exit code and what it printed; null when it still ran after 25 s and was killed. */
export const refusedService = async (
  name: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(process.execPath, [await programPath(name)], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const timer = setTimeout(() => child.kill('SIGKILL'), refusalPatience);
  // What it printed last may come behind its end.
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, output };
};
