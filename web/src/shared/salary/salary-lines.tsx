import type { SalaryRowWire } from '@zakup/contracts/calls/replies';
import { showDateWithYear } from '@zakup/domain/calendar';
import { formatNumber, plural } from '@zakup/domain/russian';
import { exactRoubles, roubles } from '../money/roubles.ts';
import { Fitted } from '../ui/fitted.tsx';
import { type PlacementFigureName, PlacementFigure } from '../explanations/placement-figure.tsx';

export type SalaryLine = SalaryRowWire['counted'][number] & { readonly reason?: string };

/** `3 размещения`. */
export const placementsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'размещение', 'размещения', 'размещений')}`;

/** Placements that count for a bonus, or that do not and why; `explained`: each figure opens its lineage. */
export const SalaryLineTable = ({
  title,
  lines,
  total,
  explained = false,
}: {
  readonly title: string;
  readonly lines: readonly SalaryLine[];
  /** Of all lines, also of those that are not loaded. */
  readonly total: SalaryRowWire['countedTotal'];
  readonly explained?: boolean;
}) => (
  <section>
    <h3>
      {title}: {placementsText(total.count)} на {roubles(total.price)}
    </h3>
    {lines.length > 0 && (
      <div className="z-table-scroll">
        <table className="z-table z-salary-lines" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Дата</th>
              <th scope="col">Кампания</th>
              <th scope="col" className="z-right">
                Цена
              </th>
              <th scope="col" className="z-right">
                Приход
              </th>
              <th scope="col" className="z-right">
                CPL
              </th>
              {lines[0]?.reason !== undefined && <th scope="col">Почему нет</th>}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => {
              const { placementId, date, campaignName, price, leads, costPerLead, reason } = line;
              const why = (figure: PlacementFigureName, shown: string) =>
                explained ? (
                  <PlacementFigure placement={line} figure={figure}>
                    {shown}
                  </PlacementFigure>
                ) : (
                  <Fitted>{shown}</Fitted>
                );
              return (
                <tr key={placementId}>
                  <td>{showDateWithYear(date)}</td>
                  <td className="z-table-name">{campaignName}</td>
                  <td className="z-right" data-label="Цена">
                    {why('spent', roubles(price))}
                  </td>
                  <td className="z-right" data-label="Приход">
                    {why('leads', formatNumber(leads))}
                  </td>
                  <td className="z-right" data-label="CPL">
                    {leads === 0 ? '—' : why('cpl', exactRoubles(costPerLead))}
                  </td>
                  {reason !== undefined && <td data-label="Почему нет">{reason}</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    )}
  </section>
);
