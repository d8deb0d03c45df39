import { Drawer, type MiddlewareConfig, PopoverNext } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { dayOf, showDate, showTime } from '@zakup/domain/calendar';
import { formatNumber, plural } from '@zakup/domain/russian';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useUnsentIn } from '../outbox/outbox-context.tsx';
import { useMoment } from '../past/moment-context.ts';
import { useNarrow } from '../ui/use-media.ts';
import { asModal } from '../ui/as-modal.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Skeleton } from '../ui/states.tsx';
import type { Lineage } from './lineage.ts';
import './why.css';

const LazyLines = lazyPart(async () => (await import('./lineage-lines.tsx')).LineageLines, {
  waiting: <Skeleton rows={4} height={25} label="Загрузка расчёта" />,
});

interface Explained {
  readonly label: string;
  readonly value: ReactNode;
  readonly formula: ReactNode;
  readonly about: Lineage | null;
  readonly lines: ReactNode;
}

/** Of which moment the explanation is, and what it does not know yet. */
const AsOf = ({ about, position }: { readonly about: Lineage; readonly position: number | null }) => {
  const moment = useMoment();
  const unsent = useUnsentIn(about.of === 'campaign' ? `campaign:${about.id}` : null);
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
      {unsent > 0 &&
        ` и ${unsent} ${plural(unsent, 'неотправленная правка', 'неотправленные правки', 'неотправленных правок')}`}
    </>
  );
};

const Explanation = ({
  explained: { label, value, formula, about, lines },
  titleId,
  onClose,
}: {
  readonly explained: Explained;
  readonly titleId: string;
  readonly onClose: () => void;
}) => {
  const [position, setPosition] = useState<number | null>(null);
  return (
    <div className="z-why">
      <div className="z-why-head">
        <h3 id={titleId}>Почему эта цифра?</h3>
        {about !== null && (
          <span className="z-why-as-of">
            <AsOf about={about} position={position} />
          </span>
        )}
        <button type="button" className="z-why-close" aria-label="Закрыть" onClick={onClose}>
          <Cross size={14} />
        </button>
      </div>
      <p className="z-why-value">
        <b>{value}</b> {label}
      </p>
      <p className="z-why-formula">{formula}</p>
      {lines}
      {about !== null && <LazyLines about={about} onPosition={setPosition} onLeave={onClose} />}
    </div>
  );
};

const gap = 10;

/** Where there is less room than it wants, it scrolls. */
const middleware: MiddlewareConfig = {
  flip: {},
  shift: { padding: gap },
  size: {
    padding: gap,
    apply: ({ availableHeight, elements }) =>
      elements.floating.style.setProperty('--z-why-room', `${Math.max(240, Math.floor(availableHeight))}px`),
  },
};

/**
 * A figure that explains itself: dotted underline; on click its calculation, and with `about` what was counted, what was
 * left out and who moved it.
 */
export const Figure = ({
  children,
  formula,
  label,
  about = null,
  lines = null,
}: {
  readonly children: ReactNode;
  /** The calculation, said at once. */
  readonly formula: ReactNode;
  readonly label: string;
  /** What the server is asked about it; null = the calculation is all there is. */
  readonly about?: Lineage | null;
  /** What was counted and what was not, where the screen knows it itself. */
  readonly lines?: ReactNode;
}) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // A press outside closes before the click arrives: the same press must not open it again.
  const wasOpen = useRef(false);
  const narrow = useNarrow();
  const titleId = useId();
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  const content = open && (
    <Explanation explained={{ label, value: children, formula, about, lines }} titleId={titleId} onClose={close} />
  );
  return (
    <span className="z-figure-place" data-figure="">
      <button
        ref={button}
        type="button"
        className="z-figure"
        title={`${label}: почему эта цифра?`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerDown={() => {
          wasOpen.current = open;
        }}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(!wasOpen.current);
          wasOpen.current = false;
        }}
      >
        {children}
      </button>
      {open && !narrow && (
        <PopoverNext
          inheritDarkTheme={false}
          isOpen
          placement="bottom"
          popoverClassName="z-why-popover"
          transitionDuration={120}
          middleware={middleware}
          enforceFocus={false}
          onClose={close}
          content={
            <dialog open className="z-why-dialog" aria-labelledby={titleId}>
              {content}
            </dialog>
          }
          renderTarget={({ ref }) => <span ref={ref} className="z-figure-anchor" aria-hidden="true" />}
        />
      )}
      {open && narrow && (
        <Drawer isOpen position="bottom" size="auto" className="z-why-sheet" transitionDuration={120} onClose={close}>
          <div {...asModal('Почему эта цифра?')}>{content}</div>
        </Drawer>
      )}
    </span>
  );
};
