import { Dialog } from '../ui/dialog.tsx';
import { type Explained, Explanation, whyTitle } from './explanation.tsx';

/** «Почему эта цифра?» of a figure in a row, opened for the whole list by one dialog. */
export const WhyDialog = ({ explained, onClose }: { readonly explained: Explained; readonly onClose: () => void }) => (
  <Dialog title={whyTitle} width={620} onClose={onClose}>
    <div className="z-why-body">
      <Explanation explained={explained} renderHead={(asOf) => asOf} onLeave={onClose} />
    </div>
  </Dialog>
);
