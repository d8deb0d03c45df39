import { explainFigure, type Figure as FigureName } from '@zakup/domain/analytics/figures';
import { formatRoubles } from '@zakup/domain/money';
import { formatLeads, formatNumber } from '@zakup/domain/russian';
import { CreativeTypeIcon } from '../../shared/campaign/creative-type-icon.tsx';
import { operandsOf } from '../../shared/campaign/operands.ts';
import { KindMark } from '../../shared/explanations/figure-kind.tsx';
import { Figure } from '../../shared/explanations/figure.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Collapsible } from './collapsible.tsx';
import type { CreativeFigures } from '../../shared/campaign/figures.ts';
import { useExpanded } from './use-expanded.ts';

/** How each creative of the campaign does. */
export const CreativeCards = ({
  campaignId,
  creatives,
  without,
}: {
  readonly campaignId: string;
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
      aside={without > 0 && <KindMark campaignId={campaignId}>Без креатива: {formatNumber(without)}</KindMark>}
    >
      <ul className="z-creative-cards">
        {creatives.map((creative) => {
          const why = (figure: FigureName, title: string) => ({
            label: `${title}, ${creative.name}`,
            formula: explainFigure(figure, operandsOf(creative, { creatives: 1 })).formula,
            about: { of: 'campaign', id: campaignId, figure, creativeId: creative.id } as const,
          });
          return (
            <li key={creative.id} className="z-panel z-creative">
              <div className="z-creative-head">
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
                <Figure {...why('placements', 'Размещения')}>{formatNumber(creative.placements)} разм.</Figure>
                {' · '}
                {creative.leads === 0 ? (
                  'лидов пока нет'
                ) : (
                  <Figure {...why('leads', 'Приход')}>{formatLeads(creative.leads)}</Figure>
                )}
              </div>
              <div className="z-creative-foot z-fits">
                <span>
                  <Figure {...why('spent', 'Потрачено')}>{formatRoubles(creative.spent)}</Figure>
                </span>
                <span>
                  CPL{' '}
                  <b className={creative.cpl.tone === null ? 'z-quiet' : `z-${creative.cpl.tone}`}>
                    <Figure {...why('cpl', 'CPL')}>{creative.cpl.text}</Figure>
                  </b>
                </span>
              </div>
            </li>
          );
        })}
      </ul>
    </Collapsible>
  );
};
