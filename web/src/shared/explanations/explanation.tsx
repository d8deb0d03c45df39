import { dayOf, showTime } from '@zakup/domain/calendar';
import { showDate } from '../day/shown-day.ts';
import { formatNumber } from '@zakup/domain/russian';
import { type ReactNode, useState } from 'react';
import { useMoment } from '../moment/moment-context.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Skeleton } from '../ui/states.tsx';
import type { FigureKind } from './figure-kind.tsx';
import type { Lineage } from './lineage.ts';
import './explanations.css';

/** The question that every figure answers. */
export const whyTitle = 'Почему эта цифра?';

const LazyLicenceLines = lazyPart(async () => (await import('./licence-lines.tsx')).LicenceLines, {
  waiting: <Skeleton rows={4} height={25} label="Загрузка расчёта" />,
});

const LazyLines = lazyPart(async () => (await import('./lineage-lines.tsx')).LineageLines, {
  waiting: <Skeleton rows={4} height={25} label="Загрузка расчёта" />,
});

/** What is told of a figure. */
export interface Explained {
  readonly label: string;
  readonly value: ReactNode;
  /** The calculation, said at once. */
  readonly formula: ReactNode;
  /** What the server is asked about it; null = the calculation is all there is. */
  readonly about: Lineage | null;
  /** What was counted and what was not, where the screen knows it itself. */
  readonly lines: ReactNode;
  /** `null` while nothing waits. */
  readonly kind: FigureKind | null;
}

/** Of which moment the explanation is, and what it does not know yet. */
const AsOf = ({ kind, position }: { readonly kind: FigureKind | null; readonly position: number | null }) => {
  const moment = useMoment();
  const event = position === null ? '' : `: событие ${formatNumber(position)}`;
  if (moment !== null)
    return (
      <>
        на {moment.at === null ? 'этот момент' : `${showDate(dayOf(moment.at))}, ${showTime(moment.at)}`}
        {event}
      </>
    );
  return (
    <>
      на сейчас{event}
      {kind !== null && `, ${kind.words}`}
    </>
  );
};

/** Value and calculation, what was counted, what was left out and who moved it; `renderHead` draws the head with the moment that all this is of. */
export const Explanation = ({
  explained: { label, value, formula, about, lines, kind },
  renderHead,
  onLeave,
}: {
  readonly explained: Explained;
  readonly renderHead: (asOf: ReactNode) => ReactNode;
  /** A link leads elsewhere. */
  readonly onLeave: () => void;
}) => {
  const [position, setPosition] = useState<number | null>(null);
  return (
    <>
      {renderHead(
        (about !== null || lines !== null) && (
          <span className="z-why-as-of">
            <AsOf kind={kind} position={position} />
          </span>
        ),
      )}
      <p className="z-why-value">
        <b>{value}</b> {label}
      </p>
      <p className="z-why-formula">{formula}</p>
      {kind?.kind === 'waiting' && about !== null && (
        <p className="z-why-kind">Строки ниже подтверждены сервером: неотправленного в них ещё нет.</p>
      )}
      {lines}
      {about?.of === 'license' && <LazyLicenceLines about={about} onPosition={setPosition} onLeave={onLeave} />}
      {about !== null && about.of !== 'license' && (
        <LazyLines about={about} onPosition={setPosition} onLeave={onLeave} />
      )}
    </>
  );
};
