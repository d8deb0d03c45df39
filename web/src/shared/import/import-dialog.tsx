import { Dialog } from '../ui/dialog.tsx';
import { ImportPanel } from './import-panel.tsx';

/** A file on its way into a campaign, over the screen where it was let fall. What is being written goes on without the dialog. */
export const ImportDialog = ({
  campaignId,
  file,
  onClose,
}: {
  readonly campaignId: string;
  readonly file: File;
  readonly onClose: () => void;
}) => (
  <Dialog title="Размещения из файла" width={880} closeOnOutsideClick={false} onClose={onClose}>
    <ImportPanel key={`${campaignId} ${file.name} ${file.lastModified}`} campaignId={campaignId} first={file} />
  </Dialog>
);
