import { stat } from 'node:fs/promises';
import { storeFiles } from './store-files.ts';

/** Bytes of a store on disk, with what SQLite has written beside it and not yet into it; null = there is no such file. */
const bytesOf = async (file: string): Promise<number | null> => {
  const size = (path: string): Promise<number | null> =>
    stat(path).then(
      (found) => found.size,
      () => null,
    );
  const [own, beside] = await Promise.all([size(file), size(`${file}-wal`)]);
  return own === null ? null : own + (beside ?? 0);
};

/** Bytes on disk of those stores that are embedded in a data folder; files of others may lie there from an earlier time. */
export const storeBytes = async (
  dir: string,
  embedded: { readonly events: boolean; readonly readModels: boolean },
): Promise<{ readonly events?: number; readonly readModels?: number }> => {
  const files = storeFiles(dir);
  const [events, readModels] = await Promise.all([
    embedded.events ? bytesOf(files.events) : null,
    embedded.readModels ? bytesOf(files.readModels) : null,
  ]);
  return { ...(events !== null && { events }), ...(readModels !== null && { readModels }) };
};
