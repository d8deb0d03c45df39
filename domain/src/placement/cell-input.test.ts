import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { messages } from '../messages.ts';
import { formats, topics } from '../topics.ts';
import {
  readFormatText,
  readNickText,
  readPaymentText,
  readPostUrlText,
  readStatusText,
  readTopicText,
} from './cell-input.ts';
import { placementStatusLabels } from './labels.ts';

test.each(['@Nick_1', 'Nick_1', 't.me/Nick_1', 'https://t.me/Nick_1/123', ' http://telegram.me/Nick_1?single '])(
  'CEL-1946 %j names the contractor @Nick_1',
  (text) => {
    expect(readNickText(text)).toMatchObject({ kind: 'value', value: { nick: 'nick_1', adminUsername: '@Nick_1' } });
  },
);

test.each(['ни\u200bк', 'nick\u202egp', 'nick\u2066', 'a b', '@nick, @other', 'n'.repeat(65), '@', 't.me/'])(
  'CEL-1947 %j names nobody, and nothing is left out of it to make a nick',
  (text) => {
    expect(readNickText(text)).toMatchObject({ kind: 'wrong' });
  },
);

test.each([
  ['да', 'paid'],
  ['Оплачено', 'paid'],
  ['ОПЛАЧЕН', 'paid'],
  ['+', 'paid'],
  ['1', 'paid'],
  ['нет', 'unpaid'],
  ['не  оплачено', 'unpaid'],
  ['-', 'unpaid'],
])('CEL-1948 %j in the payment is %s', (text, value) => {
  expect(readPaymentText(text)).toEqual({ kind: 'value', value });
});

test('CEL-1949 a name is read whatever its case, with е for ё, and only whole', () => {
  const differently = (text: string): readonly string[] => [text, ` ${text.toUpperCase()}\u00a0`, text.toLowerCase()];
  for (const topic of topics)
    for (const text of differently(topic)) expect(readTopicText(text)).toEqual({ kind: 'value', value: topic });
  for (const format of formats)
    for (const text of [format, format.replace('/', ' / ')])
      expect(readFormatText(text)).toEqual({ kind: 'value', value: format });
  for (const [status, label] of Object.entries(placementStatusLabels))
    for (const text of [...differently(label), status])
      expect(readStatusText(text)).toEqual({ kind: 'value', value: status });
  expect(readTopicText('Работа')).toEqual({ kind: 'wrong', detail: messages.chooseTopic });
  expect(readFormatText('1/2')).toEqual({ kind: 'wrong', detail: messages.formatInvalid });
  expect(readPaymentText('оплачено вчера')).toEqual({ kind: 'wrong', detail: messages.paymentInvalid });
  expect(readPostUrlText('nick/5')).toEqual({ kind: 'wrong', detail: messages.postUrlInvalid });
});

test('CEL-1950 a sign more makes a name another text, which is none', () => {
  const names = fc.constantFrom<string>(...topics, ...Object.values(placementStatusLabels), 'да', 'нет');
  const readers = [readTopicText, readStatusText, readPaymentText];
  fc.assert(
    fc.property(names, fc.constantFrom('x', 'ы', '1', '!', ',', '.', ';', ':'), fc.nat(40), (name, sign, at) => {
      const place = at % (name.length + 1);
      const text = name.slice(0, place) + sign + name.slice(place);
      expect(readers.map((read) => read(text).kind)).toEqual(['wrong', 'wrong', 'wrong']);
    }),
  );
});
