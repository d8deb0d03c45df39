import { Key } from '@blueprintjs/icons';
import { closeLicence, openLicence, useLicenceOpen } from '../../shared/licence/licence-opener.ts';
import { OnlyNow } from '../../shared/moment/now-word.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { failedDialog } from '../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import './licence-host.css';

const LicenceModal = lazyPart(async () => (await import('./licence-modal.tsx')).LicenceModal, {
  failed: failedDialog,
});

/** «Лицензия» of the top bar, and what it opens. On a phone the menu of the person opens it instead. */
export const LicenceHost = () => {
  const open = useLicenceOpen();
  return (
    <>
      <OnlyNow>
        <Button
          look="plain"
          className="z-licence-button"
          icon={<Key size={14} />}
          aria-haspopup="dialog"
          onClick={openLicence}
        >
          Лицензия
        </Button>
      </OnlyNow>
      {open && <LicenceModal onClose={closeLicence} />}
    </>
  );
};
