/**
 * A bar of 4 px. `value` in percent, clamped for the picture only; `text` is what is read aloud ("73,7 %, перерасход").
 */
export const Meter = ({
  value,
  tone = 'neutral',
  label,
  text,
}: {
  readonly value: number;
  readonly tone?: 'neutral' | 'good' | 'mid' | 'bad' | 'accent';
  readonly label: string;
  readonly text: string;
}) => {
  const shown = Math.max(0, Math.min(100, value));
  return (
    <div
      className={`z-meter z-meter-${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(shown * 100) / 100}
      aria-valuetext={text}
    >
      <svg width="100%" height="4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={`${shown}%`} height="4" rx="2" />
      </svg>
    </div>
  );
};
