import type { Entity } from '../decider.ts';
import type { ImportEvent, ImportLaneEvent, RowError, StoredReport } from './events.ts';
import type { Import, ImportLane, ImportUndo } from './state.ts';

/** Errors that a report tells one by one. */
const mostErrors = 500;

const withErrors = (report: StoredReport, errors: readonly RowError[]): StoredReport => {
  const told = (report['errors'] ?? []) as readonly RowError[];
  return {
    ...report,
    errors: [...told, ...errors].slice(0, mostErrors),
    errorCount: Number(report['errorCount'] ?? 0) + errors.length,
  };
};

const afterUndo = (
  undo: ImportUndo,
  event: Extract<ImportEvent, { type: 'ImportPartUndone' | 'ImportUndoFailed' }>,
): ImportUndo => {
  if (event.type === 'ImportUndoFailed') return { ...undo, status: 'failed', code: event.data.code };
  const { part, back, kept } = event.data;
  const undone = part + 1;
  return {
    ...undo,
    undone,
    back: undo.back + back,
    kept: undo.kept + kept,
    status: undone === undo.parts ? 'done' : 'running',
  };
};

/** Folds an import. What its rows say is not part of its state: whoever writes them reads them where they are staged. */
export const importEntity: Entity<Import, ImportEvent> = {
  category: 'import',

  evolve(state, event, { actorId }) {
    if (event.type === 'ImportStarted') {
      const { replaces: _, ...begun } = event.data;
      return { ...begun, by: actorId, status: 'running', code: null, added: 0, changed: 0, written: 0, undo: null };
    }
    if (state === null) throw new Error(`${event.type} before ImportStarted`);
    switch (event.type) {
      case 'ImportRowsStaged':
        return state;
      case 'ImportRowsWritten': {
        const { part, added, changed, skipped, failed, errors } = event.data;
        return {
          ...state,
          added: state.added + added,
          changed: state.changed + changed,
          skipped: state.skipped + skipped,
          failed: state.failed + failed,
          report: errors.length === 0 ? state.report : withErrors(state.report, errors),
          written: part + 1,
        };
      }
      case 'ImportFinished':
        return { ...state, status: 'done' };
      case 'ImportFailed':
        return { ...state, status: 'failed', code: event.data.code, failed: state.failed + event.data.failed };
      case 'ImportCancelled':
        return { ...state, status: 'cancelled' };
      case 'ImportUndoStarted': {
        const { reason = null, ...begun } = event.data;
        const undo = {
          ...begun,
          by: actorId,
          reason,
          status: 'running',
          code: null,
          undone: 0,
          back: 0,
          kept: 0,
        } as const;
        return { ...state, undo };
      }
      case 'ImportPartUndone':
      case 'ImportUndoFailed':
        if (state.undo === null) throw new Error(`${event.type} before ImportUndoStarted`);
        return { ...state, undo: afterUndo(state.undo, event) };
    }
  },

  changedFields: () => [],
  fields: () => ({}),
};

/** Folds which import of a campaign began last. */
export const importLaneEntity: Entity<ImportLane, ImportLaneEvent> = {
  category: 'importlane',
  evolve: (_, { data: { importId, undoing = [] } }) => ({ importId, undoing }),
  changedFields: () => [],
  fields: () => ({}),
};
