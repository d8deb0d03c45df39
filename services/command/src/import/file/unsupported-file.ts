/** The file is no table that can be read: of another kind, broken, encrypted, or it unpacks to too much (IMP-1830). Caught by `readTable`. */
export class UnsupportedFile extends Error {
  override readonly name = 'UnsupportedFile';
}

/** More rows than an import takes. Caught by `readTable`. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}
