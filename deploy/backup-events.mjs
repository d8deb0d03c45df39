// Copies the files of KurrentDB (EventStoreDB) while it runs, in the order in which they may be copied, and puts them back:
//   node backup-events.mjs <database folder> <new folder>
//   node backup-events.mjs --restore <copy> <empty folder>
// Order: checkpoints of the index, the index, checkpoints of the log, the log. Each file tells of nothing that those after it lack.
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

const checkpoint = /\.chk$/u;

/** In which turn a file is copied; `path` from the database's folder. */
export const turnOf = (path) => {
  const isIndex = path.startsWith(`index${sep}`);
  if (isIndex) return checkpoint.test(path) ? 0 : 1;
  return checkpoint.test(path) ? 2 : 3;
};

/** Every file below a folder, in the order in which they are to be copied. */
export const inOrder = (paths) => paths.toSorted((a, b) => turnOf(a) - turnOf(b) || (a < b ? -1 : 1));

const filesIn = async (folder) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('lost+found'));

const put = async (from, to) => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  const file = await open(to, 'r+');
  await file.sync();
  await file.close();
};

const copyAll = async (from, to) => {
  for (let turn = 0; turn < 4; turn += 1)
    // Asked anew in each turn: chunks are added meanwhile.
    for (const path of inOrder(await filesIn(from)).filter((one) => turnOf(one) === turn))
      await put(join(from, path), join(to, path));
};

/** Copies to a folder that gets its name when everything is there. Throws, and leaves none, when a file goes meanwhile: then once more. */
export const backupEvents = async (from, to) => {
  if (!(await filesIn(from)).includes('writer.chk')) throw new Error(`В ${from} нет журнала KurrentDB (writer.chk)`);
  await mkdir(dirname(to), { recursive: true });
  if ((await readdir(dirname(to))).includes(to.slice(dirname(to).length + 1))) throw new Error(`${to} уже есть`);
  const draft = `${to}.partial`;
  await rm(draft, { recursive: true, force: true });
  try {
    await copyAll(from, draft);
    await rename(draft, to);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
};

/** Puts a copy into an empty folder of a server that is stopped: what stands behind the chaser's checkpoint is cut off at its start. */
export const restoreEvents = async (from, to) => {
  if (!(await filesIn(from)).includes('chaser.chk')) throw new Error(`В ${from} нет целой копии журнала (chaser.chk)`);
  await mkdir(to, { recursive: true, mode: 0o700 });
  if ((await filesIn(to)).length > 0) throw new Error(`${to} не пуста`);
  await copyAll(from, to);
  await put(join(from, 'chaser.chk'), join(to, 'truncate.chk'));
};

const [, script, ...words] = process.argv;
if (script?.endsWith('backup-events.mjs')) {
  const restores = words[0] === '--restore';
  const [from, to] = restores ? words.slice(1) : words;
  try {
    if (from === undefined || to === undefined) throw new Error('Нужны две папки: откуда и куда');
    await (restores ? restoreEvents : backupEvents)(from, to);
    console.log(restores ? `Журнал возвращён в ${to}` : `Журнал скопирован в ${to}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
