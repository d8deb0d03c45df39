import { parseLeadsExpression, parsePriceExpression } from '@zakup/domain/amount-expression';
import type { Day } from '@zakup/domain/calendar';
import { readDay } from '@zakup/domain/day-input';
import { messages } from '@zakup/domain/messages';
import { toRoubles } from '@zakup/domain/money';
import {
  orWrong,
  type ReadCell,
  readCommentText,
  readFormatText,
  readNickText,
  readPaymentText,
  readPostUrlText,
  readStatusText,
  readTopicText,
} from '@zakup/domain/placement/cell-input';
import { textKey } from '@zakup/domain/text-key';
import type { ChoiceOption } from '../../../shared/table/grid-column.ts';
import type { Choices } from '../rows/use-choices.ts';
import type { PastedField } from './paste-layout.ts';

/** Fields whose cells name one of a list. */
export type NamedField = 'buyerId' | 'creativeId' | 'category';

/** A text that names nobody and nothing, or several; '' = a new row says nothing of it, and must. */
export interface UnknownName {
  readonly field: NamedField;
  readonly text: string;
}

/** What a person chose for each unknown name by `nameKey`; absent and `null` = its cells are left out. */
export type Resolved = ReadonlyMap<string, string | null>;

export const nameKey = ({ field, text }: UnknownName): string => `${field}/${textKey(text)}`;

/** What a cell says, as the wire has it. */
export type CellReading =
  /** `chosenFor`: the unknown name for which a person chose it. */
  | { readonly kind: 'value'; readonly value: unknown; readonly chosenFor?: UnknownName }
  | { readonly kind: 'wrong'; readonly detail: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unknown'; readonly name: UnknownName; readonly detail: string };

const currency = /\p{Zs}*(?:руб(?:\.|лей|ля|ль)?|р\.?|rub)$/iu;
const timeOfDay = /[ T]+\d{1,2}:\d{2}(?::\d{2})?$/u;

const readPriceText = (text: string): ReadCell<number> => {
  const price = parsePriceExpression(text.trim().replace(currency, ''));
  return orWrong(price === null ? null : toRoubles(price), messages.priceInvalid);
};

const lookUp = (options: readonly ChoiceOption[]): ReadonlyMap<string, readonly string[]> => {
  const byName = new Map<string, string[]>();
  for (const { value, label } of options) byName.set(textKey(label), [...(byName.get(textKey(label)) ?? []), value]);
  return byName;
};

export interface CellReader {
  readonly read: (field: PastedField, text: string) => CellReading;
  /** What was chosen for a name that is not known, or that it is not. */
  readonly named: (name: UnknownName, unknown: string) => CellReading;
}

/** Reads cells as the editors of their columns do, and names by those that can be chosen now. */
export const cellReader = (
  choices: Pick<Choices, 'buyers' | 'creatives'>,
  resolved: Resolved,
  today: Day,
): CellReader => {
  const buyers = lookUp(choices.buyers);
  const creatives = lookUp(choices.creatives);

  const named = (name: UnknownName, detail: string): CellReading => {
    const chosen = resolved.get(nameKey(name));
    return typeof chosen === 'string'
      ? { kind: 'value', value: chosen, chosenFor: name }
      : { kind: 'unknown', name, detail };
  };
  const fromList = (name: UnknownName, list: ReadonlyMap<string, readonly string[]>, detail: string): CellReading => {
    const [value, ...more] = list.get(textKey(name.text)) ?? [];
    if (value !== undefined && more.length === 0) return { kind: 'value', value };
    return named(name, more.length > 0 ? messages.nameAmbiguous : detail);
  };

  const read = (field: PastedField, text: string): CellReading => {
    switch (field) {
      case 'date':
        return orWrong(readDay(text.trim().replace(timeOfDay, ''), today), messages.dateInvalid);
      case 'contractorId': {
        const nick = readNickText(text);
        return nick.kind === 'value' ? { kind: 'value', value: nick.value.adminUsername } : nick;
      }
      case 'price':
        return readPriceText(text);
      case 'leads':
        return orWrong(parseLeadsExpression(text), messages.leadsInvalid);
      case 'creativeId':
        return fromList({ field, text: text.trim() }, creatives, messages.creativeNotFound);
      case 'buyerId':
        return fromList({ field, text: text.trim() }, buyers, messages.buyerUnknown);
      case 'category': {
        const topic = readTopicText(text);
        return topic.kind === 'value' ? topic : named({ field, text: text.trim() }, messages.chooseTopic);
      }
      case 'format':
        return readFormatText(text);
      case 'paymentStatus':
        return readPaymentText(text);
      case 'status':
        return readStatusText(text);
      case 'comment':
        return readCommentText(text);
      case 'postUrl':
        return readPostUrlText(text);
    }
  };
  return { read: (field, text) => (text.trim() === '' ? { kind: 'empty' } : read(field, text)), named };
};
