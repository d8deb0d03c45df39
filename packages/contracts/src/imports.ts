import type { ImportUndo } from '@zakup/domain/import/state';
import { messages } from '@zakup/domain/messages';
import { z } from 'zod';
import { revisionSchema, positionSchema } from './position.ts';
import type { ImportDocument } from './read-models.ts';

/** Fields that a column of an imported file may hold. */
export const importFields = [
  'id',
  'date',
  'contractor',
  'price',
  'leads',
  'creative',
  'category',
  'format',
  'buyer',
  'paymentStatus',
  'status',
  'comment',
  'postUrl',
] as const;
export type ImportField = (typeof importFields)[number];

const invalid = { error: messages.importMappingInvalid };

/** Characters of a text that stands in the place of a cell. */
export const longestMendedCell = 1_000;

/** `mapping` of an import. What is absent is guessed, and the report tells what was. */
export const importMapping = z.object(
  {
    /** By the column's index from 0; `null` = nothing of it is taken. */
    columns: z
      .record(z.string().regex(/^\d{1,4}$/u, invalid), z.enum(importFields, invalid).nullable(), invalid)
      .optional(),
    /** Of dates such as `03/04/2026`, which alone can be read in two ways. */
    dateOrder: z.enum(['dmy', 'mdy', 'ymd'], invalid).optional(),
    onDuplicate: z.enum(['skip', 'add'], invalid).optional(),
    /** Whose a row is whose buyer is empty or unknown; `fail`: it is a bad row. */
    onUnknownBuyer: z.enum(['me', 'fail'], invalid).optional(),
    /** Texts in the place of what stands in the file, by the row (from 1 below the heading) and the column's index. */
    cells: z
      .record(
        z.string().regex(/^\d{1,7}$/u, invalid),
        z.record(z.string().regex(/^\d{1,3}$/u, invalid), z.string(invalid).max(longestMendedCell, invalid), invalid),
        invalid,
      )
      .optional(),
  },
  invalid,
);
export type ImportMapping = z.output<typeof importMapping>;

const count = z.int();

/** What an import finds in a file. */
export const importReportSchema = z.object({
  rows: count,
  columns: z.array(
    z.object({
      index: count,
      header: z.string(),
      field: z.enum(importFields).nullable(),
      /** Some cells of it that are not empty. */
      samples: z.array(z.string()),
    }),
  ),
  /** `null` of a workbook. */
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1251']).nullable(),
  separator: z.enum([';', ',', '\t']).nullable(),
  dateOrder: z.enum(['dmy', 'mdy', 'ymd', 'ambiguous']),
  willAdd: count,
  willChange: count,
  /** Duplicates, and rows that would change nothing. */
  willSkip: count,
  /** The first 500; `row` counts from 1 below the heading, `column` is an index from 0, `null` where there is no such column. */
  errors: z.array(
    z.object({
      row: count,
      column: count.nullable(),
      field: z.enum(importFields).nullable(),
      text: z.string(),
      detail: z.string(),
    }),
  ),
  errorCount: count,
  newContractors: count,
  duplicates: z.array(z.object({ row: count, placementId: z.string() })),
  /** What is known of contractors whom rows name that would be written; of a dry run alone. */
  contractors: z
    .object({
      /** Those who are there already; of the first 100 of them it is looked up who bought. */
      known: count,
      /** Rows that name somebody on the black list. */
      blackListedRows: count,
      /** Rows of whose contractor somebody else has bought than their buyer. */
      boughtByAnotherRows: count,
      /** Of whom one or the other is so, in the order of the file, the first 200. */
      noted: z.array(
        z.object({
          contractorId: z.string(),
          nick: z.string(),
          /** Rows that name them. */
          rows: count,
          /** Why they are on the black list; `null` = they are not. */
          blackListed: z.string().nullable(),
          /** The newest placement there of another one than the buyer of so many rows. `date` is a day, `YYYY-MM-DD`. */
          boughtByAnother: z.array(z.object({ buyerId: z.string(), date: z.string(), rows: count })),
        }),
      ),
    })
    .exactOptional(),
});
export type ImportReport = z.infer<typeof importReportSchema>;
export type ImportRowError = ImportReport['errors'][number];

/** Known contractors of whom a report looks up who bought. */
export const mostBuyersLookedUp = 100;
/** Contractors that a report notes one by one. */
export const mostNotedContractors = 200;
/** Errors that a report tells one by one. */
export const mostImportErrors = 500;

/** An import as replies and the scope `me` carry it. */
export const importSchema = z.object({
  id: z.string(),
  revision: revisionSchema,
  createdAt: z.string(),
  updatedAt: z.string(),
  campaignId: z.string(),
  /** Of the file. */
  name: z.string(),
  /** Id of whoever imports. */
  by: z.string(),
  status: z.enum(['running', 'done', 'cancelled', 'failed']),
  /** Why the rest was not written, where it failed. */
  code: z.string().nullable(),
  total: count,
  /** Rows of which it is known what became of them. */
  done: count,
  added: count,
  changed: count,
  skipped: count,
  failed: count,
  report: importReportSchema,
  /** Once it was undone: how far that has come. */
  undo: z
    .object({
      /** Of the undo: what is undone in turn to bring it all again. */
      commandId: z.string(),
      /** Id of whoever undoes. */
      by: z.string(),
      /** What an earlier undo took back comes again. */
      restores: z.boolean(),
      status: z.enum(['running', 'done', 'failed']),
      /** Why the rest was not undone, where it failed. */
      code: z.string().nullable(),
      /** Placements; those of which it is known what became of them, and those among them that stay as they are. */
      total: count,
      done: count,
      kept: count,
    })
    .exactOptional(),
  /** Of its last event, once it has ended, and its undo has. */
  position: positionSchema.nullable(),
});
export type ImportWire = z.infer<typeof importSchema>;

const presentUndo = ({
  commandId,
  by,
  restores,
  status,
  code,
  placements,
  back,
  kept,
}: ImportUndo): ImportWire['undo'] & object => ({
  commandId,
  by,
  restores,
  status,
  code,
  total: placements,
  done: back + kept,
  kept,
});

/** Documents of an earlier version have no `undo`. */
type Presentable = Omit<ImportDocument, 'began' | 'replaced' | 'undo'> & { readonly undo?: ImportUndo | null };

export const presentImport = (row: Presentable): ImportWire => {
  const { id, revision, createdAt, updatedAt, campaignId, name, by, status, code } = row;
  const { total, added, changed, skipped, failed, report, position, undo = null } = row;
  return {
    id,
    revision,
    createdAt,
    updatedAt,
    campaignId,
    name,
    by,
    status,
    code,
    total,
    done: added + changed + skipped + failed,
    added,
    changed,
    skipped,
    failed,
    report: report as unknown as ImportReport,
    ...(undo !== null && { undo: presentUndo(undo) }),
    position: status === 'running' || undo?.status === 'running' ? null : position,
  };
};
