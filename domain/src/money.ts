/** Money inside is a whole number of kopecks; outside it is a number of roubles with at most two decimals (decisions.md 5). */
export type Kopecks = number & { readonly __unit: 'kopecks' };

export const maxKopecks = 100_000_000_000 as Kopecks;

export const kopecks = (amount: number): Kopecks => amount as Kopecks;

export const toRoubles = (amount: Kopecks): number => amount / 100;

/** Exact for at most two decimals; `null` for anything else, for NaN and infinities. */
export const fromRoubles = (roubles: number): Kopecks | null => {
  const scaled = Math.round(roubles * 100);
  return Number.isFinite(roubles) && Math.abs(scaled) <= Number.MAX_SAFE_INTEGER && scaled / 100 === roubles
    ? kopecks(scaled)
    : null;
};

/** A price typed or pasted: digits, one dot or comma, blanks and NBSP between thousands, an optional ₽. Empty = 0. `null` = not a price. */
export const parseRoubles = (text: string): Kopecks | null => {
  const bare = text.replace(/[\s\u00a0\u202f₽]/gu, '').replace(',', '.');
  if (bare === '') return kopecks(0);
  const match = /^(\d{1,10})(?:\.(\d{0,2}))?$|^\.(\d{1,2})$/u.exec(bare);
  if (match === null) return null;
  const whole = Number(match[1] ?? '0');
  const cents = Number((match[2] ?? match[3] ?? '').padEnd(2, '0'));
  const amount = whole * 100 + cents;
  return amount <= maxKopecks ? kopecks(amount) : null;
};

/** `part × percent / 100`, rounded once, half up. */
export const percentOf = (part: Kopecks, percent: number): Kopecks => kopecks(Math.round((part * percent) / 100));
