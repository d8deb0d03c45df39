/**
 * Why a file cannot be used: its content does not fit itself; it is shorter than it says; it belongs to something else; a newer program
 * wrote it; the system does not let it be opened or written; the disk is full; somebody else holds it; anything else the engine says.
 */
export type FileFault = 'damaged' | 'cut_off' | 'foreign' | 'newer' | 'inaccessible' | 'full' | 'busy' | 'other';

/** A file of a store cannot be used; the message names it. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
  readonly file: string;
  readonly fault: FileFault;
  readonly reason: string;
  constructor(file: string, fault: FileFault, reason: string, options?: ErrorOptions) {
    super(`${file}: ${reason}`, options);
    this.file = file;
    this.fault = fault;
    this.reason = reason;
  }
}

/** SQLite's primary result codes. */
const faultOfCode: Readonly<Record<number, FileFault>> = {
  3: 'inaccessible',
  5: 'busy',
  6: 'busy',
  8: 'inaccessible',
  11: 'damaged',
  13: 'full',
  14: 'inaccessible',
  26: 'damaged',
};
const faultOfSystemCode: Readonly<Record<string, FileFault>> = {
  EACCES: 'inaccessible',
  EPERM: 'inaccessible',
  EROFS: 'inaccessible',
  ENOENT: 'inaccessible',
  EISDIR: 'inaccessible',
  ENOSPC: 'full',
};

const faultOf = (error: unknown): FileFault => {
  if (!(error instanceof Error)) return 'other';
  if ('errcode' in error && typeof error.errcode === 'number') return faultOfCode[error.errcode & 0xff] ?? 'other';
  return 'code' in error && typeof error.code === 'string' ? (faultOfSystemCode[error.code] ?? 'other') : 'other';
};

/** What the engine or the system threw about a file, with the file's name. */
export const unusableFile = (file: string, error: unknown): UnusableFile =>
  error instanceof UnusableFile
    ? error
    : new UnusableFile(file, faultOf(error), error instanceof Error ? error.message : String(error), { cause: error });
