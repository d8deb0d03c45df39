import { keyedSerialQueue } from '@zakup/async/serial-queue';
import type { Problem } from '@zakup/contracts/problems';
import type { ImportQuery } from '@zakup/contracts/requests/import.requests';
import { messages } from '@zakup/domain/messages';
import type { Person } from '@zakup/domain/permissions';
import type { CommandDeps } from '../deps.ts';
import { importColumns } from './columns.ts';
import { readTable } from './file/read-table.ts';
import { mendedTable } from './mended-table.ts';
import { idsIn, type ImportPlan, mappingRefused, planImport } from './plan-import.ts';
import { modelsFollowed, readReferences } from './read-references.ts';
import type { UploadedFile } from './uploaded-file.ts';

interface Asked {
  readonly person: Person;
  readonly campaignId: string;
  readonly now: number;
}

export type JudgeFile = (file: UploadedFile, query: ImportQuery, asked: Asked) => Promise<ImportPlan | Problem>;

/** Judges one file of a licence at a time, however many it sends: a small one can unpack to seconds of work. */
export const judgeInTurn = (deps: CommandDeps): JudgeFile => {
  const inTurn = keyedSerialQueue();
  return (file, query, asked) => inTurn(asked.person.licence.id, () => judgeFile(deps, file, query, asked));
};

/** What the file would do, or why it cannot be read. */
const judgeFile = async (
  deps: CommandDeps,
  { bytes }: UploadedFile,
  { mapping = {} }: ImportQuery,
  asked: Asked,
): Promise<ImportPlan | Problem> => {
  const read = await readTable(bytes);
  if (read.kind === 'too_many_rows') return { code: 'TOO_LARGE', message: messages.importTooManyRows };
  if (read.kind === 'unsupported') return { code: 'UNSUPPORTED_FILE', message: messages.fileUnsupported };
  const table = mendedTable(read.table, mapping.cells);
  if (!(await modelsFollowed(deps)))
    return { code: 'UNAVAILABLE', message: messages.notCaughtUp, retryAfterSeconds: 1 };
  const references = await readReferences(deps, asked, idsIn(table, importColumns(table, mapping.columns)));
  return mappingRefused(mapping, references) ?? planImport(table, mapping, references);
};
