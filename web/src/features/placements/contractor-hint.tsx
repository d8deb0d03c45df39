import { Chart } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/entities';
import { showCpl } from '@zakup/domain/analytics/cpl';
import { showDate } from '@zakup/domain/calendar';
import { fromRoubles, kopecks } from '@zakup/domain/money';
import { plural } from '@zakup/domain/russian';
import { useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { roubles } from './placement-commands.ts';

/** What is known of a contractor while a price is agreed; nothing to analyse for an unknown one. */
export const ContractorHint = ({ contractor }: { readonly contractor: ContractorWire | null }) => {
  const [open, setOpen] = useState(false);
  const known = contractor !== null && contractor.totalPlacements > 0;
  return (
    <span className="z-contractor-hint">
      <Button
        small
        look="plain"
        icon={<Chart size={13} />}
        disabled={!known}
        title={known ? undefined : 'Нет данных для анализа'}
        aria-expanded={known && open}
        onClick={() => setOpen(!open)}
      >
        {known ? 'Анализ контрагента' : 'Нет данных для анализа'}
      </Button>
      {known && open && (
        <span>
          {contractor.totalPlacements} {plural(contractor.totalPlacements, 'размещение', 'размещения', 'размещений')} ·
          средняя цена {roubles(contractor.averagePlacementPrice)} · CPL{' '}
          {showCpl(fromRoubles(contractor.totalSpent) ?? kopecks(0), contractor.totalLeads)}
          {contractor.lastUsed !== null && ` · последнее ${showDate(contractor.lastUsed)}`}
        </span>
      )}
    </span>
  );
};
