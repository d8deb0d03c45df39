import { Tick } from '@blueprintjs/icons';
import { showInstant } from '@zakup/domain/calendar';
import { formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { campaignStatusLabels } from '@zakup/domain/topics';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { money } from '../campaign/figures.ts';
import type { Filters } from '../history/journal-address.ts';
import { Skeleton } from '../ui/states.tsx';
import { type LicenceLineage, useLicenceLineage } from './lineage.ts';
import { LastEvents, NoLines, Terms } from './lineage-parts.tsx';

const journals: Readonly<Record<LicenceLineage['figure'], Filters>> = {
  campaigns: {},
  activeCampaigns: { field: 'status' },
  channels: {},
  budgets: { field: 'totalBudget' },
  leadValue: { field: 'leadValue' },
};

/** Of a figure over all campaigns: the campaigns or channels that count, those that do not, and the last events that moved it. */
export const LicenceLines = ({
  about,
  onPosition,
  onLeave,
}: {
  readonly about: LicenceLineage;
  /** Called with the place in the log up to which everything is in the answer. */
  readonly onPosition: (position: number) => void;
  /** Called when the person follows a link. */
  readonly onLeave: () => void;
}) => {
  const { data, error, isPending, refetch } = useLicenceLineage(about);
  const position = data?.position ?? null;
  useEffect(() => {
    if (position !== null) onPosition(position);
  }, [position, onPosition]);
  if (isPending) return <Skeleton rows={4} height={25} label="Загрузка расчёта" />;
  if (data === undefined) return <NoLines error={error} onRetry={() => void refetch()} />;

  const { terms, counted, leftOut } = data.data;
  const sum = kopecks(counted.lines.reduce((total, { amount }) => total + money(amount ?? 0), 0));
  const isWhole = counted.lines.length === counted.total;
  return (
    <>
      <Terms terms={terms} />
      {about.figure !== 'leadValue' && (
        <div className="z-why-lines">
          <h4 className="z-good">
            <Tick size={13} /> Засчитано {formatNumber(counted.total)}
            {about.figure === 'budgets' && isWhole && counted.total > 0 && (
              <span className="z-why-sum">{formatRoublesExact(sum)}</span>
            )}
          </h4>
          {counted.lines.length > 0 && (
            <table className="z-why-things" aria-label="Засчитано">
              <tbody>
                {counted.lines.map(({ kind, id, name, status, amount }) => (
                  <tr key={id}>
                    <th scope="row">
                      {kind === 'campaign' ? (
                        <Link className="z-link" to={`/dashboard?campaign=${encodeURIComponent(id)}`} onClick={onLeave}>
                          {name}
                        </Link>
                      ) : (
                        name
                      )}
                    </th>
                    <td>{status === null ? '' : campaignStatusLabels[status]}</td>
                    <td className="z-right">{amount === null ? '' : formatRoublesExact(money(amount))}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {!isWhole && <p className="z-quiet">Показаны первые {formatNumber(counted.lines.length)}</p>}
          {leftOut.total > 0 && (
            <>
              <h4>Не засчитано {formatNumber(leftOut.total)}</h4>
              <table className="z-why-things" aria-label="Не засчитано">
                <tbody>
                  {leftOut.lines.map(({ id, name, reason, at }) => (
                    <tr key={id}>
                      <th scope="row">{name}</th>
                      <td className="z-why-note" colSpan={2}>
                        {reason}
                        {at !== null && ` ${showInstant(at)}`}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {leftOut.lines.length < leftOut.total && (
                <p className="z-quiet">Показаны первые {formatNumber(leftOut.lines.length)}</p>
              )}
            </>
          )}
        </div>
      )}
      <div className="z-why-foot">
        <LastEvents told={data.data} journal={journals[about.figure]} onLeave={onLeave} />
      </div>
    </>
  );
};
