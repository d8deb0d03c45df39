import type { ReadStore } from '@zakup/read-store/read-store';
import { z } from 'zod';
import { BackupRefused } from '../backup/manifest.ts';

const markSchema = z.object({
  source: z.string(),
  position: z.int().min(0),
  begunAt: z.string(),
  doneAt: z.string().nullable(),
});

/** Which installation is moved, and how far it has come. Lies where the data goes, so that whoever goes on finds it there. */
export interface MigrationMark {
  /** Over everything in the log that is moved: another one has another. */
  readonly source: string;
  /** Every append of the source up to this position is on the server. */
  readonly position: number;
  readonly begunAt: string;
  /** Null = not yet done. */
  readonly doneAt: string | null;
}

export interface MigrationMarks {
  /** Throws `BackupRefused` where what is there says something else. */
  read(): Promise<MigrationMark | null>;
  write(mark: MigrationMark): Promise<void>;
}

export const markName = 'migration';

/** As a notice of the read models, which is of no content and stays when they are made anew. */
export const migrationMarks = (readStore: Pick<ReadStore, 'notice' | 'note'>): MigrationMarks => ({
  read: async () => {
    const found = await readStore.notice(markName);
    const mark = markSchema.nullable().safeParse(found);
    if (mark.success) return mark.data;
    throw new BackupRefused(
      `Отметка о переносе на серверах (notices, ${markName}) повреждена. Начните на пустых серверах.`,
      { cause: mark.error },
    );
  },
  write: (mark) => readStore.note(markName, { ...mark }),
});
