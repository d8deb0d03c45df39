const signs = new Intl.Segmenter('ru', { granularity: 'grapheme' });

/** The first signs of a text as a person counts them: an emoji is one, of however many characters it is made. */
export const firstSigns = (text: string, count: number): string =>
  Array.from(signs.segment(text), ({ segment }) => segment)
    .slice(0, count)
    .join('');

/** By name: taking a text apart into signs is slow beside all else that a row of a table takes, and names are few. */
const known = new Map<string, string>();

/** Two letters of a name. */
export const initialsOf = (name: string): string => {
  const before = known.get(name);
  if (before !== undefined) return before;
  const [first = '', second = ''] = name.trim().split(/\s+/u);
  const initials = (firstSigns(first, 1) + firstSigns(second, 1)).toUpperCase();
  known.set(name, initials);
  return initials;
};

/** The same person has the same of the four colours everywhere. */
export const colourOf = (id: string): 1 | 2 | 3 | 4 => {
  let sum = 0;
  for (const sign of id) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973;
  return ((sum % 4) + 1) as 1 | 2 | 3 | 4;
};

/** Initials in a circle; decoration beside a name. `size` in px. */
export const Avatar = ({
  name,
  id,
  size = 26,
}: {
  readonly name: string;
  readonly id: string;
  readonly size?: 20 | 26;
}) => (
  <span className={`z-avatar z-avatar-${size} z-person-${colourOf(id)}`} aria-hidden="true" data-hint={name}>
    {initialsOf(name)}
  </span>
);
