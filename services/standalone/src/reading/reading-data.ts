import type { LogLevel } from '@zakup/service-kit/log';
import type { StoreFiles } from '../data-dir/store-files.ts';

/** What the thread that reads is started with. */
export interface ReadingData {
  readonly files: Pick<StoreFiles, 'events' | 'readModels' | 'seals'>;
  /** 32 bytes. */
  readonly accessCodesKey: Uint8Array;
  readonly logLevel: LogLevel;
}
