import { maxLeads } from './leads.ts';
import { type Kopecks, kopecks, maxKopecks } from './money.ts';

/** An exact number: `units / scale`. */
interface Amount {
  readonly units: bigint;
  readonly scale: bigint;
}

/** Longer texts are no amount that anybody types. */
const longest = 100;

const operandText = /^(?:\d{1,10}|\d{1,3}(?:\p{Zs}\d{3}){1,3})?(?:[.,]\d*)?$/u;
const thousands = /\p{Zs}*[кk]$/iu;
const currency = /^₽\p{Zs}*|\p{Zs}*₽$/gu;

/** Kopecks of a thousand, and of one. */
const decimalsOf = { thousands: 5, ones: 2 } as const;

/** `1 200,50`, `5,2к`; null = anything else, or more decimals than kopecks are. */
const readOperand = (text: string): Amount | null => {
  const inThousands = thousands.test(text);
  const digits = text.replace(thousands, '');
  if (!operandText.test(digits) || !/\d/u.test(digits)) return null;
  const [whole = '', decimals = ''] = digits.replace(/\p{Zs}/gu, '').split(/[.,]/u);
  if (decimals.length > (inThousands ? decimalsOf.thousands : decimalsOf.ones)) return null;
  return { units: BigInt(whole + decimals) * (inThousands ? 1000n : 1n), scale: 10n ** BigInt(decimals.length) };
};

const times = (a: Amount, b: Amount): Amount => ({ units: a.units * b.units, scale: a.scale * b.scale });
const plus = (a: Amount, b: Amount): Amount => ({
  units: a.units * b.scale + b.units * a.scale,
  scale: a.scale * b.scale,
});

/** All parts read and joined; null = one of them could not be. */
const joined = (
  parts: readonly string[],
  read: (part: string) => Amount | null,
  join: (a: Amount, b: Amount) => Amount,
): Amount | null => {
  let total: Amount | null = null;
  for (const part of parts) {
    const amount = read(part);
    if (amount === null) return null;
    total = total === null ? amount : join(total, amount);
  }
  return total;
};

/** Products before sums; an `=` may stand before all. */
const evaluate = (text: string, operand: (part: string) => Amount | null): Amount | null =>
  joined(
    text.replace(/^=/u, '').split('+'),
    (term) => joined(term.split(/[*×]/u), (part) => operand(part.trim()), times),
    plus,
  );

/** `amount × factor` where that is a whole number of at most `most`. */
const wholeNumber = ({ units, scale }: Amount, factor: bigint, most: number): number | null => {
  const scaled = units * factor;
  return scaled % scale === 0n && scaled / scale <= BigInt(most) ? Number(scaled / scale) : null;
};

/** Blanks at the ends do not count; a tab or a line break inside parts two values, which are no amount together. */
const isOneLine = (text: string): boolean => text.length <= longest && !/[\t\n\r]/u.test(text);

/**
 * A price as it is typed into a cell: what `parseRoubles` reads, thousands as `5к`, sums and products of these with or without an `=`
 * before them. Nothing is left out of a text to make it a price. Blank = 0, null = 'Некорректная цена'.
 */
export const parsePriceExpression = (text: string): Kopecks | null => {
  const bare = text.trim();
  if (bare === '') return kopecks(0);
  if (!isOneLine(bare)) return null;
  const roubles = evaluate(bare, (part) => readOperand(part.replace(currency, '')));
  const amount = roubles && wholeNumber(roubles, 100n, maxKopecks);
  return amount === null ? null : kopecks(amount);
};

/** Leads as they are typed into a cell: as a price, without ₽, and a whole number. Blank = 0, null = 'Некорректное количество лидов'. */
export const parseLeadsExpression = (text: string): number | null => {
  const bare = text.trim();
  if (bare === '') return 0;
  const leads = isOneLine(bare) ? evaluate(bare, readOperand) : null;
  return leads && wholeNumber(leads, 1n, maxLeads);
};
