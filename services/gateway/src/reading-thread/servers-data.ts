import type { LogLevel } from '@zakup/service-kit/log';
import type { NamedServer } from '@zakup/service-kit/opening';

/** What the thread that reads on servers is started with. */
export interface ServersReadingData {
  readonly eventStore: NamedServer;
  /** Read models and seals. */
  readonly readStore: NamedServer;
  readonly eventStoreDbNamespace: string | null;
  /** 32 bytes. */
  readonly accessCodesKey: Uint8Array;
  readonly logLevel: LogLevel;
}
