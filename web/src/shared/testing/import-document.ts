import type { ImportWire } from '@zakup/contracts/imports';

/** An import that ended, as the scope `me` brings it. */
export const importDocument = (over: Partial<ImportWire> = {}): ImportWire => ({
  id: 'i1',
  revision: 1,
  createdAt: '2026-11-21T11:00:00.000Z',
  updatedAt: '2026-11-21T11:00:00.000Z',
  campaignId: 'c',
  name: 'закуп.csv',
  by: 'me',
  status: 'done',
  code: null,
  total: 1200,
  done: 1200,
  added: 1190,
  changed: 10,
  skipped: 0,
  failed: 0,
  report: {
    rows: 1200,
    columns: [],
    encoding: 'utf-8',
    separator: ';',
    dateOrder: 'dmy',
    willAdd: 1190,
    willChange: 10,
    willSkip: 0,
    errors: [],
    errorCount: 0,
    newContractors: 0,
    duplicates: [],
  },
  position: 9,
  ...over,
});

/** How far its undo has come. */
export const undoOfImport = (over: Partial<NonNullable<ImportWire['undo']>> = {}): NonNullable<ImportWire['undo']> => ({
  commandId: 'u1',
  by: 'me',
  restores: false,
  status: 'running',
  code: null,
  total: 1200,
  done: 250,
  kept: 0,
  ...over,
});
