import type { Entity } from '../decider.ts';
import type { ImportEvent, ImportLaneEvent, RowError, StoredReport } from './events.ts';
import type { Import, ImportLane } from './state.ts';

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

/** Folds an import. What its rows say is not part of its state: whoever writes them reads them where they are staged. */
export const importEntity: Entity<Import, ImportEvent> = {
  category: 'import',

  evolve(state, event, { actorId }) {
    if (event.type === 'ImportStarted') {
      const { replaces: _, ...begun } = event.data;
      return { ...begun, by: actorId, status: 'running', code: null, added: 0, changed: 0, written: 0 };
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
    }
  },

  changedFields: () => [],
  fields: () => ({}),
};

/** Folds which import of a campaign began last. */
export const importLaneEntity: Entity<ImportLane, ImportLaneEvent> = {
  category: 'importlane',
  evolve: (_, { data: { importId } }) => ({ importId }),
  changedFields: () => [],
  fields: () => ({}),
};
