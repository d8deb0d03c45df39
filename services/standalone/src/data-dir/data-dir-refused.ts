/** The data folder cannot be used; `message` is for the operator and names the file or folder. Nothing in it was changed. */
export class DataDirRefused extends Error {
  override readonly name = 'DataDirRefused';
  readonly path: string;
  constructor(path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
  }
}

/** Another process has it, which may be asked to do what was wanted. */
export class DataDirInUse extends DataDirRefused {}

/** The system's short name of an error (`EACCES`), else its message. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
