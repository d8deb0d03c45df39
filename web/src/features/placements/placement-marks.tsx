import { cplClassLabels } from '@zakup/domain/analytics/cpl';
import { showDay } from '@zakup/domain/calendar';
import { showPayment } from '@zakup/domain/topics';
import type { ReactNode } from 'react';
import { CplValue } from '../../shared/campaign/cpl-value.tsx';
import { money } from '../../shared/campaign/figures.ts';
import { isCplOpen } from './cell-notes.tsx';
import type { PlacementRow } from './placement-rows.ts';

/** Cost per lead of a `price` in roubles; where there is none, said to those who see no dash. */
export const CplMark = ({ price, leads }: { readonly price: number; readonly leads: number }) => (
  <>
    <CplValue spent={money(price)} leads={leads} />
    {leads === 0 && <span className="z-visually-hidden">{cplClassLabels.none}</span>}
  </>
);

const willFollow = 'Пересчитаем, когда сервер примет изменение';

/** A figure that does not follow what was typed yet. */
export const Unsettled = ({ children }: { readonly children: ReactNode }) => (
  <span className="z-unsettled" title={willFollow}>
    {children}
    <span className="z-visually-hidden">{willFollow}</span>
  </span>
);

/** Cost per lead of a row, from what is decided of it. */
export const RowCpl = ({ row }: { readonly row: PlacementRow }) => {
  const mark = <CplMark price={row.decided.price} leads={row.decided.leads} />;
  return isCplOpen(row) ? <Unsettled>{mark}</Unsettled> : mark;
};

/** `21 НОЯБРЯ | СУББОТА`, the weekday quieter. */
export const DayMark = ({ day }: { readonly day: string }) => {
  const [date, weekday] = showDay(day).split(' | ');
  return (
    <span className="z-day">
      <b>{date}</b>
      {weekday !== undefined && <span> | {weekday}</span>}
    </span>
  );
};

/** ● for what is paid, ○ for anything else, before the word. */
export const paymentClass = (status: string): string => `z-pay ${status === 'paid' ? 'z-pay-paid' : 'z-pay-unpaid'}`;

/** ● «Оплачено», ○ «Не оплачено»; anything else as unknown. */
export const PaymentMark = ({ status }: { readonly status: string }) => (
  <span className={paymentClass(status)}>{showPayment(status)}</span>
);
