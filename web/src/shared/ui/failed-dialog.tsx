import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { failedHint, failedTitle } from './error-boundary.tsx';

/** Stands in the place of a dialog that crashed or did not come. */
export const FailedDialog = ({ onRetry, onClose }: { readonly onRetry: () => void; readonly onClose: () => void }) => (
  <Dialog
    title={failedTitle}
    onClose={onClose}
    footer={
      <Button look="primary" onClick={onRetry}>
        Повторить
      </Button>
    }
  >
    {failedHint}
  </Dialog>
);

/** For `lazyPart`: the dialog that says so is closed as the one that was wanted. */
export const failedDialog = (onRetry: () => void, { onClose }: { readonly onClose: () => void }) => (
  <FailedDialog onRetry={onRetry} onClose={onClose} />
);
