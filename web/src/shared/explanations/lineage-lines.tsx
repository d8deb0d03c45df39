import { Tick } from '@blueprintjs/icons';
import { dayOf } from '@zakup/domain/calendar';
import { showInstant } from '../day/shown-day.ts';
import { formatRoubles, formatRoublesExact } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { type ReactNode, useEffect } from 'react';
import { money } from '../campaign/figures.ts';
import type { Filters } from '../history/journal-address.ts';
import { useDoc } from '../replica/replica-context.tsx';
import { Skeleton } from '../ui/states.tsx';
import { LinesFile, MoreLines } from './line-lists.tsx';
import {
  type CountedLine,
  type LeftOutLine,
  type LineagePage,
  type LinedLineage,
  movedBy,
  useLineage,
  useLines,
} from './lineage.ts';
import { LastEvents, NoLines, Terms } from './lineage-parts.tsx';
import { PlacementLines, type ToldPlacement } from './placement-lines.tsx';

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

const told = ({ contractorId, campaignId }: CountedLine | LeftOutLine, isTold: boolean) => ({
  contractorId,
  campaignId: isTold ? campaignId : null,
});

const countedLine = (line: CountedLine, isTold: boolean): ToldPlacement => {
  const amount = line.amount === null ? '' : `+${formatRoublesExact(money(line.amount))}`;
  return {
    ...told(line, isTold),
    id: line.placementId,
    date: line.date,
    name: null,
    figures: line,
    note: joined(amount, line.leads === 0 ? 'лидов пока нет' : ''),
  };
};

/** A placement that does not count; of what is not there any more as much as is known of it, and when it went. */
const leftOutLine = (line: LeftOutLine, isTold: boolean): ToldPlacement => {
  const { placementId, at, date, name, price, leads, reason } = line;
  const rest = {
    ...told(line, isTold),
    id: placementId,
    name,
    note: at === null ? reason : `${reason} ${showInstant(at)}`,
  };
  return date !== null && price !== null && leads !== null
    ? { ...rest, date, figures: { price, leads } }
    : { ...rest, contractorId: null, date: at === null ? null : dayOf(at), figures: null };
};

const LeftOutTable = ({
  title,
  sum,
  label,
  lines,
  isTold,
}: {
  readonly title: string;
  readonly sum?: string;
  readonly label: string;
  readonly lines: readonly LeftOutLine[];
  readonly isTold: boolean;
}) => (
  <>
    <h4>
      {title}
      {sum !== undefined && <span className="z-why-sum">{sum}</span>}
    </h4>
    <PlacementLines label={label} lines={lines.map((line) => leftOutLine(line, isTold))} />
  </>
);

const Lists = ({
  about,
  first,
  renderEvents,
}: {
  readonly about: LinedLineage;
  readonly first: LineagePage;
  readonly renderEvents: (counted: readonly CountedLine[]) => ReactNode;
}) => {
  const { counted, leftOut } = first.data;
  const countedPages = useLines(about, first, 'counted');
  const leftOutPages = useLines(about, first, 'leftOut');
  const lines: readonly CountedLine[] = countedPages.lines;
  const left: readonly LeftOutLine[] = leftOutPages.lines;
  const isTold = about.of === 'salary' && about.campaign === undefined;
  return (
    <>
      {about.figure !== 'budget' && (
        <div className="z-why-lines">
          <h4 className="z-good">
            <Tick size={13} /> Засчитано {formatNumber(counted.total)}
            {counted.total > 0 && <span className="z-why-sum">{formatRoublesExact(money(counted.price))}</span>}
          </h4>
          <PlacementLines label="Засчитанные размещения" lines={lines.map((line) => countedLine(line, isTold))} />
          {countedPages.hasMore && (
            <MoreLines {...countedPages} rest={counted.total - lines.length} onMore={countedPages.fetchMore} />
          )}
          {leftOut.there > 0 && (
            <LeftOutTable
              title={`Не засчитано ${formatNumber(leftOut.there)}`}
              sum={formatRoublesExact(money(leftOut.price))}
              label="Не засчитанные размещения"
              lines={left.filter(({ at }) => at === null)}
              isTold={isTold}
            />
          )}
          {leftOut.gone > 0 && (left.length >= leftOut.there || leftOut.there === 0) && (
            <LeftOutTable
              title={`Больше не входят ${formatNumber(leftOut.gone)}`}
              label="Удалённые и переданные размещения"
              lines={left.filter(({ at }) => at !== null)}
              isTold={isTold}
            />
          )}
          {leftOutPages.hasMore && (
            <MoreLines {...leftOutPages} rest={leftOut.total - left.length} onMore={leftOutPages.fetchMore} />
          )}
          {counted.total + leftOut.total > 0 && <LinesFile about={about} />}
        </div>
      )}
      {renderEvents(lines)}
    </>
  );
};

const journalOf = (about: LinedLineage): Filters => {
  if (about.of === 'contractor' || about.of === 'creative') return { entity: `${about.of}:${about.id}` };
  const campaign = about.of === 'salary' ? about.campaign : about.id;
  return campaign === undefined ? {} : { campaign };
};

/** Terms with their source, counted and left-out placements, and the last events that moved the figure. */
export const LineageLines = ({
  about,
  onPosition,
  onLeave,
}: {
  readonly about: LinedLineage;
  /** Called with the place in the log up to which everything is in the answer. */
  readonly onPosition: (position: number) => void;
  /** Called when the person follows a link. */
  readonly onLeave: () => void;
}) => {
  const { data: first, error, isPending, refetch } = useLineage(about);
  const ofEarnings = about.of === 'campaign' && about.figure === 'earnings';
  const earnings = useDoc(
    'earnings',
    ofEarnings ? `${about.id}:${typeof about.userId === 'string' ? about.userId : ''}` : null,
  );
  const position = first?.position ?? null;
  useEffect(() => {
    if (position !== null) onPosition(position);
  }, [position, onPosition]);

  if (isPending) return <Skeleton rows={4} height={25} label="Загрузка расчёта" />;
  if (first === undefined) return <NoLines error={error} onRetry={() => void refetch()} />;
  const zero = earnings?.zeroLeads;
  return (
    <>
      <Terms terms={first.data.terms} />
      <Lists
        about={about}
        first={first}
        renderEvents={(counted) => (
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
              journal={journalOf(about)}
              onLeave={onLeave}
            />
          </div>
        )}
      />
    </>
  );
};
