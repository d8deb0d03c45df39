import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'mid' | 'bad' | 'accent';

/** A word with a tint; `dot` puts a mark before it. Says its meaning in words, never by colour alone. */
export const Chip = ({
  tone = 'neutral',
  dot = false,
  icon,
  children,
}: {
  readonly tone?: Tone;
  readonly dot?: boolean;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}) => (
  <span className={`z-chip z-chip-${tone}`}>
    {dot && <i className="z-dot" aria-hidden="true" />}
    {icon}
    {children}
  </span>
);
