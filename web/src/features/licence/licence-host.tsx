import { Key } from '@blueprintjs/icons';
import { lazy, Suspense } from 'react';
import { closeLicence, openLicence, useLicenceOpen } from '../../shared/licence/licence-opener.ts';
import { Button } from '../../shared/ui/button.tsx';
import './licence-host.css';

const LicenceModal = lazy(async () => ({ default: (await import('./licence-modal.tsx')).LicenceModal }));

/** «Лицензия» of the top bar, and what it opens. On a phone the menu of the person opens it instead. */
export const LicenceHost = () => {
  const open = useLicenceOpen();
  return (
    <>
      <Button
        look="plain"
        className="z-licence-button"
        icon={<Key size={14} />}
        aria-haspopup="dialog"
        onClick={openLicence}
      >
        Лицензия
      </Button>
      {open && (
        <Suspense fallback={null}>
          <LicenceModal onClose={closeLicence} />
        </Suspense>
      )}
    </>
  );
};
