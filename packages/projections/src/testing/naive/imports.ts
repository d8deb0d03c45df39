import type { ImportDocument } from '@zakup/contracts/read-models';
import type { Step } from './entities.ts';

interface ToldImport {
  readonly licenceId: string;
  /** Until the next import of its campaign. */
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
      if (replaced !== undefined) all.set(replaced.data.id, { ...replaced, inMe: false });
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
      };
      all.set(id, { licenceId: meta.licenceId, inMe: true, data });
      continue;
    }
    const before = all.get(id);
    if (before === undefined) continue;
    const was = before.data;
    const becomes = (more: Partial<ImportDocument>): void => {
      all.set(id, { ...before, data: { ...was, ...stamp, ...more } });
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
    } else if (event.type === 'ImportFailed') {
      becomes({ status: 'failed', code: event.data.code, failed: was.failed + event.data.failed });
    } else {
      const status = { ImportFinished: 'done', ImportCancelled: 'cancelled' } as const;
      becomes(event.type in status ? { status: status[event.type as keyof typeof status] } : {});
    }
  }
  return all;
};
