import { costPerLead, cplClass, cplClassLabels, type CplClass } from '@zakup/domain/analytics/cpl';
import { formatRoublesExact, fromRoubles, kopecks } from '@zakup/domain/money';
import { showDay } from '@zakup/domain/calendar';
import { showPayment } from '@zakup/domain/topics';

const tones: Readonly<Record<CplClass, string>> = { good: 'z-good', middle: 'z-mid', bad: 'z-bad', none: 'z-quiet' };
const signs: Readonly<Record<CplClass, string>> = { good: '▼', middle: '◆', bad: '▲', none: '' };

/** CPL with colour, sign and, for those who see neither, a word; `price` in roubles. */
export const CplMark = ({ price, leads }: { readonly price: number; readonly leads: number }) => {
  const amount = fromRoubles(price) ?? kopecks(0);
  const kind = cplClass(amount, leads);
  if (kind === 'none')
    return (
      <span className="z-cpl z-quiet" title={cplClassLabels.none}>
        —<span className="z-visually-hidden">{cplClassLabels.none}</span>
      </span>
    );
  return (
    <span className={`z-cpl ${tones[kind]}`}>
      {formatRoublesExact(costPerLead(amount, leads))}
      <span className="z-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <span className="z-visually-hidden">{cplClassLabels[kind]}</span>
    </span>
  );
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

/** ● «Оплачено», ○ «Не оплачено»; anything else as unknown. */
export const PaymentMark = ({ status }: { readonly status: string }) => (
  <span className={`z-pay ${status === 'paid' ? 'z-pay-paid' : 'z-pay-unpaid'}`}>
    <i aria-hidden="true" />
    {showPayment(status)}
  </span>
);
