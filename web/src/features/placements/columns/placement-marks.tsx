import { cplClass, cplClassLabels, costPerLead } from '@zakup/domain/analytics/cpl';
import { parsePostUrl } from '@zakup/domain/placement/remarks';
import { showDay, showShortDay } from '../../../shared/day/shown-day.ts';
import { showPayment } from '@zakup/domain/topics';
import type { ReactNode } from 'react';
import { useShortInColumn } from '../../../shared/table/figure-in-column.tsx';
import { CplValue } from '../../../shared/campaign/cpl-value.tsx';
import { cplFigure, money } from '../../../shared/campaign/figures.ts';
import { Fitted } from '../../../shared/ui/fitted.tsx';
import { isWaiting } from '../../../shared/outbox/entry.ts';
import { type FigureKind, kindOf } from '../../../shared/explanations/figure-kind.tsx';
import { isCplOpen } from './cell-notes.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';

/** Cost per lead of a `price` in roubles; where there is none, said to those who see no dash. */
export const CplMark = ({ price, leads }: { readonly price: number; readonly leads: number }) => (
  <>
    <CplValue spent={money(price)} leads={leads} />
    {leads === 0 && <span className="z-visually-hidden">{cplClassLabels.none}</span>}
  </>
);

const willFollow = 'Пересчитаем, когда сервер примет изменение';

/** A figure that does not follow what was typed yet, while `isOpen`. It stands in the same place before and after, with what is opened from it. */
export const Unsettled = ({ isOpen = true, children }: { readonly isOpen?: boolean; readonly children: ReactNode }) => (
  <span className={isOpen ? 'z-unsettled' : undefined} title={isOpen ? willFollow : undefined}>
    {children}
    {isOpen && <span className="z-visually-hidden">{willFollow}</span>}
  </span>
);

/** Of which kind the figures of a row are; `null` while nothing waits for it. */
export const rowKind = (row: PlacementRow): FigureKind | null => {
  const waiting = row.entries.filter(isWaiting).length;
  return isCplOpen(row) ? kindOf(0, waiting, null) : kindOf(waiting, 0, null);
};

/** The sign and what is between. */
const signWidth = 17;

/**
 * Cost per lead of a row, from what is decided of it; a press asks why it is what it is, which is known of what the server has. One
 * element, whose sign is painted by style, as it stands in every row.
 */
export const RowCpl = ({
  row,
  tabIndex,
  onWhy,
}: {
  readonly row: PlacementRow;
  /** -1 where the cell has the keys; absent on a card, where its room is measured. */
  readonly tabIndex?: -1;
  readonly onWhy: (row: PlacementRow) => void;
}) => {
  const { price, leads } = row.decided;
  const spent = money(price);
  const { tone, text, sign } = cplFigure(spent, leads, costPerLead(spent, leads));
  const kind = row.entries.length === 0 ? null : rowKind(row);
  const short = useShortInColumn(text, 'cpl', sign === '' ? 0 : signWidth);
  const shown = tabIndex === undefined ? <Fitted>{text}</Fitted> : (short ?? text);
  const mark =
    row.kind === 'stored' ? (
      <button
        type="button"
        tabIndex={tabIndex}
        className={`z-figure z-row-cpl z-${tone ?? 'quiet'}`}
        data-figure="lines"
        data-sign={sign || undefined}
        data-kind={kind?.kind}
        title={`CPL${short === null ? '' : ` ${text}`}: почему эта цифра?${kind === null ? '' : ` Сейчас ${kind.words}`}`}
        aria-label={`${text}, ${cplClassLabels[cplClass(spent, leads)]}`}
        aria-haspopup="dialog"
        onClick={() => onWhy(row)}
      >
        {shown}
      </button>
    ) : (
      <span
        className={`z-row-cpl z-${tone ?? 'quiet'}`}
        data-sign={sign || undefined}
        data-kind={kind?.kind}
        title={[short === null ? '' : text, kind?.words ?? ''].filter(Boolean).join('. ') || undefined}
      >
        <span aria-hidden="true">{shown}</span>
        <span className="z-visually-hidden">{`${text}, ${cplClassLabels[cplClass(spent, leads)]}`}</span>
      </span>
    );
  return isCplOpen(row) ? <Unsettled>{mark}</Unsettled> : mark;
};

/** `21 НОЯБРЯ | СУББОТА`, the weekday quieter; in a table that has no room for it painted as `СБ`. */
export const DayMark = ({ day }: { readonly day: string }) => {
  const whole = showDay(day);
  const [date, weekday] = whole.split(' | ');
  const short = showShortDay(day).split(', ').at(-1)?.toUpperCase();
  return (
    <span className="z-day" data-hint={whole}>
      <b>{date}</b>
      {weekday !== undefined && <span data-short={` | ${short}`}> | {weekday}</span>}
    </span>
  );
};

/** ● for what is paid, ○ for anything else, before the word. */
export const paymentClass = (status: string): string => `z-pay ${status === 'paid' ? 'z-pay-paid' : 'z-pay-unpaid'}`;

/** ● «Оплачено», ○ «Не оплачено»; anything else as unknown. */
export const PaymentMark = ({ status }: { readonly status: string }) => (
  <span className={paymentClass(status)}>{showPayment(status)}</span>
);

/** The address of a post, which opens beside the app; a text that is none leads nowhere. */
export const PostLink = ({ url, tabIndex }: { readonly url: string; readonly tabIndex?: -1 }) => {
  const post = parsePostUrl(url);
  return post === null ? (
    <span className="z-post-link">{url}</span>
  ) : (
    <a className="z-post-link" href={post} target="_blank" rel="noreferrer" tabIndex={tabIndex} title={post}>
      {post.replace('https://', '')}
    </a>
  );
};
