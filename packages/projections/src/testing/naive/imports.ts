import type { ImportDocument } from '@zakup/contracts/read-models';
import type { Step } from './entities.ts';

interface ToldImport {
  readonly licenceId: string;
  /** Until the next import of its campaign, and while it is being undone. */
  readonly inMe: boolean;
  readonly data: ImportDocument;
}

type Report = ImportDocument['report'];

const told = (report: Report): readonly unknown[] => (report['errors'] ?? []) as readonly unknown[];

/** Every import, as its events tell of it (FILE-9). */
export const importsOf = (steps: readonly Step[]): ReadonlyMap<string, ToldImport> => {
  const all = new Map<string, ToldImport>();
  for (const { one } of steps) {
    const { category, id, event, meta, position, revision } = one;
    if (category !== 'import') continue;
    const stamp = { id, revision, position, updatedAt: meta.at };
    if (event.type === 'ImportStarted') {
      const { campaignId, name, report, total, skipped, failed, parts, replaces } = event.data;
      const replaced = all.get(replaces ?? '');
      if (replaced !== undefined)
        all.set(replaced.data.id, {
          ...replaced,
          inMe: replaced.data.undo?.status === 'running',
          data: { ...replaced.data, replaced: true },
        });
      const begun = { campaignId, name, report, total, skipped, failed, parts, status: 'running' as const };
      const data = {
        ...begun,
        ...stamp,
        by: meta.actorId,
        createdAt: meta.at,
        code: null,
        added: 0,
        changed: 0,
        written: 0,
        undo: null,
        replaced: false,
        began: position,
      };
      all.set(id, { licenceId: meta.licenceId, inMe: true, data });
      continue;
    }
    const before = all.get(id);
    if (before === undefined) continue;
    const was = before.data;
    const becomes = (more: Partial<ImportDocument>): void => {
      const data = { ...was, ...stamp, ...more };
      all.set(id, { ...before, inMe: !data.replaced || data.undo?.status === 'running', data });
    };
    if (event.type === 'ImportRowsWritten') {
      const { part, added, changed, skipped, failed, errors } = event.data;
      const report = {
        ...was.report,
        errors: [...told(was.report), ...errors].slice(0, 500),
        errorCount: Number(was.report['errorCount'] ?? 0) + errors.length,
      };
      becomes({
        added: was.added + added,
        changed: was.changed + changed,
        skipped: was.skipped + skipped,
        failed: was.failed + failed,
        written: part + 1,
        ...(errors.length > 0 && { report: report as Report }),
      });
    } else if (event.type === 'ImportUndoStarted') {
      const { reason, ...begun } = event.data;
      const counts = { undone: 0, back: 0, kept: 0 };
      const said = reason ?? null;
      becomes({ undo: { ...begun, ...counts, reason: said, by: meta.actorId, status: 'running', code: null } });
    } else if (event.type === 'ImportPartUndone' && was.undo !== null) {
      const { part, back, kept } = event.data;
      const { undo } = was;
      const status = part + 1 === undo.parts ? 'done' : 'running';
      becomes({ undo: { ...undo, undone: part + 1, back: undo.back + back, kept: undo.kept + kept, status } });
    } else if (event.type === 'ImportUndoFailed' && was.undo !== null) {
      becomes({ undo: { ...was.undo, status: 'failed', code: event.data.code } });
    } else if (event.type === 'ImportFailed') {
      becomes({ status: 'failed', code: event.data.code, failed: was.failed + event.data.failed });
    } else {
      const status = { ImportFinished: 'done', ImportCancelled: 'cancelled' } as const;
      becomes(event.type in status ? { status: status[event.type as keyof typeof status] } : {});
    }
  }
  return all;
};
