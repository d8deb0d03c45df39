import { Tick } from '@blueprintjs/icons';
import type { CampaignWire } from '@zakup/contracts/wire-entities';
import { campaignStatusLabels } from '@zakup/domain/topics';
import { Chip } from '../ui/chip.tsx';

/** A campaign's status in a word; the active one has a dot. */
export const StatusChip = ({ status }: Pick<CampaignWire, 'status'>) => {
  const label = campaignStatusLabels[status];
  switch (status) {
    case 'ACTIVE':
      return (
        <Chip tone="good" dot>
          {label}
        </Chip>
      );
    case 'COMPLETED':
      return <Chip icon={<Tick size={12} />}>{label}</Chip>;
    case 'DRAFT':
      return <Chip>{label}</Chip>;
  }
};
