import { Chart } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { useId, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { ContractorDeals, type ContractorDealsProps } from './contractor-deals.tsx';

/** What is known of a contractor while a price is agreed; nothing to analyse for an unknown one. */
export const ContractorHint = ({
  contractor,
  ...deal
}: Omit<ContractorDealsProps, 'contractor'> & { readonly contractor: ContractorWire | null }) => {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const known = contractor !== null && contractor.totalPlacements > 0;
  return (
    <div className="z-contractor-hint">
      <Button
        small
        look="plain"
        icon={<Chart size={13} />}
        disabled={!known}
        aria-expanded={known && open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        {known ? 'Анализ контрагента' : 'Нет данных для анализа'}
      </Button>
      <div id={panel} className="z-contractor-deals" hidden={!known || !open}>
        {known && open && <ContractorDeals key={contractor.id} contractor={contractor} {...deal} />}
      </div>
    </div>
  );
};
