import { type RefObject, useEffect, useState } from 'react';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';

const ImportDialog = lazyPart(async () => (await import('../../../shared/import/import-dialog.tsx')).ImportDialog, {
  failed: failedDialog,
});

/** Brings in a file that is let fall on `place`. */
export const FileDrop = ({
  place,
  campaignId,
}: {
  readonly place: RefObject<HTMLElement | null>;
  readonly campaignId: string;
}) => {
  const [file, setFile] = useState<File | null>(null);
  useEffect(() => {
    const target = place.current;
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      const dropped = event.dataTransfer?.files[0];
      if (dropped === undefined) return;
      event.preventDefault();
      setFile(dropped);
    };
    target?.addEventListener('dragover', over);
    target?.addEventListener('drop', drop);
    return () => {
      target?.removeEventListener('dragover', over);
      target?.removeEventListener('drop', drop);
    };
  }, [place]);
  return file && <ImportDialog campaignId={campaignId} file={file} onClose={() => setFile(null)} />;
};
