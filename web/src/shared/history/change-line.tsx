import type { ChangeWords } from './journal-labels.ts';

/** «Цена 5 100 ₽ → **5 200 ₽**». */
export const ChangeLine = ({ words: { label, from, to, bad } }: { readonly words: ChangeWords }) => (
  <span className="z-change">
    <span className={bad ? 'z-bad' : undefined}>{label}</span>
    {from !== null && <span> {from}</span>}
    {from !== null && to !== null && (
      <>
        <span aria-hidden="true"> →</span>
        <span className="z-visually-hidden">, стало</span>
      </>
    )}
    {to !== null && <b> {to}</b>}
  </span>
);
