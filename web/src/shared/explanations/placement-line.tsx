import { showShortDate } from '../day/shown-day.ts';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { cplFigure, money } from '../campaign/figures.ts';
import { useDoc } from '../replica/replica-context.tsx';

/** What is told of one placement. */
export interface ToldPlacement {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly contractorId: string | null;
  /** Where the contractor is not known any more. */
  readonly name: string | null;
  /** Roubles. */
  readonly price: number;
  readonly leads: number;
  readonly note: string;
}

/** One placement: when, with whom, for how much, how many leads, at what a lead. */
export const PlacementLine = ({
  line: { date, contractorId, name, price, leads, note },
}: {
  readonly line: ToldPlacement;
}) => {
  const contractor = useDoc('contractor', contractorId);
  const spent = money(price);
  const cpl = cplFigure(spent, leads, kopecks(leads === 0 ? 0 : Math.round(spent / leads)));
  return (
    <tr>
      <td>{showShortDate(date)}</td>
      <td>{contractor?.adminUsername ?? name ?? '—'}</td>
      <td className="z-right">{formatRoubles(spent)}</td>
      <td className="z-right">{leads === 0 ? '—' : formatNumber(leads)}</td>
      <td className="z-right">
        <span className={cpl.tone === null ? 'z-quiet' : `z-${cpl.tone}`}>
          {cpl.text} <span aria-hidden="true">{cpl.sign}</span>
        </span>
      </td>
      <td className="z-why-note">{note}</td>
    </tr>
  );
};
