import { type BackOff, backOff } from '@zakup/async/back-off';
import { delay } from '@zakup/async/delay';
import type { Readiness } from './health.ts';
import type { Log } from './log.ts';
import { isUnavailable } from './problem-middleware.ts';
import { serverAddress, withoutSecrets } from './server-address.ts';

/** A server that a setting names. */
export interface NamedServer {
  /** Name of the setting, `MONGODB_URL`. */
  readonly setting: string;
  /** The connection string; its name and password are never shown. */
  readonly url: string;
}

/** A server answers, but what it says forbids a start; `cause` is the adapter's error. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused';
  readonly server: NamedServer;
  constructor(server: NamedServer, cause: unknown) {
    super(`${server.setting} (${serverAddress(server.url)}) cannot be used`, { cause });
    this.server = server;
  }
}

/** The process was told to stop before everything was open. */
export class StoppedOpening extends Error {
  override readonly name = 'StoppedOpening';
}

export interface OpeningOptions {
  readonly readiness: Readiness;
  readonly log: Log;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Waits between two tries; ends early when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Milliseconds that an adapter may try by itself before it says that its server is away. */
export const openWithin = 3_000;

const waits: BackOff = { first: 250, longest: 5_000 };

/**
 * Does what needs a server, as opening a store on it, for as long as it takes: while the server is away, readiness names it, and each try
 * is logged. Throws `ServerRefused` when trying again would not help, `StoppedOpening` when the signal aborts.
 */
export const opening =
  ({ readiness, log, signal, wait = delay }: OpeningOptions) =>
  async <Result>(server: NamedServer, work: () => Promise<Result>): Promise<Result> => {
    const { setting } = server;
    const host = serverAddress(server.url);
    readiness.hold(setting, `${setting}: жду ответа от ${host}`);
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        const result = await work();
        readiness.release(setting);
        return result;
      } catch (error) {
        if (!isUnavailable(error)) throw new ServerRefused(server, error);
        const milliseconds = backOff(waits, tries - 1);
        readiness.hold(setting, awayText(server));
        const reason = withoutSecrets(error instanceof Error ? error.message : String(error), server.url);
        log.warn({ setting, host, tries, milliseconds, reason }, `${setting}: ${host} does not answer, trying again`);
        await wait(milliseconds, signal);
      }
    }
    throw new StoppedOpening('Told to stop while opening the stores');
  };

/** What `/readyz` says of a server that is away. */
export const awayText = ({ setting, url }: NamedServer): string =>
  `${setting}: сервер ${serverAddress(url)} не отвечает`;
