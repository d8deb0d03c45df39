import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Puts a folder's entries on disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Puts a file's content on disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** After it resolves the file holds exactly `text`, also after a power cut; before, what it held earlier. Mode 0600. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}
