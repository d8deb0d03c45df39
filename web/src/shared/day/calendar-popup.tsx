import { DatePicker } from '@blueprintjs/datetime';
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css';
import { ru } from 'date-fns/locale';
import { useState } from 'react';
import { parseDay, today } from '@zakup/domain/calendar';
import './calendar-popup.css';

const two = (value: number): string => String(value).padStart(2, '0');

const dateOf = (day: string): Date | null => {
  const parsed = parseDay(day);
  if (parsed === null) return null;
  const [year = 0, month = 1, date = 1] = parsed.split('-').map(Number);
  // The calendar works in the browser's own zone; only its year, month and day are read back.
  return new Date(year, month - 1, date);
};

const labels = {
  labelMonthDropdown: () => 'Месяц',
  labelYearDropdown: () => 'Год',
  labelPrevious: () => 'Предыдущий месяц',
  labelNext: () => 'Следующий месяц',
};

const least = new Date(2000, 0, 1);
const most = new Date(2100, 11, 31);

/** A month to choose a day from, Monday first. */
export const CalendarPopup = ({
  day,
  onChoose,
}: {
  readonly day: string;
  readonly onChoose: (day: string) => void;
}) => {
  // In Moscow, as everywhere; left alone, the calendar would mark the browser's own day.
  const [now] = useState(() => dateOf(today(Date.now())));
  return (
    <DatePicker
      className="z-calendar"
      value={dateOf(day)}
      minDate={least}
      maxDate={most}
      locale={ru}
      canClearSelection={false}
      dayPickerProps={{ labels, ...(now && { today: now }) }}
      onChange={(date, isUserChange) => {
        if (date && isUserChange) onChoose(`${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`);
      }}
    />
  );
};
