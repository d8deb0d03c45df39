import { ChevronDown, ChevronRight } from '@blueprintjs/icons';
import type { GroupLine } from '../../../shared/table/grid-groups.ts';

/** The line over the cards of a group, which opens and closes it. */
export const CardGroupHeading = ({ line: { label, said, isOpen, toggle } }: { readonly line: GroupLine }) => (
  <button type="button" className="z-card-group" aria-expanded={isOpen} onClick={toggle}>
    {isOpen ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
    <span>
      <b>{label}</b>
      <span className="z-secondary">{said}</span>
    </span>
  </button>
);
