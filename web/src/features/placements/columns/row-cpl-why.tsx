import { explainCostPerLead } from '@zakup/domain/analytics/cpl';
import { showDateWithYear } from '@zakup/domain/calendar';
import { money } from '../../../shared/money/roubles.ts';
import { WhyDialog } from '../../../shared/explanations/explanation-dialog.tsx';
import { CplMark, rowKind } from './placement-marks.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';

/** Why the cost per lead of a row is what it is: its price, its leads, and who set them. */
export const RowCplWhy = ({ row, onClose }: { readonly row: PlacementRow; readonly onClose: () => void }) => {
  const { id, nick, placement, decided } = row;
  return (
    <WhyDialog
      explained={{
        label: `CPL размещения ${nick}, ${showDateWithYear(placement.date)}`,
        value: <CplMark price={decided.price} leads={decided.leads} />,
        formula: explainCostPerLead(money(decided.price), decided.leads).formula,
        about: { of: 'campaign', id: placement.campaignId, figure: 'cpl', placementId: id },
        lines: null,
        kind: rowKind(row),
      }}
      onClose={onClose}
    />
  );
};
