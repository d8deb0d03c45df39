const rules = new Intl.PluralRules('ru-RU');
const numbers = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 2 });

/** The form of a noun after a number: 1 лид, 2 лида, 5 лидов, 21 лид; `fraction` after a fraction: 1,5 лида. */
export const plural = (n: number, one: string, few: string, many: string, fraction: string = few): string => {
  switch (rules.select(Math.abs(n))) {
    case 'one':
      return one;
    case 'few':
      return few;
    case 'many':
      return many;
    case 'zero':
    case 'two':
    case 'other':
      return fraction;
  }
};

export const nbsp = '\u00a0';
export const minus = '\u2212';

/** Digits with NBSP between thousands. */
export const grouped = (digits: string): string =>
  digits.length > 3 ? digits.replace(/\B(?=(?:\d{3})+$)/gu, nbsp) : digits;

/** `1 234 567,5`: NBSP between thousands, at most two decimals, a minus sign (U+2212). */
export const formatNumber = (value: number): string => {
  const size = Math.abs(value);
  const text = Number.isSafeInteger(size) ? grouped(String(size)) : numbers.format(size).replace(/\s/gu, nbsp);
  return value < 0 && text !== '0' ? `${minus}${text}` : text;
};

/** `73,7 %` with NBSP; at most two decimals. */
export const formatPercent = (percent: number): string => `${formatNumber(percent)}${nbsp}%`;

/** `5 лидов`, `1 лид`, with NBSP. */
export const formatLeads = (leads: number): string =>
  `${formatNumber(leads)}${nbsp}${plural(leads, 'лид', 'лида', 'лидов')}`;
