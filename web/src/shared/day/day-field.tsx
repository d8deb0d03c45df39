import { useRef, useState } from 'react';
import { Floating } from '../ui/floating.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { dayText, readDayText } from './day-text.ts';

const CalendarPopup = lazyPart(async () => (await import('./calendar-popup.tsx')).CalendarPopup);

const dayOf = (typed: string): string => readDayText(typed) ?? typed.trim();

interface DayFieldProps {
  readonly id?: string;
  readonly name?: string;
  /** `YYYY-MM-DD`, empty, or what is typed as long as it is no day. */
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
  const [typed, setTyped] = useState(dayText(value));
  // A value from elsewhere takes the place of what was typed.
  const text = dayOf(typed) === value ? typed : dayText(value);
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
          setTyped(event.target.value);
          onChange(dayOf(event.target.value));
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
          setTyped(dayText(dayOf(typed)));
        }}
      />
      {open && (
        <Floating anchor={anchor} onEscape={() => setOpen(false)}>
          <CalendarPopup
            day={value}
            onChoose={(day) => {
              setTyped(dayText(day));
              onChange(day);
              setOpen(false);
            }}
          />
        </Floating>
      )}
    </span>
  );
};
