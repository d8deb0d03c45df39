import { Tick } from '@blueprintjs/icons';
import { Told } from '../toasts/told.tsx';

/** That a form was saved, beside the button that did it. */
export const SavedNote = ({ children }: { readonly children: string }) => (
  <span className="z-saved-note">
    <Tick size={14} />
    <Told>{children}</Told>
  </span>
);
