import { lazy, Suspense, useRef, useState } from 'react';
import { Floating } from '../../shared/table/floating.tsx';
import { dayText, readDayText } from './day-text.ts';

const CalendarPopup = lazy(async () => ({ default: (await import('./calendar-popup.tsx')).CalendarPopup }));

interface DayFieldProps {
  readonly id?: string;
  readonly name?: string;
  /** `YYYY-MM-DD`, or empty while what is typed is no day. */
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly 'aria-invalid'?: true | undefined;
  readonly 'aria-describedby'?: string | undefined;
}

/** A day typed as ДД.ММ.ГГГГ or chosen from a calendar. */
export const DayField = ({ value, onChange, ...control }: DayFieldProps) => {
  const box = useRef<HTMLSpanElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState(dayText(value));
  const show = (): void => {
    setAnchor(box.current);
    setOpen(true);
  };
  return (
    <span ref={box} className="z-combo">
      <input
        {...control}
        className="z-input"
        inputMode="numeric"
        autoComplete="off"
        placeholder="ДД.ММ.ГГГГ"
        value={text}
        onClick={show}
        onChange={(event) => {
          setText(event.target.value);
          onChange(readDayText(event.target.value) ?? '');
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') show();
          else if (event.key === 'Escape' && open) setOpen(false);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onBlur={(event) => {
          if (!(event.relatedTarget instanceof Element && event.relatedTarget.closest('[data-floating]')))
            setOpen(false);
        }}
      />
      {open && (
        <Floating anchor={anchor} onEscape={() => setOpen(false)}>
          <Suspense fallback={null}>
            <CalendarPopup
              day={value}
              onChoose={(day) => {
                setText(dayText(day));
                onChange(day);
                setOpen(false);
              }}
            />
          </Suspense>
        </Floating>
      )}
    </span>
  );
};
