import { promisify } from 'node:util';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';

const opened = promisify((bytes: Buffer, done: (error: Error | null, zip: ZipFile) => void) =>
  fromBuffer(bytes, { lazyEntries: true }, done),
);

const contentOf = (zip: ZipFile, entry: Entry): Promise<string> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(error);
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.once('error', reject).once('end', () => resolve(Buffer.concat(parts).toString()));
    });
  });

/** The texts of a zip by their paths, in the order of its directory; throws when its sums are wrong. */
export const unzipped = async (bytes: Buffer): Promise<ReadonlyMap<string, string>> => {
  const zip = await opened(bytes);
  return new Promise((resolve, reject) => {
    const files = new Map<string, string>();
    zip.once('error', reject).once('end', () => resolve(files));
    const take = async (entry: Entry): Promise<void> => {
      files.set(entry.fileName, await contentOf(zip, entry));
      zip.readEntry();
    };
    zip.on('entry', (entry: Entry) => void take(entry).catch(reject));
    zip.readEntry();
  });
};
