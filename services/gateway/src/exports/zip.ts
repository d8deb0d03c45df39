import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file within a zip; its content is asked for when its turn comes, and no faster than it is taken. */
export interface ZipEntry {
  readonly path: string;
  readonly content: () => AsyncIterable<string>;
}

const level = 6;

/** A zip of these files, made while it is read. `at`: the time that all of them bear. What a content throws ends the stream with that error. */
export const zipOf = (entries: readonly ZipEntry[], at: Date): Readable => {
  const zip = new ZipFile();
  const output = new PassThrough();
  const contents = new Set<Readable>();
  const fail = (error: unknown): void => void output.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  for (const { path, content } of entries) {
    zip.addReadStreamLazy(path, { mtime: at, compressionLevel: level }, (give) => {
      const stream = Readable.from(content(), { objectMode: false });
      contents.add(stream);
      stream.once('error', fail).once('close', () => contents.delete(stream));
      give(null, stream);
    });
  }
  zip.end();
  zip.outputStream.pipe(output);
  // Whoever goes away while it is made takes what is open with them.
  output.once('close', () => {
    for (const stream of contents) stream.destroy();
  });
  return output;
};
