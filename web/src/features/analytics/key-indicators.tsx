import type { Figure as FigureName, FigureOperands } from '@zakup/domain/analytics/figures';
import { indicators } from '@zakup/domain/analytics/indicators';
import { formatRoubles } from '@zakup/domain/money';
import { may } from '@zakup/domain/permissions';
import { formatNumber } from '@zakup/domain/russian';
import { Link } from 'react-router-dom';
import { CampaignFigure } from '../../shared/explanations/campaign-figure.tsx';
import { useAsker } from '../../shared/live/use-may.ts';
import { Figure } from '../../shared/explanations/figure.tsx';

/** What a campaign comes to for each placement, buyer and creative, and what a lead is worth in its ROI. */
export const KeyIndicators = ({
  campaignId,
  operands,
}: {
  readonly campaignId: string;
  readonly operands: FigureOperands;
}) => {
  const asker = useAsker();
  const key = indicators(operands);
  const rows: readonly (readonly [title: string, figure: FigureName, shown: string])[] = [
    ['Лидов на размещение', 'leadsPerPlacement', formatNumber(key.leadsPerPlacement)],
    ['Размещений на байера', 'placementsPerBuyer', formatNumber(key.placementsPerBuyer)],
    ['Бюджет на креатив', 'budgetPerCreative', formatRoubles(key.budgetPerCreative)],
  ];
  return (
    <dl className="z-panel z-indicators" aria-label="Ключевые показатели">
      {rows.map(([title, figure, shown]) => (
        <div key={figure}>
          <dt>{title}</dt>
          <dd>
            <CampaignFigure campaignId={campaignId} figure={figure} operands={operands}>
              {shown}
            </CampaignFigure>
          </dd>
        </div>
      ))}
      <div>
        <dt>
          Лид стоит{' '}
          <Figure
            label="Цена лида"
            formula="параметр лицензии: по нему считается ROI"
            about={{ of: 'license', figure: 'leadValue' }}
          >
            {formatRoubles(operands.leadValue)}
          </Figure>{' '}
          в ROI
        </dt>
        {asker !== null && may(asker, 'licence.settings').allowed && (
          <dd>
            <Link className="z-link" to="/settings?tab=parameters">
              изменить
            </Link>
          </dd>
        )}
      </div>
    </dl>
  );
};
