import { dayOf, today } from '@zakup/domain/calendar';
import { useState } from 'react';
import { CalendarPopup } from '../day/calendar-popup.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';

const timeOf = (instant: string): string =>
  new Date(Date.parse(instant) + 3 * 60 * 60 * 1000).toISOString().slice(11, 19);

/** A day and a time at UTC+3. */
export const MomentPicker = ({
  at,
  onPick,
}: {
  /** UTC instant to begin with. */
  readonly at: string | null;
  /** Called with a time with its zone. */
  readonly onPick: (at: string) => void;
}) => {
  const [day, setDay] = useState(() => (at === null ? today(Date.now()) : dayOf(at)));
  const [time, setTime] = useState(() => (at === null ? '00:00:00' : timeOf(at)));
  const whole = time.length === 5 ? `${time}:00` : time;
  const instant = Date.parse(`${day}T${whole}+03:00`);
  return (
    <form
      className="z-moment-picker"
      onSubmit={(event) => {
        event.preventDefault();
        if (!Number.isNaN(instant)) onPick(new Date(instant).toISOString());
      }}
    >
      <CalendarPopup day={day} onChoose={setDay} />
      <div>
        <Field label="Время (МСК)">
          {(control) => (
            <input
              {...control}
              className="z-input"
              type="time"
              step={1}
              value={time}
              onChange={(event) => setTime(event.target.value)}
            />
          )}
        </Field>
        <Button look="primary" type="submit" disabled={Number.isNaN(instant)}>
          Показать
        </Button>
      </div>
    </form>
  );
};
