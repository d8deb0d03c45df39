import type { HistoryEntry } from '@zakup/contracts/history';
import { dayOf, showTime, today } from '@zakup/domain/calendar';
import { showDate } from '../day/shown-day.ts';
import { roubles } from '../money/roubles.ts';
import { changeWords, isCreation, showActor, showEntity } from '../history/journal-labels.ts';

const valueOf = (entry: HistoryEntry, field: string): unknown => entry.changes.find((one) => one.field === field)?.to;

const lowered = (label: string): string => label.slice(0, 1).toLocaleLowerCase('ru') + label.slice(1);

/** `Сегодня 13:58`, `20 ноября 09:41`; `now` null = nobody looks from today. */
export const movedWhen = (at: string, now: number | null): string => {
  const day = dayOf(at);
  return `${now !== null && day === today(now) ? 'Сегодня' : showDate(day)} ${showTime(at)}`;
};

/**
 * What somebody did, in one line: «Илья Кравцов: добавлено @recepty24 за 10 600 ₽», «…: @recepty24, цена 5 000 ₽ → 5 400 ₽»,
 * «…: создано – Кампания Ноябрь - Подписчики».
 */
export const movedText = (entry: HistoryEntry): string => {
  const { entity, actor, changes } = entry;
  const who = showActor(actor);
  const name = showEntity(entity);
  if (isCreation(entry)) {
    if (entity.kind !== 'placement') return `${who}: создано – ${name}`;
    const price = valueOf(entry, 'price');
    const sum = typeof price === 'number' ? ` за ${roubles(price)}` : '';
    return `${who}: добавлено ${name}${sum}`;
  }
  const told = changes.map((change) => {
    const { label, from, to } = changeWords(entity.kind, change);
    const value = [from, to].filter((one) => one !== null).join(' → ');
    return [lowered(label), value].filter((one) => one !== '').join(' ');
  });
  return `${who}: ${name}, ${told.join(', ')}`;
};
