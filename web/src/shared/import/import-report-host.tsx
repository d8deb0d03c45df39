import { failedDialog } from '../ui/failed-dialog.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { closeImportReport, useImportReport } from './import-report-opener.ts';

const ImportReportDialog = lazyPart(async () => (await import('./import-report-dialog.tsx')).ImportReportDialog, {
  failed: failedDialog,
});

/** What became of an import, where a notification leads to it. */
export const ImportReportHost = () => {
  const id = useImportReport();
  return id !== null && <ImportReportDialog key={id} id={id} onClose={closeImportReport} />;
};
