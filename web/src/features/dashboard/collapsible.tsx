import { formatNumber } from '@zakup/domain/russian';
import { ChevronDown, ChevronRight } from '@blueprintjs/icons';
import { type ReactNode, useId } from 'react';

/** A block with a heading that opens and closes it; what stands at the right stays in sight. */
export const Collapsible = ({
  title,
  count,
  aside,
  expanded,
  onToggle,
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly aside?: ReactNode;
  readonly expanded: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className="z-collapsible">
      <div className="z-collapsible-head">
        <h2>
          <button type="button" aria-expanded={expanded} aria-controls={id} onClick={onToggle}>
            {expanded ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
            {title} <span className="z-quiet">{formatNumber(count)}</span>
          </button>
        </h2>
        <div className="z-secondary z-fits">{aside}</div>
      </div>
      <div id={id} hidden={!expanded}>
        {expanded && children}
      </div>
    </section>
  );
};
