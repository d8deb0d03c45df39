import { formatRoubles } from '@zakup/domain/money';
import { formatLeads } from '@zakup/domain/russian';
import { CreativeTypeIcon } from '../../shared/campaign/creative-type-icon.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Collapsible } from './collapsible.tsx';
import type { CreativeFigures } from '../../shared/campaign/figures.ts';
import { useExpanded } from './use-expanded.ts';

/** How each creative of the campaign does. */
export const CreativeCards = ({
  creatives,
  without,
}: {
  readonly creatives: readonly CreativeFigures[];
  /** Placements without a creative. */
  readonly without: number;
}) => {
  const [expanded, toggle] = useExpanded('creativeAnalyticsExpanded');
  if (creatives.length === 0 && without === 0) return null;
  return (
    <Collapsible
      title="Креативы"
      count={creatives.length}
      expanded={expanded}
      onToggle={toggle}
      aside={without > 0 && `Без креатива: ${without}`}
    >
      <ul className="z-creatives">
        {creatives.map((creative) => (
          <li key={creative.id} className="z-panel z-creative">
            <div className="z-creative-name">
              <CreativeTypeIcon type={creative.type} />
              <b>{creative.name}</b>
              <span className={creative.tone === null ? 'z-quiet' : `z-${creative.tone}`}>{creative.efficiency}</span>
            </div>
            <Meter
              value={creative.width}
              tone={creative.tone ?? 'neutral'}
              label={`Эффективность: ${creative.name}`}
              text={creative.efficiency}
            />
            <div className="z-secondary">
              {creative.placements} разм. · {creative.leads === 0 ? 'лидов пока нет' : formatLeads(creative.leads)}
            </div>
            <div className="z-creative-foot">
              <span>{formatRoubles(creative.spent)}</span>
              <span>
                CPL{' '}
                <b className={creative.cpl.tone === null ? 'z-quiet' : `z-${creative.cpl.tone}`}>{creative.cpl.text}</b>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Collapsible>
  );
};
