import { type FocusEvent, memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { showDate } from '../../../shared/day/shown-day.ts';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { Fitted } from '../../../shared/ui/fitted.tsx';
import { HandsFocusTo } from '../../../shared/ui/hands-focus.tsx';
import { formatNumber } from '@zakup/domain/russian';
import { showPayment, showTopic } from '@zakup/domain/topics';
import { markOf } from '../columns/cell-notes.tsx';
import { settableColumns } from '../columns/field-columns.ts';
import { DayMark, PaymentMark, PostLink, RowCpl } from '../columns/placement-marks.tsx';
import { StandingMark } from '../presence/watchers.tsx';
import { defaultRangeExtractor, useRowWindow } from '../../../shared/table/use-row-window.ts';
import { useScrollPlace } from '../../../shared/ui/use-scroll-place.ts';
import { groupLineOf } from '../../../shared/table/grid-groups.ts';
import type { RevealedRow } from '../../../shared/table/revealed-row.ts';
import type { CellColleague } from '../../../shared/table/grid-column.ts';
import { otherPayment } from '../rows/placement-commands.ts';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import { useCardSwipe } from './use-card-swipe.ts';
import type { Outbox } from '../../../shared/outbox/outbox.ts';
import { roubles } from '../../../shared/money/roubles.ts';

const columns = [...settableColumns, 'delete'];

interface CardActions {
  readonly names: Names;
  readonly outbox: Outbox;
  readonly editable: (row: PlacementRow) => boolean;
  readonly onOpenContractor: (row: PlacementRow) => void;
  readonly onEdit: (row: PlacementRow) => void;
  /** Pays, or takes the payment back. */
  readonly onPay: (row: PlacementRow) => void;
  /** The same by drawing the card. */
  readonly onSwipe: (row: PlacementRow) => void;
  /** While cards are ticked a card has no other buttons. */
  readonly onTick: (row: PlacementRow, isOn: boolean) => void;
  readonly onHistory: (row: PlacementRow) => void;
  readonly onWhy: (row: PlacementRow) => void;
  readonly onRemove: (row: PlacementRow) => void;
}

export interface PlacementCardsProps extends CardActions {
  /** And the lines of their groups. */
  readonly rows: readonly PlacementRow[];
  /** On screen wherever it stands, and gone to with each turn of it; it is one of the rows. */
  readonly revealed: RevealedRow<PlacementRow> | null;
  /** Null = none are to be ticked. */
  readonly ticked: ReadonlySet<string> | null;
  /** The others, by the row in which they stand. */
  readonly colleagues: ReadonlyMap<string, readonly CellColleague[]>;
}

interface PlacementCardProps extends CardActions {
  /** It is to catch the eye. */
  readonly isRevealed: boolean;
  /** Null = it is not to be ticked. */
  readonly isTicked: boolean | null;
  readonly row: PlacementRow;
  readonly colleagues: readonly CellColleague[] | undefined;
}

const CardButtons = ({
  row,
  isEditable,
  onEdit,
  onPay,
  onHistory,
  onRemove,
}: Pick<CardActions, 'onEdit' | 'onPay' | 'onHistory' | 'onRemove'> & {
  readonly row: PlacementRow;
  readonly isEditable: boolean;
}) => (
  <div className="z-card-actions">
    {isEditable && (
      <>
        <button type="button" onClick={() => onEdit(row)}>
          Изменить
        </button>
        <button type="button" onClick={() => onPay(row)}>
          {showPayment(otherPayment(row))}
        </button>
      </>
    )}
    <button type="button" onClick={() => onHistory(row)}>
      История
    </button>
    {isEditable && (
      <button type="button" onClick={() => onRemove(row)}>
        Удалить
      </button>
    )}
  </div>
);

/** In the place of the buttons, and as high. */
const CardTick = ({
  row,
  isTicked,
  onTick,
}: Pick<CardActions, 'onTick'> & { readonly row: PlacementRow; readonly isTicked: boolean }) => (
  <label className="z-card-tick">
    <input
      type="checkbox"
      aria-label={`Отметить ${row.nick}, ${showDate(row.placement.date)}`}
      checked={isTicked}
      onChange={({ target }) => onTick(row, target.checked)}
    />
    {isTicked ? 'Отмечено' : 'Отметить'}
  </label>
);

const PlacementCard = memo(
  ({
    row,
    isRevealed,
    isTicked,
    names,
    outbox,
    colleagues,
    editable,
    onOpenContractor,
    onEdit,
    onPay,
    onSwipe,
    onTick,
    onHistory,
    onWhy,
    onRemove,
  }: PlacementCardProps) => {
    const { placement } = row;
    const isEditable = editable(row);
    const swipe = useCardSwipe(
      isEditable && isTicked === null ? { label: showPayment(otherPayment(row)), run: () => onSwipe(row) } : null,
    );
    const marks = columns.map((column) => ({ column, mark: markOf(row, column, names, outbox) }));
    const unsent = marks.some(({ mark }) => mark !== null);
    return (
      <article
        className="z-card"
        tabIndex={-1}
        data-unsent={unsent || undefined}
        data-revealed={isRevealed || undefined}
        aria-label={`${row.nick}, ${showDate(placement.date)}`}
        {...swipe}
      >
        <div className="z-card-body">
          <div className="z-card-line">
            <DayMark day={placement.date} />
            <PaymentMark status={placement.paymentStatus} />
          </div>
          <div className="z-card-line">
            <button
              type="button"
              className="z-nick z-card-nick"
              disabled={row.kind === 'new'}
              onClick={() => onOpenContractor(row)}
            >
              {row.nick}
            </button>
            <StandingMark colleagues={colleagues} />
            <span className="z-buyer">
              <Avatar name={row.buyerName} id={placement.buyerId} size={20} />
              {row.buyerName.split(' ')[0]}
            </span>
          </div>
          <dl className="z-card-figures">
            <div>
              <dt>Цена</dt>
              <dd className="z-fits">
                <Fitted>{roubles(placement.price)}</Fitted>
              </dd>
            </div>
            <div>
              <dt>Приход</dt>
              <dd className="z-fits">
                <Fitted>{formatNumber(placement.leads)}</Fitted>
              </dd>
            </div>
            <div>
              <dt>CPL</dt>
              <dd className="z-fits">
                {placement.leads === 0 && <span className="z-card-none">лидов пока нет</span>}
                <RowCpl row={row} onWhy={onWhy} />
              </dd>
            </div>
          </dl>
          <div className="z-second">
            {row.creativeName} · {showTopic(placement.category)} · {placement.format}
          </div>
          {placement.comment !== '' && <p className="z-card-comment">{placement.comment}</p>}
          {placement.postUrl !== null && <PostLink url={placement.postUrl} />}
        </div>
        {marks.map(
          ({ column, mark }) =>
            mark?.note && (
              <HandsFocusTo key={column} element="article">
                <div className={`z-card-note z-card-${mark.kind}`}>{mark.note}</div>
              </HandsFocusTo>
            ),
        )}
        {row.kind === 'stored' &&
          (isTicked === null ? (
            <CardButtons
              row={row}
              isEditable={isEditable}
              onEdit={onEdit}
              onPay={onPay}
              onHistory={onHistory}
              onRemove={onRemove}
            />
          ) : (
            <CardTick row={row} isTicked={isTicked} onTick={onTick} />
          ))}
      </article>
    );
  },
);

const GroupHeading = lazyPart(async () => (await import('./card-group-heading.tsx')).CardGroupHeading);

/** Of a card without anything special, in px; each is measured once it is in sight. */
const usualHeight = 183;
const gap = 8;
/** Room for what floats above the end of the list. */
const endRoom = 72;

/**
 * Placements on a narrow screen, newest first. Only cards in sight are in the document, and the one that has the focus;
 * which of how many each is stays said.
 */
export const PlacementCards = ({ rows, revealed, colleagues, ticked, ...actions }: PlacementCardsProps) => {
  const [place, list] = useScrollPlace();
  const [focused, setFocused] = useState<string | null>(null);
  const focusedAt = focused === null ? -1 : rows.findIndex(({ id }) => id === focused);
  const revealedAt = revealed === null ? -1 : rows.findIndex(({ id }) => id === revealed.row.id);
  const wanted = useRef<string | null>(null);
  const margin = place?.margin ?? 0;
  const windowed = useRowWindow<Element, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => place?.scroller ?? null,
    estimateSize: () => usualHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    gap,
    paddingEnd: endRoom,
    overscan: 5,
    scrollMargin: margin,
    useFlushSync: false,
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range);
      const others = [focusedAt, revealedAt].filter((at) => at >= 0 && at < range.count);
      return [...new Set([...inSight, ...others])].sort((a, b) => a - b);
    },
  });
  const turn = revealed?.turn ?? 0;
  const goToRevealed = useEffectEvent((): void => {
    if (revealed === null || revealedAt < 0) return;
    wanted.current = revealed.row.id;
    windowed.scrollToIndex(revealedAt, { align: 'center' });
  });
  useEffect(() => {
    if (turn > 0) goToRevealed();
  }, [turn]);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const card = document.querySelector<HTMLElement>(`.z-cards [data-row="${CSS.escape(wanted.current)}"] article`);
    if (!card) return;
    wanted.current = null;
    card.focus({ preventScroll: true });
  });
  // The list itself takes no input: it is only told which card a person is in.
  const focus = {
    onFocus: ({ target }: FocusEvent) => setFocused(target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? null),
    onBlur: () => setFocused(null),
  };
  return (
    <ul
      ref={list}
      className="z-cards"
      aria-label="Размещения"
      style={{ minHeight: windowed.getTotalSize() }}
      {...focus}
    >
      {windowed.getVirtualItems().map((item) => {
        const row = rows[item.index];
        const line = row ? groupLineOf(row) : null;
        return (
          row && (
            <li
              key={row.id}
              ref={windowed.measureElement}
              data-index={item.index}
              data-row={row.id}
              aria-posinset={item.index + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(${item.start - margin}px)` }}
            >
              {line ? (
                <GroupHeading line={line} />
              ) : (
                <PlacementCard
                  row={row}
                  isRevealed={revealed?.isMarked === true && revealed.row.id === row.id}
                  colleagues={colleagues.get(row.id)}
                  isTicked={ticked && ticked.has(row.id)}
                  {...actions}
                />
              )}
            </li>
          )
        );
      })}
    </ul>
  );
};
