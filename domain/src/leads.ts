export const maxLeads = 1_000_000_000;

/** A number of leads from outside: a whole number or its digits, blanks or NBSP between groups of three, 0 to 1,000,000,000. Blank = 0. `null` = 'Некорректное количество лидов'. */
export const readLeads = (outside: unknown): number | null => {
  if (typeof outside === 'number')
    return Number.isInteger(outside) && outside >= 0 && outside <= maxLeads ? outside + 0 : null;
  if (typeof outside !== 'string') return null;
  const text = outside.trim();
  if (!/^(?:\d{0,10}|\d{1,3}(?:\p{Zs}\d{3}){1,3})$/u.test(text)) return null;
  const leads = Number(text.replace(/\s/gu, ''));
  return leads <= maxLeads ? leads : null;
};
