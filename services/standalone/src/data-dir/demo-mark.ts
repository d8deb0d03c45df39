import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storedHead } from '@zakup/event-store/sqlite/log-file';
import { z } from 'zod';
import { DataDirRefused } from './data-dir-refused.ts';
import { writeDurably } from './durable-file.ts';
import { storeFiles } from './store-files.ts';

/** What a start takes a data folder for; `either`: for what it is. */
export type FolderUse = 'ordinary' | 'demo' | 'either';

const markSchema = z.object({
  /** The story that is told, and by which version of its telling. */
  version: z.int(),
  seed: z.int(),
  lastDay: z.string(),
  /** Days of it that are in the log. */
  told: z.int().min(0),
  whole: z.boolean(),
});
/** Tells that a folder holds a demo, and how far it is made. */
export type DemoMark = z.infer<typeof markSchema>;

export const demoMarkFileName = 'demo.json';

const fileOf = (dir: string): string => join(dir, demoMarkFileName);

/** The mark of a folder; null = it holds no demo. Throws `DataDirRefused` for a damaged one. */
export const readDemoMark = async (dir: string): Promise<DemoMark | null> => {
  const file = fileOf(dir);
  if (!existsSync(file)) return null;
  try {
    return markSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new DataDirRefused(file, `Файл ${file} повреждён. Удалите папку ${dir}: демо соберётся заново.`, {
      cause: error,
    });
  }
};

export const writeDemoMark = (dir: string, mark: DemoMark): Promise<void> =>
  writeDurably(fileOf(dir), `${JSON.stringify(mark)}\n`);

/** Refuses a demo, whose passwords everybody knows, where an ordinary start is meant, and an ordinary folder where a demo is. */
export const refuseOtherUse = (dir: string, use: FolderUse): void => {
  const isDemo = existsSync(fileOf(dir));
  if (use === 'ordinary' && isDemo) {
    throw new DataDirRefused(
      fileOf(dir),
      `В папке ${dir} демо-данные с общеизвестными паролями. Запустите их через npm run demo или задайте другую DATA_DIR.`,
    );
  }
  const { events } = storeFiles(dir);
  if (use === 'demo' && !isDemo && existsSync(events) && storedHead(events) > 0) {
    throw new DataDirRefused(
      events,
      `В папке ${dir} уже есть обычные данные. Для демо нужна своя папка: задайте другую DATA_DIR.`,
    );
  }
};
