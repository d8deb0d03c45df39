import { EventEmitter } from 'node:events';
import { type Config, readConfig } from '../config.ts';
import { jsonLog, type Log } from '../log.ts';
import type { ServiceStart } from '../service.ts';

export interface TestStart extends ServiceStart {
  /** Lines of the log. */
  readonly logged: readonly string[];
  /** Resolves with the code when the process would exit. */
  readonly exited: Promise<number>;
}

/** What a service is started with in a test: a free port, a log that is kept, signals and exit that reach nobody else. */
export const testStart = (env: Readonly<Record<string, string>> = {}): TestStart => {
  const checked = readConfig({ PORT: '0', ADMIN_PASSWORD: 'admin-password', ...env });
  if (checked.kind === 'invalid') throw new Error(checked.problems.join('\n'));
  const config: Config = checked.config;
  const logged: string[] = [];
  const log: Log = jsonLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
  let exit: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    exit = resolve;
  });
  return { config, log, logged, signals: new EventEmitter(), exit: (code) => exit(code), exited };
};
