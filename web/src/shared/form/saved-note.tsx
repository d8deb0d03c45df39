import { Tick } from '@blueprintjs/icons';
import { LiveRegion } from '../toasts/live-region.tsx';

/** That a form was saved, beside the button that did it. */
export const SavedNote = ({ children }: { readonly children: string }) => (
  <span className="z-saved-note">
    <Tick size={14} />
    <LiveRegion>{children}</LiveRegion>
  </span>
);
