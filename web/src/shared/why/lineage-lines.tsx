import { Tick } from '@blueprintjs/icons';
import { dayOf, showInstant } from '@zakup/domain/calendar';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { useEffect } from 'react';
import { money } from '../campaign/figures.ts';
import { useDoc } from '../replica/replica-context.tsx';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/states.tsx';
import { type CountedLine, type LeftOutLine, movedBy, type PlacementLineage, useLineage } from './lineage.ts';
import { LastEvents, NoLines, Terms } from './lineage-parts.tsx';
import { PlacementLine, shortDay } from './placement-line.tsx';

const countedNote = ({ amount, leads }: CountedLine): string => {
  const empty = leads === 0 ? 'лидов пока нет' : '';
  return amount === null ? empty : [`+${formatRoublesExact(money(amount))}`, empty].filter(Boolean).join(', ');
};

/** A placement that does not count; what of it is no more is told by its name and the time. */
const LeftOut = ({ line }: { readonly line: LeftOutLine }) => {
  const placement = useDoc('placement', line.placementId);
  if (placement !== null) return <PlacementLine line={{ ...placement, name: line.name, note: line.reason }} />;
  return (
    <tr>
      <td>{line.at === null ? '' : shortDay(dayOf(line.at))}</td>
      <td>{line.name ?? '—'}</td>
      <td colSpan={4} className="z-why-note">
        {line.reason}
        {line.at !== null && ` ${showInstant(line.at)}`}
      </td>
    </tr>
  );
};

/** Terms with their source, counted and left-out placements, and the last events that moved the figure. */
export const LineageLines = ({
  about,
  onPosition,
  onLeave,
}: {
  readonly about: PlacementLineage;
  /** Called with the place in the log up to which everything is in the answer. */
  readonly onPosition: (position: number) => void;
  /** Called when the person follows a link. */
  readonly onLeave: () => void;
}) => {
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useLineage(about);
  const earnings = useDoc('earnings', about.figure === 'earnings' ? `${about.id}:${about.userId ?? ''}` : null);
  const first = data?.pages[0];
  const position = first?.position ?? null;
  useEffect(() => {
    if (position !== null) onPosition(position);
  }, [position, onPosition]);

  if (isPending) return <Skeleton rows={4} height={25} label="Загрузка расчёта" />;
  if (first === undefined) return <NoLines error={error} onRetry={() => void refetch()} />;

  const { terms, leftOut, counted: told } = first.data;
  const counted = data?.pages.flatMap((page) => page.data.counted.lines) ?? [];
  const complete = counted.length >= told.total;
  const sum = kopecks(counted.reduce((total, { price }) => total + money(price), 0));
  const zero = earnings?.zeroLeads;
  return (
    <>
      <Terms terms={terms} />
      {about.figure !== 'budget' && (
        <div className="z-why-lines">
          <h4 className="z-good">
            <Tick size={13} /> Засчитано {formatNumber(told.total)}
            {complete && told.total > 0 && <span className="z-why-sum">{formatRoublesExact(sum)}</span>}
          </h4>
          {counted.length > 0 && (
            <table aria-label="Засчитанные размещения">
              <tbody>
                {counted.map((line) => (
                  <PlacementLine key={line.placementId} line={{ ...line, name: null, note: countedNote(line) }} />
                ))}
              </tbody>
            </table>
          )}
          {hasNextPage && (
            <Button small look="plain" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {isFetchingNextPage ? 'Загрузка…' : `Показать ещё, осталось ${formatNumber(told.total - counted.length)}`}
            </Button>
          )}
          {leftOut.total > 0 && (
            <>
              <h4>Не засчитано {formatNumber(leftOut.total)}</h4>
              <table aria-label="Не засчитанные размещения">
                <tbody>
                  {leftOut.lines.map((line) => (
                    <LeftOut key={line.placementId} line={line} />
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
        {zero !== undefined && zero.count > 0 && (
          <p>
            Без лидов засчитано: {formatNumber(zero.count)} на {formatRoubles(money(zero.price))}
          </p>
        )}
        <LastEvents
          told={first.data}
          movedBy={(entry) => {
            const by = movedBy(about.figure, entry, counted);
            return by === null ? null : { by, unit: about.figure === 'leads' ? 'leads' : 'money' };
          }}
          journal={about.of === 'campaign' ? { campaign: about.id } : { entity: `contractor:${about.id}` }}
          onLeave={onLeave}
        />
      </div>
    </>
  );
};
