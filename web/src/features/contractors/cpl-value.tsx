import { cplClass, cplClassLabels, costPerLead } from '@zakup/domain/analytics/cpl';
import { formatRoublesExact, type Kopecks } from '@zakup/domain/money';
import { cplTones } from './contractor-figures.ts';

const signs = { good: '▼', middle: '◆', bad: '▲' } as const;

/** Cost per lead with colour and sign; a dash without leads. */
export const CplValue = ({ spent, leads }: { readonly spent: Kopecks; readonly leads: number }) => {
  const rank = cplClass(spent, leads);
  if (rank === 'none')
    return (
      <span className="z-quiet" title={cplClassLabels.none}>
        —
      </span>
    );
  return (
    <span className={`z-cpl z-${cplTones[rank] ?? 'quiet'}`}>
      {formatRoublesExact(costPerLead(spent, leads))}{' '}
      <span className="z-cpl-sign" aria-hidden="true">
        {signs[rank]}
      </span>
      <span className="z-visually-hidden">{cplClassLabels[rank]}</span>
    </span>
  );
};
