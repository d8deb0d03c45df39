import { type ChannelSize, channelSizeLabels } from '@zakup/domain/analytics/channel-size';
import { explainFigure, figureTitles } from '@zakup/domain/analytics/figures';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { efficiencyFigure } from '../../shared/campaign/figures.ts';
import { operandsOf } from '../../shared/campaign/operands.ts';
import { money, roubles } from '../../shared/money/roubles.ts';
import { Figure } from '../../shared/explanations/figure.tsx';
import type { CreativeLineage } from '../../shared/explanations/lineage.ts';

/** Sums as the wire has them: roubles. */
export interface Sums {
  readonly spent: number;
  readonly leads: number;
  readonly placements: number;
}

/** Written out only when it is asked for: a list has eight of them a row. */
const Formula = ({ figure, sums }: { readonly figure: CreativeLineage['figure']; readonly sums: Sums }) =>
  explainFigure(figure, operandsOf({ ...sums, spent: money(sums.spent) }, { creatives: 1 })).formula;

/** What a creative brought, altogether or in channels of one size; it explains itself. */
export const CreativeFigure = ({
  creative: { id, name },
  sums,
  figure,
  size,
  children = shownFigure(figure, sums),
}: {
  readonly creative: { readonly id: string; readonly name: string };
  readonly sums: Sums;
  readonly figure: CreativeLineage['figure'];
  readonly size?: ChannelSize;
  readonly children?: ReactNode;
}) => (
  <Figure
    label={`${figureTitles[figure]}, ${name}${size === undefined ? '' : `, ${channelSizeLabels[size]}`}`}
    formula={<Formula figure={figure} sums={sums} />}
    about={{ of: 'creative', id, figure, ...(size !== undefined && { size }) }}
  >
    {children}
  </Figure>
);

function shownFigure(figure: CreativeLineage['figure'], { spent, leads, placements }: Sums): ReactNode {
  if (figure === 'spent') return roubles(spent);
  if (figure === 'cpl') return <CplValue spent={money(spent)} leads={leads} />;
  return formatNumber(figure === 'leads' ? leads : placements);
}

/** «Отлично», «Хорошо», «Средне»; without colour before the first lead, as it says nothing yet. */
export const CreativeClass = ({ sums: { spent, leads } }: { readonly sums: Sums }) => {
  const { efficiency, tone } = efficiencyFigure(money(spent), leads);
  return (
    <span className={tone === null ? 'z-quiet' : `z-${tone}`} title={tone === null ? 'лидов пока нет' : undefined}>
      {efficiency}
    </span>
  );
};
