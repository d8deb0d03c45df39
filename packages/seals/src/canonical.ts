/** What JSON carries; members that are undefined are left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json | undefined };

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The one text of a JSON value (RFC 8785): no blanks, members in the order of their names' UTF-16 code units, numbers and strings as
 * ECMAScript writes them. Whatever order a store kept the members in, the text is the same.
 */
export const canonicalText = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalText).join(',')}]`;
  const members = Object.entries(value as { readonly [member: string]: Json | undefined })
    .filter((entry): entry is [string, Json] => entry[1] !== undefined)
    .sort(([a], [b]) => byCodeUnits(a, b));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`;
};
