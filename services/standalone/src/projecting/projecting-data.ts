import type { StoreFiles } from '../data-dir/store-files.ts';

/** What the thread that projects is started with. */
export interface ProjectingData {
  readonly files: StoreFiles;
  /** As `ProjectorSettings`. */
  readonly sealKey: string;
  readonly witness: string | null;
  /** As `ProjectorSurroundings`. */
  readonly tellsSteps: boolean;
}
