/** Two letters of a name. */
export const initialsOf = (name: string): string => {
  const [first = '', second = ''] = name.trim().split(/\s+/u);
  return (first.charAt(0) + second.charAt(0)).toUpperCase();
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
  <span className={`z-avatar z-avatar-${size} z-person-${colourOf(id)}`} aria-hidden="true" title={name}>
    {initialsOf(name)}
  </span>
);
