import type { EventEmitter } from 'node:events';
import { type ReadConfigOptions, readConfig, type SettingName } from './config.ts';
import { derivedKey } from './derived-key.ts';
import { jsonLog } from './log.ts';
import type { NamedServer } from './opening.ts';
import { printable } from './printable.ts';
import { refusalText, type Teller } from './refusal-text.ts';
import type { Service, ServiceStart } from './service.ts';
import type { ServiceName } from './service-names.ts';

/** The part of `process` that a main needs. */
export interface MainProcess extends EventEmitter {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  exit(code: number): unknown;
}

export interface MainOptions extends Pick<ReadConfigOptions, 'edition' | 'needs'> {
  readonly process: MainProcess;
  /** What is printed before why it does not start. */
  readonly refusal: string;
  /** Bound to every line of the log. */
  readonly service?: string;
  /** Tell about errors of the process's own stores. */
  readonly tellers?: readonly Teller[];
  /** Resolves when all that may forbid the start is over; `print` writes a line for the operator. */
  readonly start: (start: ServiceStart, print: (text: string) => void) => Promise<void>;
}

/** Reads the settings and starts: whatever forbids it is told in one place, and the process ends with 1. */
export const runMain = async ({
  process,
  edition,
  needs = [],
  refusal,
  service,
  tellers,
  start,
}: MainOptions): Promise<void> => {
  const print = (text: string): void => void process.stdout.write(`${printable(text)}\n`);
  const refuse = (lines: readonly string[]): void => {
    process.stderr.write(`${refusal}\n${lines.map((line) => `  ${printable(line)}`).join('\n')}\n`);
    process.exit(1);
  };

  const checked = readConfig(process.env, { needs, ...(edition === undefined ? {} : { edition }) });
  if (checked.kind === 'invalid') return refuse(checked.problems);
  const { config, warnings } = checked;
  for (const warning of warnings) print(warning);
  const log = jsonLog({ level: config.logLevel, bindings: service === undefined ? {} : { service } });
  const exit = (code: number): void => void process.exit(code);
  try {
    await start({ config, log, signals: process, exit }, print);
  } catch (error) {
    refuse([refusalText(error, config.port, tellers)]);
  }
};

/** What a separate service always has. */
export interface ServiceServers {
  /** `EVENTSTOREDB_URL`. */
  readonly events: NamedServer;
  /** `MONGODB_URL`: read models, leases and credentials. */
  readonly documents: NamedServer;
  readonly jwtSecret: string;
  /** Empty for a service that does not need it. */
  readonly sealKey: string;
  /** 32 bytes. */
  readonly accessCodesKey: Uint8Array;
  /** 32 bytes. */
  readonly credentialsKey: Uint8Array;
  /** Writes a line for the operator. */
  readonly print: (text: string) => void;
}

/** The main of a service in a process of its own. */
export const runServiceMain = ({
  process,
  service,
  needs = [],
  start,
}: {
  readonly process: MainProcess;
  readonly service: ServiceName;
  /** Settings that only this service needs. */
  readonly needs?: readonly SettingName[];
  readonly start: (start: ServiceStart, servers: ServiceServers) => Promise<Service>;
}): Promise<void> =>
  runMain({
    process,
    edition: 'service',
    needs,
    service,
    refusal: `Zakup ${service} не запущен.`,
    async start(given, print) {
      const { eventStoreDbUrl, mongoDbUrl, jwtSecret, sealKey, accessCodesKey, credentialsKey } = given.config;
      if (eventStoreDbUrl === null || mongoDbUrl === null || jwtSecret === null)
        throw new Error('The settings of a service were not checked');
      const { address, opened, ready } = await start(given, {
        events: { setting: 'EVENTSTOREDB_URL', url: eventStoreDbUrl },
        documents: { setting: 'MONGODB_URL', url: mongoDbUrl },
        jwtSecret,
        sealKey: sealKey ?? '',
        accessCodesKey: accessCodesKey ?? derivedKey(jwtSecret, 'access codes'),
        credentialsKey: credentialsKey ?? derivedKey(jwtSecret, 'credentials'),
        print,
      });
      print(`Zakup ${service} слушает: ${address}`);
      await opened;
      await ready;
      print(`Zakup ${service} готов: ${address}`);
    },
  });
