import { messages } from '@zakup/domain/messages';
import { parsePostUrl } from '@zakup/domain/placement/remarks';
import type { ReactNode } from 'react';
import { dayText, readDayText } from '../../../shared/day/day-text.ts';
import type { Parsed } from '../../../shared/form/parsed.ts';
import type { CellEditor, ChoiceOption } from '../../../shared/table/grid-column.ts';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';

const CalendarPopup = lazyPart(async () => (await import('../../../shared/day/calendar-popup.tsx')).CalendarPopup);

/** A stored value that the list does not offer (an inactive creative, a foreign topic) stays choosable as it is. */
export const withCurrent = (options: readonly ChoiceOption[], value: string, label: string): readonly ChoiceOption[] =>
  value === '' || options.some((option) => option.value === value) ? options : [{ value, label }, ...options];

/** What a calculation or an abbreviation that is typed comes to, while it is typed. */
export const resultBelow =
  (parse: (text: string) => Parsed, show: (value: number) => string) =>
  (draft: string): ReactNode => {
    if (/^[\d\s]*$/u.test(draft)) return null;
    const parsed = parse(draft);
    return parsed.ok && <p className="z-grid-result">= {show(Number(parsed.value))}</p>;
  };

/** The day as text, with a calendar below it. */
export const dayEditor = (row: PlacementRow): CellEditor => ({
  kind: 'text',
  initial: dayText(row.placement.date),
  inputMode: 'numeric',
  parse: (text) => {
    const day = readDayText(text);
    return day === null ? { ok: false, message: messages.dateInvalid } : { ok: true, value: day };
  },
  popup: (draft, choose) => (
    <CalendarPopup day={readDayText(draft) ?? row.placement.date} onChoose={(day) => choose(dayText(day))} />
  ),
});

/** Empty = there is none. */
export const readPostUrl = (text: string): Parsed => {
  const value = text.trim() === '' ? null : parsePostUrl(text);
  return value === null && text.trim() !== '' ? { ok: false, message: messages.postUrlInvalid } : { ok: true, value };
};
