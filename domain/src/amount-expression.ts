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
const thousands = /\p{Zs}*(?:[кk]|тыс\.?)$/iu;
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

const plus = (a: Amount, b: Amount, sign: 1n | -1n): Amount => ({
  units: a.units * b.scale + sign * b.units * a.scale,
  scale: a.scale * b.scale,
});

/** Operands, signs and brackets in their order. */
const tokenText = /[()+*×/÷−-]|[^()+*×/÷−-]+/gu;

/**
 * Products before sums, from left to right. Differences, quotients and brackets only behind an `=`: without it they are how ranges, days
 * and formats are written.
 */
class Calculation {
  readonly #tokens: readonly string[];
  readonly #isFormula: boolean;
  readonly #operand: (text: string) => Amount | null;
  #at = 0;

  constructor(text: string, operand: (text: string) => Amount | null) {
    this.#isFormula = text.startsWith('=');
    const tokens = text.replace(/^=/u, '').match(tokenText) ?? [];
    this.#tokens = tokens.map((token) => token.trim()).filter((token) => token !== '');
    this.#operand = operand;
  }

  /** `null` = it is none. */
  result(): Amount | null {
    const total = this.#sum();
    return this.#at === this.#tokens.length ? total : null;
  }

  #take(signs: string, inFormula: string): string | null {
    const token = this.#tokens[this.#at];
    if (token?.length !== 1 || !(signs + (this.#isFormula ? inFormula : '')).includes(token)) return null;
    this.#at += 1;
    return token;
  }

  #sum(): Amount | null {
    let total = this.#product();
    for (;;) {
      const sign = this.#take('+', '-−');
      if (sign === null || total === null) return total;
      const part = this.#product();
      total = part && plus(total, part, sign === '+' ? 1n : -1n);
    }
  }

  #product(): Amount | null {
    let total = this.#factor();
    for (;;) {
      const sign = this.#take('*×', '/÷');
      if (sign === null || total === null) return total;
      const part = this.#factor();
      if (part === null) return null;
      const [units, scale] = sign === '*' || sign === '×' ? [part.units, part.scale] : [part.scale, part.units];
      if (scale === 0n) return null;
      total = { units: total.units * units, scale: total.scale * scale };
    }
  }

  #factor(): Amount | null {
    if (this.#take('', '(') === null) {
      const text = this.#tokens[this.#at];
      this.#at += 1;
      return text === undefined ? null : this.#operand(text);
    }
    const inside = this.#sum();
    return this.#take('', ')') === null ? null : inside;
  }
}

/** `amount × factor` where that is a whole number from 0 to `most`. */
const wholeNumber = ({ units, scale }: Amount, factor: bigint, most: number): number | null => {
  const scaled = units * factor;
  if (scaled % scale !== 0n) return null;
  const whole = scaled / scale;
  return whole >= 0n && whole <= BigInt(most) ? Number(whole) : null;
};

/** Blanks at the ends do not count; a tab or a line break inside parts two values, which are no amount together. */
const isOneLine = (text: string): boolean => text.length <= longest && !/[\t\n\r]/u.test(text);

/**
 * A price as it is typed into a cell: what `parseRoubles` reads, thousands as `5к` and `5 тыс`, sums and products of these, and behind an
 * `=` differences, quotients and brackets too. Nothing is rounded, and nothing is left out of a text to make it a price. Blank = 0,
 * null = 'Некорректная цена'.
 */
export const parsePriceExpression = (text: string): Kopecks | null => {
  const bare = text.trim();
  if (bare === '') return kopecks(0);
  if (!isOneLine(bare)) return null;
  const roubles = new Calculation(bare, (part) => readOperand(part.replace(currency, ''))).result();
  const amount = roubles && wholeNumber(roubles, 100n, maxKopecks);
  return amount === null ? null : kopecks(amount);
};

/** Leads as they are typed into a cell: as a price, without ₽, and a whole number. Blank = 0, null = 'Некорректное количество лидов'. */
export const parseLeadsExpression = (text: string): number | null => {
  const bare = text.trim();
  if (bare === '') return 0;
  const leads = isOneLine(bare) ? new Calculation(bare, readOperand).result() : null;
  return leads && wholeNumber(leads, 1n, maxLeads);
};
