import { type MiddlewareConfig, PopoverNext } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Fitted } from '../ui/fitted.tsx';
import { useNarrow } from '../ui/use-media.ts';
import { ModalDrawer } from '../ui/modal-drawer.tsx';
import { Explanation, whyTitle } from './explanation.tsx';
import { campaignOfFigure, useFigureKind } from './figure-kind.tsx';
import type { Lineage } from './lineage.ts';

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

/** Beside its figure, on a narrow screen from below. */
const FigurePlace = ({
  titleId,
  onClose,
  children,
}: {
  readonly titleId: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => {
  const narrow = useNarrow();
  return narrow ? (
    <ModalDrawer
      name={whyTitle}
      position="bottom"
      size="auto"
      className="z-why-sheet"
      transitionDuration={120}
      onClose={onClose}
    >
      {children}
    </ModalDrawer>
  ) : (
    <PopoverNext
      inheritDarkTheme={false}
      isOpen
      placement="bottom"
      popoverClassName="z-why-popover"
      transitionDuration={120}
      middleware={middleware}
      enforceFocus={false}
      onClose={onClose}
      content={
        <dialog open className="z-why-dialog" aria-labelledby={titleId}>
          {children}
        </dialog>
      }
      renderTarget={({ ref }) => <span ref={ref} className="z-figure-anchor" aria-hidden="true" />}
    />
  );
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
  scope = about?.of === 'campaign' ? `campaign:${about.id}` : null,
}: {
  readonly children: ReactNode;
  /** The calculation, said at once. */
  readonly formula: ReactNode;
  readonly label: string;
  /** What the server is asked about it; null = the calculation is all there is. */
  readonly about?: Lineage | null;
  /** What was counted and what was not, where the screen knows it itself. */
  readonly lines?: ReactNode;
  /** Whose unsent changes are in it; by default the campaign's that the server is asked about. */
  readonly scope?: string | null;
}) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // A press outside closes before the click arrives: the same press must not open it again.
  const wasOpen = useRef(false);
  const kind = useFigureKind(campaignOfFigure(about, scope), about?.figure);
  const titleId = useId();
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  const content = (
    <div className="z-why">
      <Explanation
        explained={{ label, value: children, formula, about, lines, kind }}
        renderHead={(asOf) => (
          <div className="z-why-head">
            <h3 id={titleId}>{whyTitle}</h3>
            {asOf}
            <button type="button" className="z-why-close" aria-label="Закрыть" onClick={close}>
              <Cross size={14} />
            </button>
          </div>
        )}
        onLeave={close}
      />
    </div>
  );
  return (
    <span
      className="z-figure-place"
      data-figure={about !== null || lines !== null ? 'lines' : 'formula'}
      data-kind={kind?.kind}
    >
      <button
        ref={button}
        type="button"
        className="z-figure"
        title={`${label}: почему эта цифра?${kind === null ? '' : ` Сейчас ${kind.words}`}`}
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
        {typeof children === 'string' ? <Fitted>{children}</Fitted> : children}
      </button>
      {open && (
        <FigurePlace titleId={titleId} onClose={close}>
          {content}
        </FigurePlace>
      )}
    </span>
  );
};
