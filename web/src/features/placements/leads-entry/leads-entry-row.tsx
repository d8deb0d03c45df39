import { Tick } from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import { showPayment } from '@zakup/domain/topics';
import { type MouseEvent, useId, useState } from 'react';
import { showDate } from '../../../shared/day/shown-day.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { severalCells, singleValuePaste } from '../../../shared/ui/single-value-paste.ts';
import { markOf } from '../columns/cell-notes.tsx';
import { parseLeads } from '../../../shared/form/number-input.ts';
import { resultBelow } from '../columns/placement-editors.tsx';
import { CplMark } from '../columns/placement-marks.tsx';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import type { LeadsDraft } from './use-leads-entry.ts';

/** Pressed, it leaves the keyboard of the phone where it is. */
const keepsKeyboard = { onMouseDown: (event: MouseEvent) => event.preventDefault() } as const;

const resultOf = resultBelow(parseLeads, formatNumber);

export interface LeadsEntryRowProps {
  readonly row: PlacementRow;
  readonly names: Names;
  readonly draft: LeadsDraft | undefined;
  readonly isCurrent: boolean;
  readonly isFirst: boolean;
  readonly isSkipped: boolean;
  /** Its buyer is the person. */
  readonly isOwn: boolean;
  readonly isEditable: boolean;
  /** The person's own last command for it; undefined = they entered nothing. */
  readonly command: string | undefined;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
  readonly onType: (text: string) => void;
  readonly onNext: () => void;
  readonly onSkip: () => void;
  readonly onBack: () => void;
  readonly onUndo: () => void;
}

/** How it stands with a placement: entered here or by another, passed by, or nothing yet. */
const State = ({
  row: { placement, decided },
  draft,
  isSkipped,
  command,
  onUndo,
}: Pick<LeadsEntryRowProps, 'row' | 'draft' | 'isSkipped' | 'command' | 'onUndo'>) => {
  if (placement.leads === 0) return isSkipped ? <span className="z-second">Пропущено</span> : null;
  return (
    <span className="z-leads-state">
      {command === undefined ? (
        <LiveRegion later>Уже внесено: {formatNumber(placement.leads)}</LiveRegion>
      ) : (
        draft === undefined && (
          <>
            <Tick size={16} aria-hidden="true" />
            <CplMark price={decided.price} leads={decided.leads} />
            <button type="button" className="z-link" onClick={onUndo}>
              Отменить
            </button>
          </>
        )
      )}
    </span>
  );
};

/** One placement with its number. */
export const LeadsEntryRow = ({
  row,
  names,
  draft,
  isCurrent,
  isFirst,
  isSkipped,
  isOwn,
  isEditable,
  command,
  onFocus,
  onBlur,
  onType,
  onNext,
  onSkip,
  onBack,
  onUndo,
}: LeadsEntryRowProps) => {
  const id = useId();
  const outbox = useOutbox();
  const { placement, nick, buyerName } = row;
  const mark = markOf(row, 'leads', names, outbox);
  const [isRefused, setRefused] = useState(false);
  const problem = draft?.problem ?? (isRefused ? severalCells : null);
  const text = draft?.text ?? (placement.leads === 0 ? '' : String(placement.leads));
  return (
    <>
      <div className="z-leads-line">
        <label htmlFor={id}>
          <span className="z-leads-nick">{nick}</span>
          <span className="z-second">
            {[
              showDate(placement.date),
              roubles(placement.price),
              showPayment(placement.paymentStatus),
              ...(isOwn ? [] : [buyerName]),
            ].join(' · ')}
          </span>
        </label>
        <input
          id={id}
          className="z-input z-leads-input"
          inputMode="numeric"
          enterKeyHint="next"
          autoComplete="off"
          placeholder="Приход"
          disabled={!isEditable}
          aria-invalid={draft?.problem ? true : undefined}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          value={text}
          onFocus={(event) => {
            event.target.select();
            onFocus();
          }}
          onBlur={onBlur}
          onChange={(event) => {
            setRefused(false);
            onType(event.target.value);
          }}
          {...singleValuePaste(() => setRefused(true))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onNext();
          }}
        />
      </div>
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className="z-field-error">
          {problem}
        </p>
      )}
      {resultOf(draft?.text ?? '')}
      <State row={row} draft={draft} isSkipped={isSkipped} command={command} onUndo={onUndo} />
      {mark?.note && <div className={`z-card-note z-card-${mark.kind}`}>{mark.note}</div>}
      {isCurrent && (
        <div className="z-leads-steps">
          <Button {...keepsKeyboard} disabled={isFirst} onClick={onBack}>
            Назад
          </Button>
          <Button {...keepsKeyboard} onClick={onSkip}>
            Пропустить
          </Button>
          <Button {...keepsKeyboard} look="primary" onClick={onNext}>
            Дальше
          </Button>
        </div>
      )}
    </>
  );
};
