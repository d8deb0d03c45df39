import type { HistoryValue } from '@zakup/contracts/history-fields';
import { showField, showValue } from '../history/journal-labels.ts';
import type { Replica } from '../replica/replica.ts';
import type { OwnAction } from './own-action.ts';

type Names = Pick<Replica, 'get'>;

const nameOf = ({ get }: Names, field: string, id: string): string | undefined => {
  switch (field) {
    case 'buyerId':
      return get('user', id)?.name;
    case 'creativeId':
      return get('creative', id)?.name;
    case 'contractorId':
      return get('contractor', id)?.adminUsername;
    default:
      return undefined;
  }
};

export const fieldLabel = (field: string): string =>
  showField('placement', { field: field === 'contractor' ? 'contractorId' : field });

/** A value of a placement's field as a person reads it; `contractor` is a nick. */
export const valueText = (names: Names, field: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'пусто';
  if (field === 'contractor' && typeof value === 'string') return value;
  return showValue(
    'placement',
    field,
    value as HistoryValue,
    typeof value === 'string' ? nameOf(names, field, value) : undefined,
  );
};

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(', ');

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The fields of its one placement with their values, in the order in which they went; null = it is something else, or its values are not known. */
const movesOf = (names: Names, { changes }: OwnAction, back: boolean): readonly string[] | null => {
  const [only, ...more] = changes;
  if (only === undefined || more.length > 0 || only.before === null || Object.keys(only.after).length === 0)
    return null;
  const { before, after } = only;
  return Object.keys(after).map((field) => {
    const [from, to] = [before, after].map((values) =>
      field in values ? valueText(names, field, values[field]) : '…',
    );
    return `${lowered(fieldLabel(field))} ${back ? `${to ?? ''} → ${from ?? ''}` : `${from ?? ''} → ${to ?? ''}`}`;
  });
};

/** «@nick, цена 5 000 ₽ → 5 400 ₽»; the other way round where it goes `back`. Else its label. */
export const actionText = (names: Names, action: OwnAction, back = false): string => {
  const { nick, label } = action;
  const moves = movesOf(names, action, back);
  if (moves !== null) return joined([nick, ...moves]);
  return nick === null || label.includes(nick) ? label : joined([nick, lowered(label)]);
};
