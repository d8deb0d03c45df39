import { createHash } from 'node:crypto';

/** Files of 20 MB and more are too large. */
export const mostBytes = 20 * 1024 * 1024 - 1;

/** A file as the body of a request: what it is known again by is its content. */
export interface UploadedFile {
  readonly bytes: Buffer;
  /** What the request's hash is made of. */
  readonly toJSON: () => object;
}

export const uploadedFile = (bytes: Buffer): UploadedFile => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, toJSON: () => ({ sha256 }) };
};
