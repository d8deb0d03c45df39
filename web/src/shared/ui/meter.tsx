/**
 * A bar of 4 px. `value` in percent, clamped for the picture only; `text` is what is read aloud ("112 %, перерасход").
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
    <div className={`z-meter z-meter-${tone}`}>
      <meter className="z-visually-hidden" aria-label={label} aria-valuetext={text} min={0} max={100} value={shown} />
      <svg width="100%" height="4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={`${shown}%`} height="4" rx="2" />
      </svg>
    </div>
  );
};
